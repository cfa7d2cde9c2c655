#include "compiler/schedule/PlanSchedules.h"

#include "compiler/schedule/Budget.h"
#include "compiler/schedule/CostModel.h"
#include "compiler/schedule/SmemLayout.h"
#include "tests/unit/schedule/ScheduleFixtures.h"

#include <gtest/gtest.h>

namespace mlac {
namespace {

// vllm#53748: configurations that fit one GPU needed 102,400 bytes on sm_120. Every one is held to
// the limit here.
TEST(PlanSchedules, EveryHeadCountFitsEveryTarget) {
  for (const Target& on : allTargets())
    for (int heads = 1; heads <= 128; ++heads)
      for (int rope : {0, 64}) {
        Variant variant = sparseVariant(heads);
        variant.rope = rope;
        const auto schedules = planSchedules(variant, on, {});
        ASSERT_TRUE(schedules) << schedules.error().message;
        for (const Schedule& schedule : *schedules) {
          EXPECT_LE(layoutSmem(variant, schedule, false).totalBytes, on.smemPerCtaBytes);
          EXPECT_TRUE(checkBudget(variant, schedule, on)) << on.name << " heads " << heads;
          EXPECT_GE(schedule.stages, 2) << on.name << " heads " << heads;
        }
      }
}

TEST(PlanSchedules, OddDimensionsGetASchedule) {
  for (int latent : {16, 48, 128, 448, 496, 576, 640, 768, 1024})
    for (bool record : {false, true}) {
      Variant variant = sparseVariant(16);
      variant.latent = latent;
      variant.valueIsRecord = record;
      const auto schedules = planSchedules(variant, target("sm_120"), {});
      EXPECT_TRUE(schedules) << latent << ": " << schedules.error().message;
    }
}

TEST(PlanSchedules, OneHeadGroupHasThreeClassesInTheOrderOfTokens) {
  const auto schedules = planSchedules(sparseVariant(8), target("sm_90"), {});
  ASSERT_TRUE(schedules);
  ASSERT_EQ(schedules->size(), 3U);
  EXPECT_EQ(schedules->front().shapeClass, "few");
  EXPECT_EQ(schedules->front().dimSplits, 2);
  EXPECT_EQ(schedules->front().ctasPerSm, 2);
  EXPECT_EQ((*schedules)[1].shapeClass, "some");
  EXPECT_EQ((*schedules)[1].keySlices, 4);
  EXPECT_EQ(schedules->back().shapeClass, "many");
  EXPECT_EQ(schedules->back().keySlices, 8);
}

TEST(PlanSchedules, SeveralHeadGroupsNeedNoMiddleClass) {
  for (const int heads : {9, 16, 64, 128}) {
    const auto schedules = planSchedules(sparseVariant(heads), target("sm_90"), {});
    ASSERT_TRUE(schedules);
    EXPECT_EQ(schedules->size(), 2U) << heads;
    EXPECT_EQ(schedules->front().headGroups, heads <= 16 ? 1 : 2) << heads;
  }
}

TEST(PlanSchedules, AnOverrideRefitsWhatItDidNotSet) {
  const auto schedules =
      planSchedules(sparseVariant(8), target("sm_120"), {*parseOverride("many.query_home=shared")});
  ASSERT_TRUE(schedules) << schedules.error().message;
  EXPECT_EQ(schedules->back().queryHome, QueryHome::Shared);
  EXPECT_EQ(schedules->back().stages, 4);
}

TEST(PlanSchedules, AnImpossibleOverrideIsAnErrorNotASilentRepair) {
  const auto schedules =
      planSchedules(sparseVariant(8), target("sm_120"), {*parseOverride("many.stages=6")});
  ASSERT_FALSE(schedules);
  EXPECT_NE(schedules.error().message.find("101376"), std::string::npos);
}

TEST(PlanSchedules, WhatCannotFitSaysHowMuchItWouldNeed) {
  Variant variant = sparseVariant(8);
  variant.latent = 4096;
  const auto schedules = planSchedules(variant, target("sm_120"), {});
  ASSERT_FALSE(schedules);
  EXPECT_NE(schedules.error().message.find("latent 4096"), std::string::npos);
  EXPECT_NE(schedules.error().message.find("limit 101376"), std::string::npos);
}

TEST(PlanSchedules, MixedElementTypesAreRefusedWithTheRemedy) {
  Variant variant = sparseVariant(8);
  variant.query = ElementType::F16;
  const auto schedules = planSchedules(variant, target("sm_90"), {});
  ASSERT_FALSE(schedules);
  EXPECT_NE(schedules.error().message.find("write `q bf16`"), std::string::npos);
}

TEST(CostModel, MoreHeadsCostMoreAndFasterMemoryDoesNotChangeTheBytes) {
  const auto rowFor = [](int heads, const char* name) {
    const Variant variant = sparseVariant(heads);
    return costRow(variant, planSchedules(variant, target(name), {})->back(), target(name), 0);
  };
  EXPECT_GT(rowFor(64, "sm_90").tileNs, rowFor(8, "sm_90").tileNs);
  EXPECT_EQ(rowFor(8, "sm_90").tileBytes, 16 * 1152);
  EXPECT_EQ(rowFor(8, "sm_120").tileBytes, 16 * 1152);
}

} // namespace
} // namespace mlac
