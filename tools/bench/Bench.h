// Bench: how long a family's launch takes over cold inputs.
#pragma once

#include "common/Result.h"
#include "mlac/mlac.hpp"
#include "tools/bench/InputSets.h"
#include "tools/gpu/RunOnGpu.h"
#include "verify/Outputs.h"

#include <cstdint>

namespace mlac {

struct BenchOptions {
  GpuRunOptions gpu;
  int iterations = 20; ///< timed graph launches
};

struct BenchResult {
  int inputSets = 0; ///< problems of other seeds, used in turn
  int launchesPerGraph = 0;
  double medianUs = 0; ///< of one launch, combine included
  double minUs = 0;
  double maxUs = 0;
  std::int64_t keyBytes = 0; ///< cache rows one launch reads, each counted once
  double predictedUs = 0;
  Plan plan;
  verify::Outputs outputs;   ///< of a plain launch of the first set, not compared with anything
  bool replaysAgree = false; ///< what the last replay left equals what a plain launch gives
};

/// Times launches over `sets`, of which there is at least one. The device's context, into which
/// `family` was loaded, must be current.
Result<BenchResult> benchmark(const Device& device,
                              const Family& family,
                              const InputSets& sets,
                              const BenchOptions& options);

} // namespace mlac
