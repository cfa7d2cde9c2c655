// Bench: how long a launch takes, from CUDA events around a graph of many launches over cold
// inputs.
#pragma once

#include "common/Result.h"
#include "mlac/mlac.hpp"
#include "tools/gpu/RunOnGpu.h"
#include "verify/Problem.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mlac {

struct BenchOptions {
  GpuRunOptions gpu;
  int iterations = 20; ///< timed graph launches
};

struct BenchResult {
  int inputSets =
      0; ///< problems of other seeds, used in turn so that the L2 cache holds none of the next one
  int launchesPerGraph = 0;
  double medianUs = 0; ///< of one launch, combine included
  double minUs = 0;
  double maxUs = 0;
  std::int64_t keyBytes = 0; ///< cache rows one launch reads, each counted once
  double predictedUs = 0;
  bool replaysAgree = false; ///< what the last replay left equals what a plain launch gives
};

struct InputSet;

/// The problems that launches of a benchmark read in turn, kept from one case to the next: drawing
/// them takes far longer than timing.
class BenchInputs {
public:
  explicit BenchInputs(const Device& device);
  BenchInputs(const BenchInputs&) = delete;
  BenchInputs& operator=(const BenchInputs&) = delete;
  ~BenchInputs();

  /// Problems like `options` with following seeds, that together hold several times the L2 cache.
  /// `key` tells options apart. The device's context must be current.
  Result<const std::vector<std::unique_ptr<InputSet>>*>
  get(const Variant& variant, const verify::ProblemOptions& options, const std::string& key);

private:
  const Device& device;
  std::optional<Variant> variant; ///< of the sets
  std::string key;
  std::vector<std::unique_ptr<InputSet>> sets;
};

/// Times launches over `sets`.
Result<BenchResult> benchmark(const Device& device,
                              const Family& family,
                              const std::vector<std::unique_ptr<InputSet>>& sets,
                              const BenchOptions& options);

} // namespace mlac
