#include "compiler/schedule/SmemLayout.h"

#include <algorithm>
#include <numeric>

namespace mlac {
namespace {

constexpr int kBarrierBytes = 8;
constexpr int kWordBytes = 4;
constexpr int kStatsBytes = 8;      // max and sum of a row
constexpr int kFragmentBytes = 512; // 16 bytes a lane: 16 dims or keys by 8 heads in f32, or two
                                    // steps of 8 queries

int roundUp(int value, int multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

} // namespace

int ringStrideBytes(int rowBytes) {
  constexpr int kUnit = 16;
  const int units = (rowBytes + kUnit - 1) / kUnit;
  return (units | 1) * kUnit;
}

int fullBarriers(const Schedule& schedule) {
  return std::lcm(schedule.stages, schedule.keySlices);
}

int headCtas(const Variant& variant, const Schedule& schedule) {
  const int tiles = variant.headTiles() * schedule.queryGroup;
  const int ctaTiles = schedule.headGroups * schedule.headTiles;
  return (tiles + ctaTiles - 1) / ctaTiles;
}

int valueTilesPerWarp(const Variant& variant, const Schedule& schedule) {
  const int tiles = variant.valueDims() / 16;
  return (tiles + schedule.dimSplits - 1) / schedule.dimSplits;
}

int fragmentsPerWarp(const Variant& variant, const Schedule& schedule) {
  return schedule.headTiles * valueTilesPerWarp(variant, schedule);
}

int mergeBytes(const Variant& variant, const Schedule& schedule, int passes) {
  if (schedule.keySlices == 1)
    return 0;
  const int perRound = (fragmentsPerWarp(variant, schedule) + passes - 1) / passes;
  return schedule.warps() * perRound * kFragmentBytes;
}

SmemLayout layoutSmem(const Variant& variant, const Schedule& schedule, bool positions) {
  SmemLayout layout;
  layout.rowBytes = variant.recordBytes();
  layout.rowStrideBytes = ringStrideBytes(layout.rowBytes);
  layout.slotBytes = schedule.keysPerStage * layout.rowStrideBytes;
  layout.mergeBytes = mergeBytes(variant, schedule, schedule.mergePasses);

  int at = roundUp(std::max(schedule.stages * layout.slotBytes, layout.mergeBytes), 16);
  const auto take = [&at](int bytes) {
    const int start = at;
    at = roundUp(at + bytes, 16);
    return start;
  };
  layout.fullAt = take(fullBarriers(schedule) * kBarrierBytes);
  layout.emptyAt = take(schedule.stages * kBarrierBytes);
  layout.absentAt = take(schedule.stages * schedule.keysPerStage * kWordBytes);
  layout.positionsAt = take(positions ? schedule.stages * schedule.keysPerStage * kWordBytes : 0);
  layout.statsAt =
      take(schedule.keySlices > 1 ? schedule.keySlices * schedule.ctaHeads() * kStatsBytes : 0);
  layout.sharesAt =
      take(schedule.dimSplits > 1 ? 2 * schedule.warps() * schedule.headTiles * kFragmentBytes : 0);
  const int queryPairs = (variant.qkDims() / 16 + 1) / 2;
  layout.queriesAt =
      take(schedule.queryHome == QueryHome::Shared
               ? schedule.headGroups * schedule.headTiles * queryPairs * kFragmentBytes
               : 0);
  layout.totalBytes = at;
  return layout;
}

} // namespace mlac
