// TrialBench: small kernels that do one thing wrong when told to, and right when not, run through
// the machine's driver.
#pragma once

#include "runtime/cuda/DriverApi.h"
#include "simt/Simt.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mlac::simt {

constexpr std::size_t kTrialWords = 1024; ///< of each of the two buffers
constexpr int kRandomOrders = 20;

/// A kernel's body, from the end of a line on. It finds `in` (word i is 1000 + i), `out` (zeros,
/// but for what earlier launches wrote), `faulty`, `smem`, `shared` (its address in the shared
/// window), `thread`, `lane`, `warp` and `cta`, and every wrapper of mlac/ptx.
struct Trial {
  std::string_view body;
  std::uint32_t threads = 64; ///< of a CTA
  std::uint32_t ctas = 1;
  std::uint32_t smemBytes = 1024;
};

struct Outcome {
  CUresult code = 0; ///< of cuLaunchKernelEx
  std::optional<Finding> finding;
  Counters counters;
  std::vector<std::uint32_t> out;
};

/// A machine with two buffers of kTrialWords words. What cannot happen here (no compiler, a driver
/// call that fails) is thrown, and fails the test.
class TrialBench {
public:
  explicit TrialBench(const Options& options = {});

  /// One launch with a fresh `out`; faulty where `faulty`.
  Outcome run(const Trial& trial, bool faulty, std::uint64_t seed = 0);

  /// A programmatic dependent launch, which finds `out` as it is.
  Outcome runDependent(const Trial& trial, bool faulty, std::uint64_t seed = 0);

  /// The trial done right has no finding and writes the same in the fixed order and in random ones;
  /// returns what it writes.
  std::vector<std::uint32_t> expectSound(const Trial& trial);

  /// What the trial done wrong is found to do in the fixed order; a failure where that is nothing,
  /// or where the trial done right is not sound.
  Finding expectFault(const Trial& trial, FindingKind kind);

  const DriverApi& driver() const { return *api; }

  Machine& machine() { return *simulated; }

  CUdeviceptr inBuffer() const { return in; }

  CUdeviceptr outBuffer() const { return out; }

private:
  struct Args {
    CUdeviceptr in;
    CUdeviceptr out;
    std::uint32_t faulty;
  };

  Outcome launch(const Trial& trial,
                 bool faulty,
                 std::uint64_t seed,
                 std::span<CUlaunchAttribute> attributes);
  Outcome outcome(CUresult code);

  std::string target;
  std::unique_ptr<Machine> simulated;
  const DriverApi* api = nullptr;
  CUdeviceptr in = 0;
  CUdeviceptr out = 0;
};

/// The whole CUDA source of a trial, whose entry is `trial`.
std::string sourceOf(const Trial& trial);

/// As findings name it.
std::string nameOfThread(std::uint32_t cta, std::uint32_t thread);

/// Whether a place is that thread's, says `what` among other things, and has a line that quotes
/// `text` of the source.
testing::AssertionResult
isAt(const Place& place, const std::string& who, std::string_view what, std::string_view text);

/// By its name in failures.
void PrintTo(FindingKind kind, std::ostream* stream); // NOLINT(readability-identifier-naming)

/// Throws unless the code is CUDA_SUCCESS.
void check(const DriverApi& driver, CUresult code);

} // namespace mlac::simt
