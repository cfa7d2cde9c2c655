#include "compiler/schedule/Budget.h"

#include "compiler/schedule/PlanSchedules.h"
#include "tests/unit/schedule/ScheduleFixtures.h"

#include <gtest/gtest.h>

namespace mlac {
namespace {

std::string messageOf(const Status& status) {
  return status ? "accepted" : status.error().message;
}

Schedule fittingSchedule(const Target& on) {
  return planSchedules(sparseVariant(8), on, {})->back();
}

// flashinfer#2655: a bf16 tile that needed 104,192 bytes reached an sm_120 GPU, which allows
// 101,376, and failed at launch.
TEST(Budget, SharedMemoryOverTheLimitNamesBothNumbersAndTheRemedy) {
  Schedule schedule = fittingSchedule(target("sm_120"));
  schedule.stages = 6;
  const std::string message = messageOf(checkBudget(sparseVariant(8), schedule, target("sm_120")));
  EXPECT_NE(message.find("the limit is 101376"), std::string::npos) << message;
  EXPECT_NE(message.find("6 stages of 18688 bytes"), std::string::npos) << message;
  EXPECT_NE(message.find("at most 4 fit"), std::string::npos) << message;
  EXPECT_EQ(checkBudget(sparseVariant(8), schedule, target("sm_120")).error().code,
            ErrorCode::Unsupported);
  EXPECT_TRUE(checkBudget(sparseVariant(8), schedule, target("sm_90")));
}

TEST(Budget, TwoCtasOnAnSmShareItsMemory) {
  Schedule schedule = fittingSchedule(target("sm_120"));
  schedule.keySlices = 4;
  schedule.ctasPerSm = 2;
  const std::string message = messageOf(checkBudget(sparseVariant(8), schedule, target("sm_120")));
  EXPECT_NE(message.find("set ctas_per_sm=1"), std::string::npos) << message;
}

TEST(Budget, RegistersOverTheLimitAreRefusedBeforeTheySpill) {
  Variant variant = sparseVariant(8);
  variant.valueIsRecord = true; // 36 value tiles and 36 query steps do not fit a thread together
  Schedule schedule = fittingSchedule(target("sm_90"));
  schedule.dimSplits = 1;
  schedule.mergePasses = 4;
  const std::string message = messageOf(checkBudget(variant, schedule, target("sm_90")));
  EXPECT_NE(message.find("registers per thread"), std::string::npos) << message;
  EXPECT_NE(message.find("query_home=shared"), std::string::npos) << message;
}

TEST(Budget, BulkCopyNeedsSm90) {
  const Schedule schedule = fittingSchedule(target("sm_90"));
  const std::string message = messageOf(checkBudget(sparseVariant(8), schedule, target("sm_80")));
  EXPECT_NE(message.find("set gather=cp_async"), std::string::npos) << message;
}

TEST(Budget, TooManyThreadsNameTheKnobs) {
  Schedule schedule = fittingSchedule(target("sm_90"));
  schedule.headGroups = 8;
  const std::string message = messageOf(checkBudget(sparseVariant(64), schedule, target("sm_90")));
  EXPECT_NE(message.find("2048 threads per CTA"), std::string::npos) << message;
}

TEST(Budget, GroupsOfTokensThatPickTheirOwnKeysAreRefused) {
  Schedule schedule = fittingSchedule(target("sm_90"));
  schedule.queryGroup = 2;
  const std::string message = messageOf(checkBudget(sparseVariant(8), schedule, target("sm_90")));
  EXPECT_NE(message.find("query_group 2 needs tokens that walk the same keys"), std::string::npos)
      << message;
  EXPECT_NE(message.find("set query_group=1"), std::string::npos) << message;
}

TEST(Budget, GroupsLargerThanARequestNameItsTokens) {
  Variant variant = sparseVariant(8);
  variant.iterate = IterateKind::Dense;
  variant.topk = 0;
  variant.maxQueries = 3;
  Schedule schedule = fittingSchedule(target("sm_90"));
  schedule.queryGroup = 4;
  const std::string message = messageOf(checkBudget(variant, schedule, target("sm_90")));
  EXPECT_NE(message.find("query_group 4 is more than the 3 query tokens of a request"),
            std::string::npos)
      << message;
  EXPECT_NE(message.find("set query_group=3 or less"), std::string::npos) << message;
}

Schedule exchanging(int headGroups, int dimSplits, int keySlices) {
  Schedule schedule;
  schedule.shapeClass = "hand";
  schedule.headGroups = headGroups;
  schedule.dimSplits = dimSplits;
  schedule.keySlices = keySlices;
  return schedule;
}

// A CTA has 16 named barriers (PTX ISA, "bar"), and barrier 0 is __syncthreads.
TEST(Budget, MoreGroupsExchangeScoresThanThereAreBarriersNamesTheKnobs) {
  const Variant variant = sparseVariant(128);
  const Status status = checkBudget(variant, exchanging(4, 2, 4), target("sm_90"));
  const std::string message = messageOf(status);
  EXPECT_NE(message.find("16 groups of warps exchange scores"), std::string::npos) << message;
  EXPECT_NE(message.find("head_groups 4 x key_slices 4"), std::string::npos) << message;
  EXPECT_NE(message.find("has 15 barriers"), std::string::npos) << message;
  EXPECT_NE(message.find("set a smaller head_groups or key_slices"), std::string::npos) << message;
  EXPECT_EQ(status.error().code, ErrorCode::Unsupported);
}

TEST(Budget, FifteenGroupsMayExchangeScores) {
  const Variant variant = sparseVariant(128);
  for (const Schedule& most : {exchanging(5, 2, 3), exchanging(4, 1, 4)}) {
    const std::string message = messageOf(checkBudget(variant, most, target("sm_90")));
    EXPECT_EQ(message.find("exchange scores"), std::string::npos) << message;
  }
}

TEST(Budget, MergePassesMustDivideAWarpsFragments) {
  Schedule schedule = fittingSchedule(target("sm_90"));
  ASSERT_EQ(schedule.dimSplits, 2);
  schedule.mergePasses = 3;
  const auto message = [&] {
    return messageOf(checkBudget(sparseVariant(24), schedule, target("sm_90")));
  };
  EXPECT_NE(message().find("merge_passes 3 does not divide the 16 accumulator fragments"),
            std::string::npos)
      << message();
  EXPECT_NE(message().find("set a divisor of 16"), std::string::npos) << message();
  schedule.headTiles = 3; // 48 fragments
  EXPECT_EQ(message().find("merge_passes"), std::string::npos) << message();
}

TEST(Budget, EachHeadTileTakesRegistersOfItsOwn) {
  const Variant variant = sparseVariant(24);
  Schedule schedule = exchanging(1, 4, 2);
  const int one = estimateRegisters(variant, schedule);
  schedule.headTiles = 2;
  // 8 fragments of 4, 9 steps of 2 query registers, 4 scores, and the softmax state.
  EXPECT_EQ(estimateRegisters(variant, schedule) - one, 8 * 4 + 9 * 2 + 4 + 8);
}

TEST(Budget, DividedDimsDivideTheQueriesOfAWarp) {
  const Variant variant = sparseVariant(8); // 36 steps of QK, 32 of PV
  EXPECT_EQ(estimateRegisters(variant, exchanging(1, 1, 1)) -
                estimateRegisters(variant, exchanging(1, 4, 1)),
            (32 - 8) * 4 + (36 - 9) * 2);
}

TEST(Budget, DimSplitsWithoutDimsAreRefused) {
  Variant variant = sparseVariant(8);
  variant.latent = 32;
  Schedule schedule = fittingSchedule(target("sm_90"));
  schedule.keySlices = 1;
  schedule.mergePasses = 1;
  schedule.dimSplits = 4;
  const std::string message = messageOf(checkBudget(variant, schedule, target("sm_90")));
  EXPECT_NE(message.find("dim_splits=2"), std::string::npos) << message;
}

} // namespace
} // namespace mlac
