// Compiles the matrix and holds every kernel to its budget: nothing spilled, no stack, shared
// memory within the target's.
//   compile_matrix [--every-target]
#include "compiler/Compiler.h"
#include "runtime/nvrtc/Compile.h"
#include "tests/nvrtc/Matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <string_view>
#include <thread>
#include <vector>

namespace mlac {
namespace {

struct Tally {
  int kernels = 0;
  int mostRegisters = 0;
  std::vector<std::string> failures;
  std::mutex lock;
};

/// sm_90 and sm_120 are promised to be free of spills. Elsewhere a kernel must compile and fit.
bool isPromised(const Target& target) {
  return target.sm == 90 || target.sm == 120;
}

std::string complaintOf(const Kernel& kernel, const Target& target, const Resources& used) {
  const int smemBytes = kernel.dynamicSmemBytes + std::max(0, used.staticSmemBytes);
  if (smemBytes > target.smemPerCtaBytes)
    return fmt::format(
        "{} bytes of shared memory, the limit is {}", smemBytes, target.smemPerCtaBytes);
  if (used.registers < 0)
    return "NVRTC reported no registers";
  if (isPromised(target) &&
      (used.spillStoreBytes != 0 || used.spillLoadBytes != 0 || used.stackBytes != 0))
    return fmt::format("{} bytes spilled, {} bytes of stack, {} registers; schedule {}",
                       used.spillStoreBytes,
                       used.stackBytes,
                       used.registers,
                       kernel.schedule);
  return "";
}

void compileKernel(const Nvrtc& nvrtc, const Kernel& kernel, const Target& target, Tally& tally) {
  const auto output = compileSource(nvrtc,
                                    {.source = kernel.source,
                                     .name = kernel.entry,
                                     .entry = kernel.entry,
                                     .target = target.name,
                                     .extraOptions = {}});
  const std::string complaint =
      output ? complaintOf(kernel, target, output->resources) : output.error().message;
  const std::lock_guard guard(tally.lock);
  ++tally.kernels;
  if (output)
    tally.mostRegisters = std::max(tally.mostRegisters, output->resources.registers);
  if (!complaint.empty())
    tally.failures.push_back(fmt::format("{} for {}: {}", kernel.entry, target.name, complaint));
}

void compileCase(const Nvrtc& nvrtc, const MatrixCase& one, Tally& tally) {
  const auto compiled = compileFamily({one.variant, one.target, {}});
  if (!compiled) {
    const std::lock_guard guard(tally.lock);
    tally.failures.push_back(compiled.error().message);
    return;
  }
  for (const Kernel& kernel : compiled->family.kernels)
    compileKernel(nvrtc, kernel, *one.target, tally);
}

int run(bool everyTarget) {
  const auto nvrtc = processNvrtc();
  if (!nvrtc) {
    fmt::print(stderr, "{}\n", nvrtc.error().message);
    return EXIT_FAILURE;
  }
  const auto start = std::chrono::steady_clock::now();
  const std::vector<MatrixCase> cases = compileMatrix(everyTarget);
  Tally tally;
  std::atomic<std::size_t> next{0};
  std::vector<std::thread> workers;
  for (unsigned i = 0; i < std::max(1U, std::thread::hardware_concurrency()); ++i)
    workers.emplace_back([&] {
      for (std::size_t at = next++; at < cases.size(); at = next++)
        compileCase(**nvrtc, cases[at], tally);
    });
  for (std::thread& worker : workers)
    worker.join();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  for (const std::string& failure : tally.failures)
    fmt::print("FAIL {}\n", failure);
  fmt::print("{} variants on targets, {} kernels, at most {} registers, {:.0f} s\n",
             cases.size(),
             tally.kernels,
             tally.mostRegisters,
             seconds.count());
  fmt::print("{} passed, {} failed\n",
             tally.kernels - static_cast<int>(tally.failures.size()),
             tally.failures.size());
  return tally.failures.empty() && tally.kernels > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

} // namespace
} // namespace mlac

int main(int argc, char** argv) {
  return mlac::run(argc > 1 && std::string_view(argv[1]) == "--every-target");
}
