// The C interface on a fake driver: the same launches, codes instead of results, structs that may
// grow.
#include "CApiCalls.h"
#include "FakeDriver.h"
#include "TestFamily.h"
#include "runtime/bundle/Bundle.h"

#include <array>
#include <cstring>
#include <thread>
#include <vector>

namespace mlac::test {
namespace {

mlac_launch_args goodCArgs() {
  const LaunchArgs args = goodArgs(logicalVariant());
  mlac_launch_args c{};
  c.struct_bytes = sizeof c;
  c.q.data = args.q.data;
  c.cache = args.cache.base;
  c.slots = args.cache.slots;
  c.block_table = {args.blockTable.data, args.blockTable.columns, 0};
  c.seq_lens = args.seqLens;
  c.indices.data = args.indices.data;
  c.out.data = args.out.data;
  c.lse.data = args.lse.data;
  c.workspace = args.workspace.data;
  c.workspace_bytes = args.workspace.bytes;
  return c;
}

mlac_schedule_args goodCSchedule() {
  const ScheduleArgs args = goodSchedule(logicalVariant());
  mlac_schedule_args c{};
  c.struct_bytes = sizeof c;
  c.topk_length = args.topkLength;
  c.schedule = args.schedule.data;
  c.schedule_bytes = args.schedule.bytes;
  return c;
}

mlac_part_tensor partsOf(const PartTensor& tensor) {
  return {tensor.data, tensor.partStride, tensor.tokenStride, tensor.headStride};
}

mlac_merge_args goodCMerge() {
  const MergeArgs args = goodMerge(logicalVariant());
  mlac_merge_args c{};
  c.struct_bytes = sizeof c;
  c.tokens = args.tokens;
  c.parts = args.parts;
  c.part_out = partsOf(args.partOut);
  c.part_lse = partsOf(args.partLse);
  c.out.data = args.out.data;
  c.lse.data = args.lse.data;
  return c;
}

class CApiTest : public testing::Test {
protected:
  static void writeFamily(const std::string& to, const Variant& variant) {
    BundledFamily bundled;
    bundled.family = mergingFamilyOf(variant);
    for (const Kernel& kernel : bundled.family.kernels)
      bundled.cubins[kernel.entry].cubin = kernel.entry;
    const Status written = writeBundle(to, std::vector<BundledFamily>{bundled});
    ASSERT_TRUE(written) << written.error().message;
  }

  void SetUp() override {
    writeFamily(path, logicalVariant());
    ASSERT_EQ(mlac_bundle_open(path.c_str(), &bundle), MLAC_OK) << mlac_last_error();
    ASSERT_EQ(mlac_family_load(bundle, "glm5_decode", &family), MLAC_OK) << mlac_last_error();
    ASSERT_EQ(mlac_plan_create(family, 8, 4, 4096, &plan), MLAC_OK) << mlac_last_error();
  }

  void TearDown() override {
    mlac_plan_free(plan);
    mlac_family_free(family);
    mlac_bundle_close(bundle);
  }

