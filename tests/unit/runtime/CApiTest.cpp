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

class CApiTest : public testing::Test {
protected:
  void SetUp() override {
    BundledFamily bundled;
    bundled.family = familyOf(logicalVariant());
    for (const Kernel& kernel : bundled.family.kernels)
      bundled.cubins[kernel.entry].cubin = kernel.entry;
    const Status written = writeBundle(path, std::vector<BundledFamily>{bundled});
    ASSERT_TRUE(written) << written.error().message;
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
