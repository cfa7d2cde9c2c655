// Schedules and balanced launches on a fake driver: which kernels, in which order, on which grids.
#include "FakeDriver.h"
#include "TestFamily.h"
#include "runtime/plan/Planner.h"

namespace mlac::test {
namespace {

class ScheduleLaunchTest : public testing::Test {
protected:
  static Family load() {
    auto device = Device::current();
    EXPECT_TRUE(device) << device.error().message;
    auto family = loadFamily(balancedFamilyOf(denseVariant()), *device, namedCubins());
    EXPECT_TRUE(family) << family.error().message;
    return *family;
  }

  static Plan planOf(const Family& family, bool balance = true) {
    auto plan = family.plan(
        {.tokens = 8, .requests = 4, .maxSeqLen = 4096, .kernel = 0, .balance = balance});
    EXPECT_TRUE(plan) << plan.error().message;
    return *plan;
  }

  LaunchArgs launchArgs() const {
    LaunchArgs args = goodArgs(denseVariant());
    args.schedule = scheduleArgs.schedule.data;
    return args;
  }

  std::vector<std::string> entries() {
    std::vector<std::string> names;
    for (const RecordedLaunch& launch : driver->launches)
      names.push_back(launch.entry.substr(std::string("glm5_decode_").size()));
    return names;
  }

