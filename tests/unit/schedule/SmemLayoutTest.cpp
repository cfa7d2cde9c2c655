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
  schedule.keySlices = 2;
  schedule.stages = 5;
  schedule.queryHome = QueryHome::Shared;
  const Variant variant = sparseVariant(24);
  const SmemLayout layout = layoutSmem(variant, schedule, true);

  struct Region {
    int begin;
    int bytes;
  };

  const std::vector<Region> regions = {
      {0, std::max(5 * layout.slotBytes, layout.mergeBytes)},
      {layout.fullAt, 10 * 8},
      {layout.emptyAt, 5 * 8},
      {layout.invalidAt, 5 * 4},
      {layout.positionsAt, 5 * 16 * 4},
      {layout.statsAt, 2 * 3 * 8 * 8},
      {layout.queriesAt, 3 * 18 * 512},
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

TEST(SmemLayout, MorePassesNeedLessMemoryForTheMerge) {
  const Variant variant = sparseVariant(8);
  Schedule schedule;
  schedule.keySlices = 8;
  EXPECT_EQ(mergeBytes(variant, schedule, 1), 8 * 8 * (512 + 4) * 4);
  EXPECT_EQ(mergeBytes(variant, schedule, 4), 8 * 8 * (128 + 4) * 4);
}

} // namespace
} // namespace mlac
