#include "compiler/schedule/SmemLayout.h"

#include "tests/unit/schedule/ScheduleFixtures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace mlac {
namespace {

TEST(SmemLayout, RowStrideIsAnOddMultipleOf16SoThatLdmatrixHasNoBankConflicts) {
  for (int latent = 16; latent <= 1024; latent += 16)
    for (int rope : {0, 16, 64}) {
      Variant variant = sparseVariant(8);
      variant.latent = latent;
      variant.rope = rope;
      const SmemLayout layout = layoutSmem(variant, Schedule{}, false);
      EXPECT_GE(layout.rowStrideBytes, layout.rowBytes);
      EXPECT_LE(layout.rowStrideBytes, layout.rowBytes + 16);
      EXPECT_EQ(layout.rowStrideBytes % 32, 16) << latent << " + " << rope;
    }
}

TEST(SmemLayout, RegionsDoNotOverlapAndEndAtTheTotal) {
  Schedule schedule;
  schedule.headGroups = 3;
  schedule.headTiles = 2;
  schedule.dimSplits = 4;
  schedule.keySlices = 2;
  schedule.stages = 5;
  schedule.queryHome = QueryHome::Shared;
  const Variant variant = sparseVariant(48);
  const SmemLayout layout = layoutSmem(variant, schedule, true);

  struct Region {
    int begin;
    int bytes;
  };

  const std::vector<Region> regions = {
      {0, std::max(5 * layout.slotBytes, layout.mergeBytes)},
      {layout.fullAt, 10 * 8},
      {layout.emptyAt, 5 * 8},
      {layout.absentAt, 5 * 16 * 4},
      {layout.positionsAt, 5 * 16 * 4},
      {layout.statsAt, 2 * 48 * 8},               // a slice and head
      {layout.sharesAt, 2 * 3 * 4 * 2 * 2 * 512}, // a warp, head tile and buffer
      {layout.queriesAt, 3 * 2 * 18 * 512},
  };
  for (std::size_t i = 0; i < regions.size(); ++i) {
    const int end = i + 1 < regions.size() ? regions[i + 1].begin : layout.totalBytes;
    EXPECT_LE(regions[i].begin + regions[i].bytes, end) << "region " << i;
    EXPECT_EQ(regions[i].begin % 16, 0) << "region " << i;
  }
}

TEST(SmemLayout, EachFullBarrierServesOneSlotAndOneSlice) {
  for (int stages = 1; stages <= 12; ++stages)
    for (int slices = 1; slices <= 8; ++slices) {
      Schedule schedule;
      schedule.stages = stages;
      schedule.keySlices = slices;
      const int barriers = fullBarriers(schedule);
      for (int tile = 0; tile < barriers; ++tile) {
        EXPECT_EQ((tile + barriers) % stages, tile % stages);
        EXPECT_EQ((tile + barriers) % slices, tile % slices);
      }
    }
}

TEST(SmemLayout, SharesHaveRoomExactlyWhereDimsAreDivided) {
  const Variant variant = sparseVariant(8);
  Schedule schedule;
  schedule.queryHome = QueryHome::Shared;
  const SmemLayout whole = layoutSmem(variant, schedule, false);
  EXPECT_EQ(whole.queriesAt, whole.sharesAt);
  schedule.dimSplits = 2;
  const SmemLayout divided = layoutSmem(variant, schedule, false);
  EXPECT_EQ(divided.queriesAt - divided.sharesAt, 2 * 2 * 512);
  schedule.headTiles = 3;
  const SmemLayout wider = layoutSmem(variant, schedule, false);
  EXPECT_EQ(wider.queriesAt - wider.sharesAt, 2 * 2 * 3 * 512);
}

TEST(SmemLayout, OneSliceKeepsNothingForAMerge) {
  const Variant variant = sparseVariant(8);
  Schedule schedule;
  schedule.stages = 1;
  schedule.dimSplits = 8;
  const SmemLayout layout = layoutSmem(variant, schedule, false);
  EXPECT_EQ(layout.mergeBytes, 0);
  EXPECT_EQ(layout.fullAt, layout.slotBytes) << "the ring is not widened";
  EXPECT_EQ(layout.sharesAt, layout.statsAt) << "no slice leaves its state to another";
}

TEST(SmemLayout, MorePassesNeedLessMemoryForTheMerge) {
  const Variant variant = sparseVariant(8);
  Schedule schedule;
  schedule.keySlices = 8;
  EXPECT_EQ(mergeBytes(variant, schedule, 1), 8 * 32 * 512);
  EXPECT_EQ(mergeBytes(variant, schedule, 4), 8 * 8 * 512);
  schedule.keySlices = 2;
  schedule.dimSplits = 4;
  schedule.headTiles = 2;
  EXPECT_EQ(fragmentsPerWarp(variant, schedule), 2 * 8);
  EXPECT_EQ(mergeBytes(variant, schedule, 2), 8 * 8 * 512);
}

TEST(SmemLayout, WarpsThatShareDimsUnevenlyEachHaveRoomForTheLargestShare) {
  Variant variant = sparseVariant(8);
  variant.latent = 80;
  Schedule schedule;
  schedule.dimSplits = 4;
  schedule.keySlices = 2;
  EXPECT_EQ(fragmentsPerWarp(variant, schedule), 2) << "of five tiles";
  EXPECT_EQ(mergeBytes(variant, schedule, 1), 8 * 2 * 512);
}

TEST(SmemLayout, HeadsOfATokenDivideAmongCtas) {
  Schedule schedule;
  schedule.headGroups = 2;
  schedule.headTiles = 2;
  EXPECT_EQ(headCtas(sparseVariant(1), schedule), 1);
  EXPECT_EQ(headCtas(sparseVariant(32), schedule), 1);
  EXPECT_EQ(headCtas(sparseVariant(33), schedule), 2);
  EXPECT_EQ(headCtas(sparseVariant(128), schedule), 4);
}

} // namespace
} // namespace mlac
