// Merges on a fake driver: what is launched, and what never reaches the driver.
#include "FakeDriver.h"
#include "TestFamily.h"

namespace mlac::test {
namespace {

class MergeLaunchTest : public testing::Test {
protected:
  static Family load(const KernelFamily& made = mergingFamilyOf(logicalVariant())) {
    auto device = Device::current();
    EXPECT_TRUE(device) << device.error().message;
    auto family = loadFamily(made, *device, namedCubins());
    EXPECT_TRUE(family) << family.error().message;
    return *family;
  }

  FakeDriver driver;
  const MergeArgs args = goodMerge(logicalVariant());
};

TEST_F(MergeLaunchTest, AMergeIsOneKernelWithItsCtasForEachToken) {
  const Family family = load();
  auto* stream = at<void>(0x5000);
  const Status status = family.merge(args, stream);
  ASSERT_TRUE(status) << status.error().message;
  ASSERT_EQ(driver->launches.size(), 1U);
  const RecordedLaunch& launch = driver->launches[0];
  EXPECT_EQ(launch.entry, "glm5_decode_merge");
  EXPECT_EQ(launch.gridX, 8U * 4);
  EXPECT_EQ(launch.threads, 128U);
  EXPECT_EQ(launch.stream, static_cast<CUstream>(stream));
  EXPECT_FALSE(launch.startsEarly) << "the parts may come from anywhere";
  const Kernel& kernel = kernelFamilyOf(family).kernels[5];
  EXPECT_EQ(launch.at<std::int32_t>(offsetOf(kernel, "tokens")), 8);
  EXPECT_EQ(launch.at<std::int32_t>(offsetOf(kernel, "parts")), 4);
  EXPECT_EQ(launch.at<const void*>(offsetOf(kernel, "partOut")), args.partOut.data);
}

TEST_F(MergeLaunchTest, AMergeMakesNoCallThatCaptureForbids) {
  const Family family = load();
  driver->calls.clear();
  ASSERT_TRUE(family.merge(args, nullptr));
  const std::map<std::string, int> expected = {{"cuCtxGetCurrent", 1}, {"cuLaunchKernelEx", 1}};
  EXPECT_EQ(driver->calls, expected);
}

TEST_F(MergeLaunchTest, ZeroTokensAreMergedWithoutADriverCall) {
  const Family family = load();
  const auto before = driver->calls;
  EXPECT_TRUE(family.merge({}, nullptr));
  EXPECT_EQ(driver->calls, before);
}

TEST_F(MergeLaunchTest, ARefusedMergeNeverReachesTheDriver) {
  const Family family = load();
  const auto before = driver->calls;
  MergeArgs wrong = args;
  wrong.partLse.data = nullptr;
  expectError(family.merge(wrong, nullptr), ErrorCode::InvalidArgument, "'partLse' is null");
  EXPECT_EQ(driver->calls, before);
}

TEST_F(MergeLaunchTest, MoreTokensThanAGridTakesAreRefused) {
  const Family family = load();
  MergeArgs many = args;
  many.tokens = 1 << 29;
  many.parts = 1;
  many.partOut.data = at<void>(std::uintptr_t{1} << 44);
  many.out.data = at<void>(std::uintptr_t{1} << 45);
  many.partLse.data = at<void>(std::uintptr_t{1} << 46);
  many.lse.data = at<void>(std::uintptr_t{1} << 47);
  expectError(family.merge(many, nullptr),
              ErrorCode::InvalidArgument,
              "'tokens' is 536870912 with 4 thread blocks each; a grid takes 2147483647");
  EXPECT_TRUE(driver->launches.empty());
}

TEST_F(MergeLaunchTest, AFamilyWithoutTheKernelSaysSo) {
  const Family family = load(familyOf(logicalVariant()));
  EXPECT_FALSE(family.variant().hasMerge);
  expectError(family.merge(args, nullptr),
              ErrorCode::Unsupported,
              "'glm5_decode' was built without its merge kernel");
}

TEST_F(MergeLaunchTest, AnotherContextIsRefused) {
  const Family family = load();
  driver->contextIsCurrent = false;
  expectError(family.merge(args, nullptr), ErrorCode::InvalidArgument, "another CUDA context");
  EXPECT_TRUE(driver->launches.empty());
}

TEST_F(MergeLaunchTest, TheMergeKernelIsReportedByItsRole) {
  const Family family = load();
  EXPECT_TRUE(family.variant().hasMerge);
  const std::vector<KernelReport> reports = family.kernels();
  ASSERT_EQ(reports.size(), 6U);
  EXPECT_EQ(reports[5].role, "merge");
}

} // namespace
} // namespace mlac::test
