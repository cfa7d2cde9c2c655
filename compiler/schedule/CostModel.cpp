#include "compiler/schedule/CostModel.h"

#include "compiler/schedule/SmemLayout.h"

#include <algorithm>

namespace mlac {
namespace {

// Fitted to launches on an H200 (docs/performance.md): half of them are met within 5 %, four fifths
// within 10 %. An SM that is full of warps spends about 6 clocks on a step (one ldmatrix and
// one mma); a warp on its own waits about 40 for it.
constexpr double kClocksPerStepFull = 5.7;
constexpr double kClocksPerStepAlone = 40;
// What one SM can gather, however idle the memory is.
constexpr double kGatherBytesPerClock = 31.2;
constexpr double kLaunchAndFirstGatherNs = 1450;
constexpr double kMergeBytesPerNs = 69;
constexpr double kCombineNs = 4050;
// A partial row is written once and read once, mostly through L2; this is the share of the memory's
// time that it takes.
constexpr double kPartialRowPasses = 2.85;
// The combine has 32 rows of a token under way at a time; a third round costs more than it saves.
constexpr int kMostSplits = 64;

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
      kLaunchAndFirstGatherNs + aloneClocks / target.clockGhz + mergedBytes / kMergeBytesPerNs;
  row.tileBytes = static_cast<double>(schedule.keysPerStage) * variant.recordBytes();
  const double gatherClocks = row.tileBytes * schedule.ctasPerSm / kGatherBytesPerClock;
  row.tileNs =
      std::max({fullClocks, aloneClocks / schedule.keySlices, gatherClocks}) / target.clockGhz;
  row.combineFixedNs = kCombineNs;
  row.combineSplitNs =
      kPartialRowPasses * variant.heads * variant.valueDims() * 4 / target.dramBytesPerNs;
  row.maxSplits = kMostSplits;
  return row;
}

} // namespace mlac
