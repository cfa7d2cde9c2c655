// Bench: how long a launch takes, from CUDA events around a graph of many launches over cold
// inputs.
#pragma once

#include "common/Result.h"
#include "mlac/mlac.hpp"
#include "tools/gpu/RunOnGpu.h"
#include "verify/Problem.h"

#include <cstdint>
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

/// Draws problems like `options` with following seeds, and times. The device's context must be
/// current.
Result<BenchResult> benchmark(const Device& device,
                              const Family& family,
                              const verify::ProblemOptions& problem,
                              const BenchOptions& options);

} // namespace mlac
