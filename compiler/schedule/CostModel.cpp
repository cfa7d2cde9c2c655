#include "compiler/schedule/CostModel.h"

#include "compiler/schedule/SmemLayout.h"

#include <algorithm>

namespace mlac {
namespace {

// Measured on an H200, see docs/performance.md: an SM that is full of warps spends about 5.5 clocks
// on a step (one ldmatrix and one mma); a warp on its own waits about 40 for it.
constexpr double kClocksPerStepFull = 5.5;
constexpr double kClocksPerStepAlone = 40.0;
// What one SM can gather, however idle the memory is.
constexpr double kGatherBytesPerClock = 26;
constexpr double kLaunchNs = 2000;
constexpr double kFirstGatherNs = 1500;
constexpr double kMergeBytesPerNs = 60;
constexpr double kCombineNs = 2500;
constexpr double kCombineDepthNs = 20;
constexpr int kMostSplits = 128;

} // namespace

PlanRow
costRow(const Variant& variant, const Schedule& schedule, const Target& target, int kernel) {
  const double qkSteps = variant.qkDims() / 16.0;
  const double pvSteps = variant.valueDims() / 16.0;
  const double stepsPerWarp = qkSteps + pvSteps / schedule.dimSplits;
  const double stepsPerCta = schedule.headGroups * (qkSteps * schedule.dimSplits + pvSteps);
  const double fullClocks = stepsPerCta * kClocksPerStepFull * schedule.ctasPerSm;
  const double aloneClocks = stepsPerWarp * kClocksPerStepAlone;
  const double mergedBytes =
      4.0 * variant.valueDims() * 8 * schedule.headGroups * (1 + schedule.keySlices);

  PlanRow row;
  row.kernel = kernel;
  row.ctasPerSm = schedule.ctasPerSm;
  row.fixedNs =
      kLaunchNs + kFirstGatherNs + aloneClocks / target.clockGhz + mergedBytes / kMergeBytesPerNs;
  row.tileBytes = static_cast<double>(schedule.keysPerStage) * variant.recordBytes();
  const double gatherClocks = row.tileBytes * schedule.ctasPerSm / kGatherBytesPerClock;
  row.tileNs =
      std::max({fullClocks, aloneClocks / schedule.keySlices, gatherClocks}) / target.clockGhz;
  row.combineFixedNs = kCombineNs;
  row.combineDepthNs = kCombineDepthNs;
  // Each partial row is written once and read once, through L2 for the most part.
  row.combineSplitNs = 2.0 * variant.heads * variant.valueDims() * 4 / target.dramBytesPerNs;
  row.maxSplits = kMostSplits;
  return row;
}

} // namespace mlac