  FakeDriver driver;
  TemporaryFolder folder;
  std::string path = folder / "bundle";
  mlac_bundle* bundle = nullptr;
  mlac_family* family = nullptr;
  mlac_plan* plan = nullptr;
};

TEST_F(CApiTest, CLaunchesWhatCppLaunches) {
  CCall call{};
  call.tokens = 1;
  call.requests = 1;
  call.args = goodCArgs();
  call.stream = at<void>(0x5000);
  ASSERT_EQ(launchFromC(path.c_str(), &call), MLAC_OK) << call.error;
  EXPECT_GT(call.workspaceBytes, 0U);
  ASSERT_EQ(driver->launches.size(), 2U);
  EXPECT_EQ(driver->launches[0].stream, static_cast<CUstream>(call.stream));
  const KernelFamily expected = familyOf(logicalVariant());
  EXPECT_EQ(driver->launches[0].at<const void*>(offsetOf(expected.kernels[0], "indices")),
            call.args.indices.data);
}

TEST_F(CApiTest, ARefusedLaunchGivesCodeAndWords) {
  mlac_launch_args args = goodCArgs();
  args.out.data = nullptr;
  EXPECT_EQ(mlac_launch(plan, &args, nullptr), MLAC_INVALID_ARGUMENT);
  EXPECT_NE(std::string(mlac_last_error()).find("'out' is null"), std::string::npos);
  EXPECT_STREQ(mlac_error_name(MLAC_INVALID_ARGUMENT), "invalid-argument");
  args = goodCArgs();
  EXPECT_EQ(mlac_launch(plan, &args, nullptr), MLAC_OK);
  EXPECT_STREQ(mlac_last_error(), "");
}

TEST_F(CApiTest, ErrorsBelongToTheirThread) {
  EXPECT_EQ(mlac_launch(nullptr, nullptr, nullptr), MLAC_INVALID_ARGUMENT);
  std::string elsewhere = "unset";
  std::thread([&] { elsewhere = mlac_last_error(); }).join();
  EXPECT_EQ(elsewhere, "");
  EXPECT_STREQ(mlac_last_error(), "plan is null");
}

TEST_F(CApiTest, NewerStructsPassWhileTheirNewFieldsAreZero) {
  struct {
    mlac_launch_args args;
    std::array<std::uint64_t, 4> later;
  } newer{goodCArgs(), {}};

  newer.args.struct_bytes = sizeof newer;
  EXPECT_EQ(mlac_launch(plan, &newer.args, nullptr), MLAC_OK) << mlac_last_error();
  newer.later[2] = 1;
  EXPECT_EQ(mlac_launch(plan, &newer.args, nullptr), MLAC_INVALID_ARGUMENT);
  EXPECT_NE(std::string(mlac_last_error()).find("does not know"), std::string::npos);
}

TEST_F(CApiTest, AStructWithoutItsSizeIsRefused) {
  mlac_launch_args args = goodCArgs();
  args.struct_bytes = 0;
  EXPECT_EQ(mlac_launch(plan, &args, nullptr), MLAC_INVALID_ARGUMENT);
  EXPECT_NE(std::string(mlac_last_error()).find("struct_bytes is 0"), std::string::npos);
}

TEST_F(CApiTest, ParametersAndSinksReachTheChecksOfALaunch) {
  const auto expectRefused = [&](const mlac_launch_args& args, const std::string& words) {
    EXPECT_EQ(mlac_launch(plan, &args, nullptr), MLAC_INVALID_ARGUMENT);
    EXPECT_NE(std::string(mlac_last_error()).find(words), std::string::npos) << mlac_last_error();
  };
  const mlac_param unknown = {"cap", 30, nullptr};
  mlac_launch_args args = goodCArgs();
  args.params = &unknown;
  args.param_count = 1;
  expectRefused(args, "'cap' is no parameter of 'glm5_decode'");
  args.param_count = 33;
  expectRefused(args, "param_count is 33; at most 32");
  args.param_count = 1;
  args.params = nullptr;
  expectRefused(args, "args->params is null");
  const mlac_param nameless = {nullptr, 30, nullptr};
  args.params = &nameless;
  expectRefused(args, "name is null");
  args = goodCArgs();
  args.sinks = at<float>(64);
  expectRefused(args, "'sinks' was given, but 'glm5_decode' has no sink");
}

TEST_F(CApiTest, DescribesTheVariantAndNothingBeyondTheStruct) {
  mlac_variant_info info{};
  info.struct_bytes = sizeof info;
  ASSERT_EQ(mlac_family_variant(family, &info), MLAC_OK);
  EXPECT_EQ(info.heads, 8);
  EXPECT_EQ(info.qk_dims, 576);
  EXPECT_EQ(info.value_dims, 512);
  EXPECT_EQ(info.topk, 2048);
  EXPECT_EQ(info.record_bytes, 1152);
  EXPECT_EQ(info.scale, 0.0625F);
  EXPECT_EQ(info.has_merge, 1);
  mlac_variant_info older{};
  older.struct_bytes = offsetof(mlac_variant_info, page);
  older.page = -7;
  ASSERT_EQ(mlac_family_variant(family, &older), MLAC_OK);
  EXPECT_EQ(older.value_dims, 512);
  EXPECT_EQ(older.page, -7);
}

TEST_F(CApiTest, ConvertsAndPlansWithCodes) {
  mlac_convert_args args{};
  args.struct_bytes = sizeof args;
  const mlac_launch_args launch = goodCArgs();
  args.tokens = 8;
  args.requests = 4;
  args.indices = launch.indices;
  args.block_table = launch.block_table;
  args.seq_lens = launch.seq_lens;
  args.slots = launch.slots;
  args.slots_out = at<std::int32_t>(std::uintptr_t{1} << 40);
  EXPECT_EQ(mlac_convert(family, &args, nullptr), MLAC_OK) << mlac_last_error();
  mlac_plan* none = plan;
  EXPECT_EQ(mlac_plan_create(family, -1, 1, 1, &none), MLAC_INVALID_ARGUMENT);
  EXPECT_EQ(none, nullptr);
}

TEST_F(CApiTest, CMergesWhatCppMerges) {
  mlac_merge_args args = goodCMerge();
  args.f32_parts = 1;
  args.part_out.part_stride = 1 << 20;
  args.part_lse.head_stride = 8;
  args.part_lse.token_stride = 1;
  args.sinks = at<float>(0x1000);
  auto* stream = at<void>(0x5000);
  ASSERT_EQ(mlac_merge(family, &args, stream), MLAC_OK) << mlac_last_error();
  ASSERT_EQ(driver->launches.size(), 1U);
  const RecordedLaunch& launch = driver->launches[0];
  EXPECT_EQ(launch.entry, "glm5_decode_merge");
  EXPECT_EQ(launch.stream, static_cast<CUstream>(stream));
  const Kernel kernel = mergingFamilyOf(logicalVariant()).kernels[5];
  const auto number = [&](const char* name) {
    return launch.at<std::int64_t>(offsetOf(kernel, name));
  };
  EXPECT_EQ(launch.at<const void*>(offsetOf(kernel, "partOut")), args.part_out.data);
  EXPECT_EQ(launch.at<const void*>(offsetOf(kernel, "partLse")), args.part_lse.data);
  EXPECT_EQ(launch.at<const void*>(offsetOf(kernel, "sinks")), args.sinks);
  EXPECT_EQ(launch.at<const void*>(offsetOf(kernel, "out")), args.out.data);
  EXPECT_EQ(launch.at<const void*>(offsetOf(kernel, "lse")), args.lse.data);
  EXPECT_EQ(number("partOutPartStride"), 1 << 20);
  EXPECT_EQ(number("partLseTokenStride"), 1);
  EXPECT_EQ(number("partLseHeadStride"), 8);
  EXPECT_EQ(launch.at<std::int32_t>(offsetOf(kernel, "parts")), 4);
  EXPECT_EQ(launch.at<std::int32_t>(offsetOf(kernel, "f32Parts")), 1);
}

TEST_F(CApiTest, MergesGiveCodesAndTheirStructsMayGrow) {
  struct {
    mlac_merge_args args;
    std::uint64_t later;
  } newer{goodCMerge(), 0};

  newer.args.struct_bytes = sizeof newer;
  EXPECT_EQ(mlac_merge(family, &newer.args, nullptr), MLAC_OK) << mlac_last_error();
  newer.later = 1;
  EXPECT_EQ(mlac_merge(family, &newer.args, nullptr), MLAC_INVALID_ARGUMENT);
  EXPECT_NE(std::string(mlac_last_error()).find("does not know"), std::string::npos);
  newer.later = 0;
  newer.args.part_max_logit.data = at<void>(0x1000);
  EXPECT_EQ(mlac_merge(family, &newer.args, nullptr), MLAC_INVALID_ARGUMENT);
  EXPECT_NE(std::string(mlac_last_error()).find("'partMaxLogit' was given"), std::string::npos);
  EXPECT_EQ(mlac_merge(nullptr, &newer.args, nullptr), MLAC_INVALID_ARGUMENT);
  EXPECT_STREQ(mlac_last_error(), "family is null");
  EXPECT_EQ(mlac_merge(family, nullptr, nullptr), MLAC_INVALID_ARGUMENT);
  EXPECT_STREQ(mlac_last_error(), "args is null");
}

TEST_F(CApiTest, CBalancesWhatCppBalances) {
  CCall call{};
  call.tokens = 8;
  call.requests = 4;
  call.args = goodCArgs();
  call.scheduleArgs = goodCSchedule();
  call.args.schedule = call.scheduleArgs.schedule;
  call.stream = at<void>(0x5000);
  ASSERT_EQ(launchBalancedFromC(path.c_str(), &call), MLAC_OK) << call.error;
  EXPECT_EQ(call.scheduleBytes, 16U + 8 * 16 + (8 + 132) * 32);
  ASSERT_EQ(driver->launches.size(), 3U);
  const RecordedLaunch& schedule = driver->launches[0];
  EXPECT_EQ(schedule.entry, "glm5_decode_schedule");
  EXPECT_EQ(schedule.stream, static_cast<CUstream>(call.stream));
  const Kernel kernel = balancedFamilyOf(logicalVariant()).kernels[4];
  EXPECT_EQ(schedule.at<const void*>(offsetOf(kernel, "topkLength")),
            call.scheduleArgs.topk_length);
  EXPECT_EQ(schedule.at<const void*>(offsetOf(kernel, "schedule")), call.scheduleArgs.schedule);
  EXPECT_EQ(driver->launches[1].at<const void*>(
                offsetOf(balancedFamilyOf(logicalVariant()).kernels[0], "schedule")),
            call.scheduleArgs.schedule);
}

TEST_F(CApiTest, EveryLengthReachesTheSchedule) {
  const std::string densePath = folder / "dense";
  writeFamily(densePath, denseVariant());
  CCall call{};
  call.tokens = 8;
  call.requests = 4;
  call.scheduleArgs = goodCSchedule();
  call.scheduleArgs.topk_length = nullptr;
  call.scheduleArgs.seq_lens = at<std::int32_t>(0x1000);
  call.scheduleArgs.query_start = at<std::int32_t>(0x2000);
  call.scheduleArgs.key_end = at<std::int32_t>(0x3000);
  const auto passed = [&](const char* name) {
    driver->launches.clear();
    launchBalancedFromC(densePath.c_str(), &call); // schedules, then lacks what a launch needs
    EXPECT_EQ(driver->launches.size(), 1U) << call.error;
    const Kernel kernel = balancedFamilyOf(denseVariant()).kernels[4];
    return driver->launches.at(0).at<const std::int32_t*>(offsetOf(kernel, name));
  };
  EXPECT_EQ(passed("seqLens"), call.scheduleArgs.seq_lens);
  EXPECT_EQ(passed("queryStart"), call.scheduleArgs.query_start);
  EXPECT_EQ(passed("keyEnd"), call.scheduleArgs.key_end);
  call.scheduleArgs.query_start = nullptr;
  call.scheduleArgs.token_request = at<std::int32_t>(0x4000);
  EXPECT_EQ(passed("tokenRequest"), call.scheduleArgs.token_request);
}

TEST_F(CApiTest, BalancedPlansAndSchedulesGiveCodes) {
  mlac_plan* balanced = plan;
  EXPECT_EQ(mlac_plan_create_balanced(nullptr, 8, 4, 4096, &balanced), MLAC_INVALID_ARGUMENT);
  EXPECT_STREQ(mlac_last_error(), "family is null");
  EXPECT_EQ(mlac_plan_create_balanced(family, 8, 4, 4096, nullptr), MLAC_INVALID_ARGUMENT);
  EXPECT_STREQ(mlac_last_error(), "plan is null");
  EXPECT_EQ(mlac_plan_create_balanced(family, -1, 4, 4096, &balanced), MLAC_INVALID_ARGUMENT);
  EXPECT_EQ(balanced, nullptr);
  EXPECT_EQ(mlac_plan_schedule_bytes(nullptr), 0U);
  EXPECT_EQ(mlac_plan_schedule_bytes(plan), 0U) << "it does not balance";
  const mlac_schedule_args args = goodCSchedule();
  EXPECT_EQ(mlac_schedule(nullptr, &args, nullptr), MLAC_INVALID_ARGUMENT);
  EXPECT_STREQ(mlac_last_error(), "plan is null");
  EXPECT_EQ(mlac_schedule(plan, &args, nullptr), MLAC_INVALID_ARGUMENT);
  EXPECT_NE(std::string(mlac_last_error()).find("does not balance"), std::string::npos);
  EXPECT_TRUE(driver->launches.empty());
}

TEST_F(CApiTest, ScheduleStructsMayGrowAndTheirSizesCount) {
  struct {
    mlac_schedule_args args;
    std::uint64_t later;
  } newer{goodCSchedule(), 0};

  mlac_plan* balanced = nullptr;
  ASSERT_EQ(mlac_plan_create_balanced(family, 8, 4, 4096, &balanced), MLAC_OK);
  newer.args.struct_bytes = sizeof newer;
  EXPECT_EQ(mlac_schedule(balanced, &newer.args, nullptr), MLAC_OK) << mlac_last_error();
  newer.later = 1;
  EXPECT_EQ(mlac_schedule(balanced, &newer.args, nullptr), MLAC_INVALID_ARGUMENT);
  EXPECT_NE(std::string(mlac_last_error()).find("does not know"), std::string::npos);
  newer.args.schedule_bytes = mlac_plan_schedule_bytes(balanced) - 1;
  newer.later = 0;
  EXPECT_EQ(mlac_schedule(balanced, &newer.args, nullptr), MLAC_INVALID_ARGUMENT);
  EXPECT_NE(std::string(mlac_last_error()).find("'schedule' has 4623 bytes"), std::string::npos);
  newer.args.struct_bytes = 0;
  EXPECT_EQ(mlac_schedule(balanced, &newer.args, nullptr), MLAC_INVALID_ARGUMENT);
  EXPECT_NE(std::string(mlac_last_error()).find("struct_bytes is 0"), std::string::npos);
  EXPECT_EQ(mlac_schedule(balanced, nullptr, nullptr), MLAC_INVALID_ARGUMENT);
  EXPECT_STREQ(mlac_last_error(), "args is null");
  mlac_plan_free(balanced);
}

TEST_F(CApiTest, AnOlderLaunchStructHasNoSchedule) {
  mlac_launch_args args = goodCArgs();
  args.struct_bytes = offsetof(mlac_launch_args, schedule);
  args.schedule = at<void>(0x1000);
  EXPECT_EQ(mlac_launch(plan, &args, nullptr), MLAC_OK) << mlac_last_error();
  args.struct_bytes = sizeof args;
  EXPECT_EQ(mlac_launch(plan, &args, nullptr), MLAC_INVALID_ARGUMENT);
}

TEST_F(CApiTest, NamesWhatABundleHolds) {
  EXPECT_EQ(mlac_bundle_count(bundle), 1);
  EXPECT_STREQ(mlac_bundle_name(bundle, 0), "glm5_decode");
  EXPECT_EQ(mlac_bundle_name(bundle, 1), nullptr);
  EXPECT_EQ(mlac_bundle_name(bundle, -1), nullptr);
}

TEST_F(CApiTest, MissingThingsGiveTheirCodes) {
  mlac_bundle* none = nullptr;
  EXPECT_EQ(mlac_bundle_open("/no/such/bundle", &none), MLAC_IO_FAILED);
  EXPECT_EQ(none, nullptr);
  EXPECT_EQ(mlac_bundle_open(nullptr, &none), MLAC_INVALID_ARGUMENT);
  mlac_family* loaded = nullptr;
  EXPECT_EQ(mlac_family_load(bundle, "other", &loaded), MLAC_INVALID_INPUT);
  mlac_bundle_close(nullptr);
  mlac_family_free(nullptr);
  mlac_plan_free(nullptr);
}

} // namespace
} // namespace mlac::test
