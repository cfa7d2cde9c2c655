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
  EXPECT_NE(message.find("at most 5 fit"), std::string::npos) << message;
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
  schedule.mergePasses = 2;
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

TEST(Budget, MergePassesMustDivideAWarpsDims) {
  Schedule schedule = fittingSchedule(target("sm_90"));
  schedule.mergePasses = 3;
  const std::string message = messageOf(checkBudget(sparseVariant(8), schedule, target("sm_90")));
  EXPECT_NE(message.find("set a divisor of 32"), std::string::npos) << message;
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
