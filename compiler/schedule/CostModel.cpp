#include "compiler/schedule/CostModel.h"

#include "compiler/schedule/SmemLayout.h"

#include <algorithm>

namespace mlac {
namespace {

// Fitted to 49 launches of the planner's own schedules on an H200 (docs/performance.md): half of
// them are met within 3 %, four fifths within 6 %, the worst is 12 % off; where several schedules
// or split counts were timed for one size, what the model prefers is within 3 % of the fastest.
//
// A warp that has its SM to itself spends this on a tile: waits, exchange, softmax; and on each
// step, an ldmatrix and a product for each tile of heads. A tile without an exchange is shorter.
constexpr double kClocksPerTileAlone = 1002;
constexpr double kTileShareWithoutExchange = 0.6;
constexpr double kClocksPerStepAlone = 15;
constexpr double kClocksPerMoreHeadTileAlone = 2;
// What an SM that is full of warps spends on a step.
constexpr double kClocksPerStepFull = 4.7;
constexpr double kClocksPerMoreHeadTileFull = 4.1;
// A warp whose tokens share keys asks for each tile whether all of them see it.
constexpr double kClocksPerSight = 47;
constexpr double kLaunchAndFirstGatherNs = 1000;
// Each further CTA that reads a token's rows starts beside the first, and costs that much.
constexpr double kMoreReadersNs = 435;
constexpr double kMergeBytesPerNs = 33.7;
constexpr double kCombineNs = 2150;
// A partial row is written once and read once, mostly through L2; this is the share of the memory's
// time that it takes.
constexpr double kPartialRowPasses = 2.02;
// Rows that another CTA of the token reads too come from L2 for the second; what that costs.
constexpr double kReadAgainShare = 0.78;
// What a combining CTA has under way at a time; a second round costs more than it saves.
constexpr int kMostSplits = 64;

/// Clocks a warp that has its SM to itself needs for one tile.
double aloneClocks(const Variant& variant, const Schedule& schedule) {
  const double steps = (variant.qkDims() + variant.valueDims()) / 16.0 / schedule.dimSplits;
  const double exchange = schedule.dimSplits > 1 ? 1 : kTileShareWithoutExchange;
  return kClocksPerTileAlone * exchange +
         steps * (kClocksPerStepAlone + kClocksPerMoreHeadTileAlone * (schedule.headTiles - 1));
}

/// Clocks an SM needs for one tile of each of its CTAs when it has warps enough.
double fullClocks(const Variant& variant, const Schedule& schedule) {
  const double steps = (variant.qkDims() + variant.valueDims()) / 16.0;
  const double products =
      steps * (kClocksPerStepFull + kClocksPerMoreHeadTileFull * (schedule.headTiles - 1));
  const double sight = schedule.queryGroup > 1 ? kClocksPerSight : 0;
  return schedule.ctasPerSm * schedule.headGroups * (products + sight);
}

/// Bytes a CTA moves at its end: to and from the merge, and out.
double mergedBytes(const Variant& variant, const Schedule& schedule) {
  const int passes = schedule.keySlices > 1 ? 1 + schedule.keySlices : 1;
  return 4.0 * variant.valueDims() * schedule.ctaHeads() * passes;
}

} // namespace

PlanRow
costRow(const Variant& variant, const Schedule& schedule, const Target& target, int kernel) {
  const double alone = aloneClocks(variant, schedule);
  const int readers = headCtas(variant, schedule);
  const double gathered = static_cast<double>(schedule.keysPerStage) * variant.recordBytes();

  PlanRow row;
  row.kernel = kernel;
  row.ctasPerSm = schedule.ctasPerSm;
  row.fixedNs = kLaunchAndFirstGatherNs + kMoreReadersNs * (readers - 1) + alone / target.clockGhz +
                mergedBytes(variant, schedule) / kMergeBytesPerNs;
  row.tileBytes = gathered * (1 + (readers - 1) * kReadAgainShare) / readers;
  row.tileNs =
      std::max(fullClocks(variant, schedule), alone / schedule.keySlices) / target.clockGhz;
  row.combineFixedNs = kCombineNs;
  row.combineSplitNs =
      kPartialRowPasses * variant.headTiles() * 8 * variant.valueDims() * 4 / target.dramBytesPerNs;
  row.maxSplits = kMostSplits;
  return row;
}

} // namespace mlac
