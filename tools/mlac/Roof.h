// Roof: what a GPU's memory and tensor cores allow at best, beside what the planner expects of it.
#pragma once

#include "common/Gpus.h"
#include "common/Result.h"
#include "compiler/Compiler.h"
#include "tools/mlac/TokenCost.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace mlac {

/// One batch: every request has one query token, and no two share a cache row.
struct RoofPoint {
  std::int64_t batch = 0;
  double memoryNs = 0; ///< bytes that must move, at the attained bandwidth
  double tensorNs = 0; ///< FLOPs the variant asks for, at the tensor cores' peak
  double predictedNs = 0;
  std::string kernel; ///< the planner's choice
  int splits = 1;
  std::int64_t gridCtas = 0;

  /// No launch can take less.
  double roofNs() const { return memoryNs > tensorNs ? memoryNs : tensorNs; }

  /// How many times as long as the roof allows a launch is expected to take.
  double overRoof() const { return predictedNs / roofNs(); }
};

/// A GPU and the batches predicted for it.
struct GpuRoof {
  const Gpu* gpu = nullptr;
  std::vector<RoofPoint> points;
};

/// Generates the family anew for each GPU's own target and asks the planner, with that GPU's SMs,
/// bandwidth and tensor rate in the place of the target's. `cost` is of one token over `context`
/// keys. The compiler's errors where the overrides do not fit a GPU's target.
Result<std::vector<GpuRoof>> roofsOf(const CompileRequest& request,
                                     const TokenCost& cost,
                                     std::int64_t context,
                                     std::span<const Gpu* const> gpus);

/// What a prediction for the GPU is worth: where its constants come from.
const char* trustIn(const Gpu& gpu);

/// Tables for people; ends in a newline, empty without GPUs.
std::string roofText(std::span<const GpuRoof> roofs, std::int64_t context);

} // namespace mlac