  const ScheduleArgs scheduleArgs = goodSchedule(denseVariant());
  FakeDriver driver;
};

using Names = std::vector<std::string>;

TEST_F(ScheduleLaunchTest, AScheduleIsMadeByOneCta) {
  const Family family = load();
  const Plan plan = planOf(family);
  auto* stream = at<void>(0x5000);
  const Status status = family.schedule(plan, scheduleArgs, stream);
  ASSERT_TRUE(status) << status.error().message;
  ASSERT_EQ(entries(), Names{"schedule"});
  const RecordedLaunch& launch = driver->launches[0];
  EXPECT_EQ(launch.gridX, 1U);
  EXPECT_EQ(launch.threads, 128U);
  EXPECT_EQ(launch.stream, static_cast<CUstream>(stream));
  const Kernel& kernel = kernelFamilyOf(family).kernels[4];
  EXPECT_EQ(launch.at<const void*>(offsetOf(kernel, "schedule")), scheduleArgs.schedule.data);
  EXPECT_EQ(launch.at<const void*>(offsetOf(kernel, "seqLens")), scheduleArgs.seqLens);
  EXPECT_EQ(launch.at<const void*>(offsetOf(kernel, "topkLength")), nullptr);
  EXPECT_EQ(launch.at<std::int32_t>(offsetOf(kernel, "tokens")), 8);
  EXPECT_EQ(launch.at<std::int32_t>(offsetOf(kernel, "requests")), 4);
  EXPECT_EQ(launch.at<std::int32_t>(offsetOf(kernel, "parts")), 132);
  EXPECT_EQ(launch.at<std::int32_t>(offsetOf(kernel, "pieceTiles")), 13);
}

TEST_F(ScheduleLaunchTest, ABalancedLaunchHasAPlaceForEveryPieceThenCombines) {
  const Family family = load();
  const Status status = family.launch(planOf(family), launchArgs(), nullptr);
  ASSERT_TRUE(status) << status.error().message;
  ASSERT_EQ(entries(), (Names{"few", "combine"}));
  EXPECT_EQ(driver->launches[0].gridX, (8U + 132) * 2);
  EXPECT_EQ(driver->launches[1].gridX, 8U * 32) << "a CTA for each of few tiles";
  for (const int kernel : {0, 2}) {
    const RecordedLaunch& launch = driver->launches[kernel / 2];
    const Kernel& made = kernelFamilyOf(family).kernels[kernel];
    EXPECT_EQ(launch.at<const void*>(offsetOf(made, "schedule")), scheduleArgs.schedule.data);
    EXPECT_EQ(launch.at<std::int32_t>(offsetOf(made, "splits")), 1);
  }
}

TEST_F(ScheduleLaunchTest, FewerTokensThanPlannedShrinkTheGridByTheirOwnPieces) {
  const Family family = load();
  LaunchArgs args = launchArgs();
  args.tokens = 4;
  ASSERT_TRUE(family.launch(planOf(family), args, nullptr));
  EXPECT_EQ(driver->launches[0].gridX, (4U + 132) * 2);
  EXPECT_EQ(driver->launches[1].gridX, 4U * 32);
}

TEST_F(ScheduleLaunchTest, ABatchInOnePartIsCombinedToo) {
  const Family family = load();
  Plan plan = planOf(family);
  plan.parts = 1;
  LaunchArgs args = launchArgs();
  args.workspace = {};
  const Status status = family.launch(plan, args, nullptr);
  ASSERT_TRUE(status) << status.error().message;
  EXPECT_EQ(entries(), (Names{"few", "combine"}));
  EXPECT_EQ(driver->launches[0].gridX, (8U + 1) * 2);
}

TEST_F(ScheduleLaunchTest, OneScheduleServesEveryLayer) {
  const Family family = load();
  const Plan plan = planOf(family);
  ASSERT_TRUE(family.schedule(plan, scheduleArgs, nullptr));
  ASSERT_TRUE(family.launch(plan, launchArgs(), nullptr));
  ASSERT_TRUE(family.launch(plan, launchArgs(), nullptr));
  EXPECT_EQ(entries(), (Names{"schedule", "few", "combine", "few", "combine"}));
}

TEST_F(ScheduleLaunchTest, AnUnbalancedPlanTakesNoSchedule) {
  const Family family = load();
  const Plan plan = planOf(family, false);
  const auto before = driver->calls;
  expectError(family.schedule(plan, scheduleArgs, nullptr),
              ErrorCode::InvalidArgument,
              "'plan' does not balance, so it takes no schedule; plan with PlanShape::balance");
  expectError(family.launch(plan, launchArgs(), nullptr),
              ErrorCode::InvalidArgument,
              "'schedule' was given, but the plan does not balance");
  EXPECT_EQ(driver->calls, before);
}

TEST_F(ScheduleLaunchTest, ARefusedScheduleNeverReachesTheDriver) {
  const Family family = load();
  const Plan plan = planOf(family);
  const auto before = driver->calls;
  ScheduleArgs args = scheduleArgs;
  args.seqLens = nullptr;
  expectError(family.schedule(plan, args, nullptr), ErrorCode::InvalidArgument, "'seqLens'");
  args = scheduleArgs;
  args.tokens = 9;
  expectError(family.schedule(plan, args, nullptr), ErrorCode::InvalidArgument, "'tokens' is 9");
  EXPECT_EQ(driver->calls, before);
}

TEST_F(ScheduleLaunchTest, ZeroTokensAreScheduledWithoutADriverCall) {
  const Family family = load();
  const Plan plan = planOf(family);
  const auto none = family.plan({.tokens = 0, .balance = true});
  ASSERT_TRUE(none) << none.error().message;
  const auto before = driver->calls;
  ScheduleArgs args;
  EXPECT_TRUE(family.schedule(*none, args, nullptr));
  args.tokens = 0;
  EXPECT_TRUE(family.schedule(plan, args, nullptr));
  EXPECT_TRUE(family.launch(*none, {}, nullptr));
  EXPECT_EQ(driver->calls, before);
}

TEST_F(ScheduleLaunchTest, AScheduleMakesNoCallThatCaptureForbids) {
  const Family family = load();
  const Plan plan = planOf(family);
  driver->calls.clear();
  ASSERT_TRUE(family.schedule(plan, scheduleArgs, nullptr));
  const std::map<std::string, int> expected = {{"cuCtxGetCurrent", 1}, {"cuLaunchKernelEx", 1}};
  EXPECT_EQ(driver->calls, expected);
}

TEST_F(ScheduleLaunchTest, AnotherFamilysPlanIsNotScheduled) {
  const Family mine = load();
  const Family other = load();
  expectError(mine.schedule(planOf(other), scheduleArgs, nullptr),
              ErrorCode::InvalidArgument,
              "not made by this family");
  Plan changed = planOf(mine);
  changed.parts = -1;
  expectError(mine.schedule(changed, scheduleArgs, nullptr),
              ErrorCode::InvalidArgument,
              "not made by this family");
  EXPECT_TRUE(driver->launches.empty());
}

TEST_F(ScheduleLaunchTest, AnotherContextIsRefusedAndADriverErrorPassedOn) {
  const Family family = load();
  const Plan plan = planOf(family);
  driver->contextIsCurrent = false;
  expectError(family.schedule(plan, scheduleArgs, nullptr),
              ErrorCode::InvalidArgument,
              "another CUDA context");
  EXPECT_TRUE(driver->launches.empty());
  driver->contextIsCurrent = true;
  driver->launchResult = 719;
  expectError(
      family.schedule(plan, scheduleArgs, nullptr), ErrorCode::DriverFailed, "cuLaunchKernelEx");
}

TEST_F(ScheduleLaunchTest, TheScheduleKernelIsReportedByItsRole) {
  const std::vector<KernelReport> reports = load().kernels();
  ASSERT_EQ(reports.size(), 5U);
  EXPECT_EQ(reports[4].role, "schedule");
  EXPECT_EQ(reports[4].entry, "glm5_decode_schedule");
}

} // namespace
} // namespace mlac::test
