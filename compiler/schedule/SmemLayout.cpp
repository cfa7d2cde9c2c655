#include "compiler/schedule/SmemLayout.h"

#include <algorithm>
#include <numeric>

namespace mlac {
namespace {

constexpr int kHeadsPerGroup = 8;
constexpr int kBarrierBytes = 8;
constexpr int kWordBytes = 4;
constexpr int kStatsBytes = 8;          // max and sum of a row
constexpr int kQueryBytesPerPair = 512; // two steps of one head group: 16 bytes a lane

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

int valueTilesPerWarp(const Variant& variant, const Schedule& schedule) {
  const int tiles = variant.valueDims() / 16;
  return (tiles + schedule.dimSplits - 1) / schedule.dimSplits;
}

int mergeBytes(const Variant& variant, const Schedule& schedule, int passes) {
  const int tilesPerRound = (valueTilesPerWarp(variant, schedule) + passes - 1) / passes;
  const int rowFloats = schedule.dimSplits * tilesPerRound * 16 + 4;
  return schedule.keySlices * schedule.headGroups * kHeadsPerGroup * rowFloats * kWordBytes;
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
  layout.invalidAt = take(schedule.stages * kWordBytes);
  layout.positionsAt = take(positions ? schedule.stages * schedule.keysPerStage * kWordBytes : 0);
  layout.statsAt = take(schedule.keySlices * schedule.headGroups * kHeadsPerGroup * kStatsBytes);
  const int queryPairs = (variant.qkDims() / 16 + 1) / 2;
  layout.queriesAt = take(schedule.queryHome == QueryHome::Shared
                              ? schedule.headGroups * queryPairs * kQueryBytesPerPair
                              : 0);
  layout.totalBytes = at;
  return layout;
}

} // namespace mlac
