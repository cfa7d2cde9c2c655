// From a hand-over to launches, on a fake driver: loading, packing, grids, and what never reaches
// the driver.
#include "FakeDriver.h"
#include "TestFamily.h"
#include "runtime/plan/Planner.h"

#include <atomic>

namespace mlac::test {
namespace {

class LaunchTest : public testing::Test {
protected:
  Family load(const Variant& variant = logicalVariant()) {
    auto device = Device::current();
    EXPECT_TRUE(device) << device.error().message;
    auto family = loadFamily(familyOf(variant), *device, namedCubins());
    EXPECT_TRUE(family) << family.error().message;
    return *family;
  }

  static Plan planOf(const Family& family, const PlanShape& shape) {
    auto plan = family.plan(shape);
    EXPECT_TRUE(plan) << plan.error().message;
    return *plan;
  }

  FakeDriver driver;
};

constexpr PlanShape kSplit = {
    .tokens = 8, .requests = 4, .maxSeqLen = 4096, .splits = 4, .kernel = 0};
constexpr PlanShape kWhole = {
    .tokens = 8, .requests = 4, .maxSeqLen = 4096, .splits = 1, .kernel = 1};

TEST_F(LaunchTest, ASplitLaunchIsAttentionThenCombine) {
  const Family family = load();
  const Plan plan = planOf(family, kSplit);
  auto* stream = at<void>(0x5000);
  const Status status = family.launch(plan, goodArgs(logicalVariant()), stream);
  ASSERT_TRUE(status) << status.error().message;
  ASSERT_EQ(driver->launches.size(), 2U);
  const RecordedLaunch& attention = driver->launches[0];
  EXPECT_EQ(attention.entry, "glm5_decode_few");
  EXPECT_EQ(attention.gridX, 8U * 2 * 4);
  EXPECT_EQ(attention.gridY, 1U);
  EXPECT_EQ(attention.gridZ, 1U);
  EXPECT_EQ(attention.threads, 128U);
  EXPECT_EQ(attention.dynamicSmemBytes, 90000U);
  EXPECT_EQ(attention.stream, static_cast<CUstream>(stream));
  const RecordedLaunch& combine = driver->launches[1];
  EXPECT_EQ(combine.entry, "glm5_decode_combine");
  EXPECT_EQ(combine.gridX, 8U * 32) << "a CTA for each of few tiles";
  EXPECT_EQ(combine.dynamicSmemBytes, 0U);
}

TEST_F(LaunchTest, AnUnsplitLaunchIsOneKernel) {
  const Family family = load();
  const Plan plan = planOf(family, kWhole);
  EXPECT_EQ(plan.workspaceBytes, 0U);
  ASSERT_TRUE(family.launch(plan, goodArgs(logicalVariant()), nullptr));
  ASSERT_EQ(driver->launches.size(), 1U);
  EXPECT_EQ(driver->launches[0].entry, "glm5_decode_many");
  EXPECT_EQ(driver->launches[0].gridX, 8U);
}

TEST_F(LaunchTest, ValuesLandAtTheirOffsets) {
  const Family family = load();
  const LaunchArgs args = goodArgs(logicalVariant());
  ASSERT_TRUE(family.launch(planOf(family, kSplit), args, nullptr));
  const Kernel& kernel = kernelFamilyOf(family).kernels[0];
  const RecordedLaunch& launch = driver->launches[0];
  const auto pointer = [&](const char* name) {
    return launch.at<const void*>(offsetOf(kernel, name));
  };
  const auto integer = [&](const char* name) {
    return launch.at<std::int32_t>(offsetOf(kernel, name));
  };
  const auto wide = [&](const char* name) {
    return launch.at<std::int64_t>(offsetOf(kernel, name));
  };
  EXPECT_EQ(pointer("qLatent"), args.q.data);
  EXPECT_EQ(pointer("cache"), args.cache.base);
  EXPECT_EQ(pointer("indices"), args.indices.data);
  EXPECT_EQ(pointer("queryStart"), nullptr);
  EXPECT_EQ(pointer("out"), args.out.data);
  EXPECT_EQ(pointer("lse"), args.lse.data);
  EXPECT_EQ(pointer("partialOut"), args.workspace.data);
  EXPECT_EQ(pointer("partialMax"), nullptr);
  EXPECT_EQ(integer("tokens"), 8);
  EXPECT_EQ(integer("requests"), 4);
  EXPECT_EQ(integer("splits"), 4);
  EXPECT_EQ(integer("maxPages"), 4096);
  EXPECT_EQ(wide("slots"), 1 << 20);
  EXPECT_EQ(wide("pageStrideBytes"), 64 * 1152);
  EXPECT_EQ(launch.at<float>(offsetOf(kernel, "scale")), 0.0625F);
  const RecordedLaunch& combine = driver->launches[1];
  const Kernel& combineKernel = kernelFamilyOf(family).kernels[2];
  EXPECT_EQ(combine.at<std::int32_t>(offsetOf(combineKernel, "splits")), 4);
  EXPECT_EQ(combine.at<const void*>(offsetOf(combineKernel, "partialOut")), args.workspace.data);
}

TEST_F(LaunchTest, FewerTokensThanPlannedShrinkTheGrid) {
  const Family family = load();
  LaunchArgs args = goodArgs(logicalVariant());
  args.tokens = 4;
  ASSERT_TRUE(family.launch(planOf(family, kSplit), args, nullptr));
  EXPECT_EQ(driver->launches[0].gridX, 4U * 2 * 4);
  EXPECT_EQ(driver->launches[1].gridX, 4U * 32);
}

TEST_F(LaunchTest, ManyTilesShareTheCtasOfACombine) {
  const Family family = load();
  LaunchArgs args = goodArgs(logicalVariant());
  PlanShape shape = kSplit;
  shape.tokens = args.tokens = 128;
  shape.requests = args.requests = 128;
  const Status status = family.launch(planOf(family, shape), args, nullptr);
  ASSERT_TRUE(status) << status.error().message;
  EXPECT_EQ(driver->launches[1].gridX, 128U * 32 / 8);
}

TEST_F(LaunchTest, ZeroTokensReturnWithoutADriverCall) {
  const Family family = load();
  const Plan plan = planOf(family, {.tokens = 0});
  const auto before = driver->calls;
  EXPECT_TRUE(family.launch(plan, {}, nullptr));
  LaunchArgs none = goodArgs(logicalVariant());
  none.tokens = 0;
  const Plan full = planOf(family, kSplit);
  EXPECT_TRUE(family.launch(full, none, nullptr));
  EXPECT_TRUE(family.convert({}, nullptr));
  EXPECT_EQ(driver->calls, before);
}

TEST_F(LaunchTest, ARefusedArgumentNeverReachesTheDriver) {
  const Family family = load();
  const Plan plan = planOf(family, kSplit);
  const auto before = driver->calls;
  LaunchArgs args = goodArgs(logicalVariant());
  args.out.data = nullptr;
  expectError(family.launch(plan, args, nullptr), ErrorCode::InvalidArgument, "'out' is null");
  EXPECT_EQ(driver->calls, before);
}

TEST_F(LaunchTest, ALaunchMakesNoCallThatCaptureForbids) {
  const Family family = load();
  const Plan plan = planOf(family, kSplit);
  driver->calls.clear();
  ASSERT_TRUE(family.launch(plan, goodArgs(logicalVariant()), nullptr));
  const std::map<std::string, int> expected = {{"cuCtxGetCurrent", 1}, {"cuLaunchKernelEx", 2}};
  EXPECT_EQ(driver->calls, expected);
}

TEST_F(LaunchTest, PlanningMakesNoDriverCallAtAll) {
  const Family family = load();
  const auto before = driver->calls;
  planOf(family, {.tokens = 64, .requests = 64, .maxSeqLen = 131072});
  EXPECT_EQ(driver->calls, before);
}

TEST_F(LaunchTest, AnotherFamilysPlanIsRefused) {
  const Family mine = load();
  const Family other = load();
  expectError(mine.launch(planOf(other, kSplit), goodArgs(logicalVariant()), nullptr),
              ErrorCode::InvalidArgument,
              "not made by this family");
  Plan changed = planOf(mine, kSplit);
  changed.kernel = 2;
  expectError(mine.launch(changed, goodArgs(logicalVariant()), nullptr),
              ErrorCode::InvalidArgument,
              "not made by this family");
}

TEST_F(LaunchTest, AnotherContextIsRefused) {
  const Family family = load();
  const Plan plan = planOf(family, kSplit);
  driver->contextIsCurrent = false;
  expectError(family.launch(plan, goodArgs(logicalVariant()), nullptr),
              ErrorCode::InvalidArgument,
              "another CUDA context");
  EXPECT_TRUE(driver->launches.empty());
}

TEST_F(LaunchTest, ADriverErrorIsPassedOnAndStopsTheLaunch) {
  const Family family = load();
  const Plan plan = planOf(family, kSplit);
  driver->launchResult = 719;
  expectError(family.launch(plan, goodArgs(logicalVariant()), nullptr),
              ErrorCode::DriverFailed,
              "cuLaunchKernelEx failed: CUDA_ERROR_FAKE (719)");
  EXPECT_EQ(driver->launches.size(), 1U);
}

TEST_F(LaunchTest, ConvertLaunchesOneRowAToken) {
  const Family family = load();
  const LaunchArgs args = goodArgs(logicalVariant());
  auto* slots = at<std::int32_t>(std::uintptr_t{1} << 40);
  ASSERT_TRUE(family.convert({.tokens = 8,
                              .requests = 4,
                              .indices = args.indices,
                              .blockTable = args.blockTable,
                              .seqLens = args.seqLens,
                              .slots = 1 << 20,
                              .slotsPerBlock = 128,
                              .slotsOut = slots},
                             nullptr));
  ASSERT_EQ(driver->launches.size(), 1U);
  const RecordedLaunch& launch = driver->launches[0];
  const Kernel& kernel = kernelFamilyOf(family).kernels[3];
  EXPECT_EQ(launch.entry, "glm5_decode_convert");
  EXPECT_EQ(launch.gridX, 8U);
  EXPECT_EQ(launch.at<const void*>(offsetOf(kernel, "slotsOut")), slots);
  EXPECT_EQ(launch.at<std::int64_t>(offsetOf(kernel, "slotsPerBlock")), 128);
}

TEST_F(LaunchTest, LoadingSetsDynamicSharedMemoryOnceAndReports) {
  driver->staticSmemBytes = 1024;
  const Family family = load();
  EXPECT_EQ(driver->dynamicSmemSet.at("glm5_decode_few"), 90000);
  EXPECT_EQ(driver->dynamicSmemSet.count("glm5_decode_combine"), 0U);
  EXPECT_EQ(driver->smemCarveoutSet.at("glm5_decode_combine"),
            driver->smemCarveoutSet.at("glm5_decode_few"));
  const std::vector<KernelReport> reports = family.kernels();
  ASSERT_EQ(reports.size(), 4U);
  EXPECT_EQ(reports[0].role, "attention");
  EXPECT_EQ(reports[0].target, "sm_90");
  EXPECT_EQ(reports[0].registers, 77); // the driver's, as no log came along
  EXPECT_EQ(reports[0].staticSmemBytes, 1024);
  EXPECT_EQ(reports[0].dynamicSmemBytes, 90000);
}

TEST_F(LaunchTest, TooMuchSharedMemoryIsRefusedWithBothNumbers) {
  driver->smemPerCtaOptinBytes = 101376;
  driver->staticSmemBytes = 14192;
  const auto device = Device::current();
  ASSERT_TRUE(device);
  const auto family = loadFamily(familyOf(logicalVariant()), *device, namedCubins());
  expectError(family, ErrorCode::Unsupported, "104192 bytes");
  expectError(family, ErrorCode::Unsupported, "101376");
}

TEST_F(LaunchTest, AFailedLoadLeavesNothingBehind) {
  driver->failLoadsAfter = 2;
  const auto device = Device::current();
  ASSERT_TRUE(device);
  EXPECT_FALSE(loadFamily(familyOf(logicalVariant()), *device, namedCubins()));
  driver->failLoadsAfter = -1;
  load();
  EXPECT_EQ(driver->loadedModules, 4) << "the two modules of the failed load must be unloaded";
}

TEST_F(LaunchTest, ModulesAreUnloadedAtTheNextLoadAndNotBefore) {
  {
    const Family family = load();
  }
  EXPECT_EQ(driver->calls.count("cuModuleUnload"), 0U) << "a capture may be under way";
  const Family next = load();
  EXPECT_EQ(driver->calls.at("cuModuleUnload"), 4);
  EXPECT_EQ(driver->loadedModules, 4);
}

TEST_F(LaunchTest, OneFailingKernelFailsTheFamily) {
  const auto device = Device::current();
  ASSERT_TRUE(device);
  const auto source = [](const KernelFamily& family,
                         const Kernel& kernel,
                         std::string_view target) -> Result<SourcedCubin> {
    if (kernel.role == KernelRole::Combine)
      return Error{ErrorCode::CompileFailed, "combine does not compile"};
    return namedCubins()(family, kernel, target);
  };
  expectError(loadFamily(familyOf(logicalVariant()), *device, source),
              ErrorCode::CompileFailed,
              "combine does not compile");
  EXPECT_EQ(driver->loadedModules, 0);
}

struct FamilyMistake {
  const char* name;
  void (*make)(KernelFamily&);
  const char* words;
};

const FamilyMistake kMistakes[] = {
    {"unknown parameter",
     [](KernelFamily& f) { f.kernels[0].params[0].name = "token"; },
     "'token' is not one"},
    {"wrong type",
     [](KernelFamily& f) { f.kernels[0].params[0].type = ParamType::F32; },
     "has another type"},
    {"of another role",
     [](KernelFamily& f) { f.kernels[0].params[1].name = "slotsOut"; },
     "means nothing to a kernel of this role"},
    {"twice", [](KernelFamily& f) { f.kernels[0].params[4].name = "qLatent"; }, "listed twice"},
    {"overlapping", [](KernelFamily& f) { f.kernels[0].params[2].offset = 8; }, "overlaps another"},
    {"outside",
     [](KernelFamily& f) { f.kernels[0].params[1].offset = 4096; },
     "does not lie in a struct"},
    {"misaligned", [](KernelFamily& f) { f.kernels[0].params[1].offset = 4; }, "misaligned"},
    {"too long",
     [](KernelFamily& f) { f.kernels[0].paramBytes = 4096; },
     "4096 bytes; at most 1024"},
    {"no table", [](KernelFamily& f) { f.table.clear(); }, "table is empty"},
    {"row of a combine", [](KernelFamily& f) { f.table[0].kernel = 2; }, "names kernel 2"},
    {"no combine",
     [](KernelFamily& f) { f.kernels.erase(f.kernels.begin() + 2); },
     "no kernel to combine"},
    {"threads", [](KernelFamily& f) { f.kernels[0].threads = 1056; }, "1056 threads"},
    {"no keys a tile", [](KernelFamily& f) { f.kernels[0].keysPerTile = 0; }, "0 keys a tile"},
    {"no bandwidth", [](KernelFamily& f) { f.bytesPerNsPerSm = 0; }, "bandwidth is 0"},
    {"target", [](KernelFamily& f) { f.target = "sm_42"; }, "unknown target 'sm_42'"}};

TEST_F(LaunchTest, MalformedFamiliesAreRefusedAtLoad) {
  const auto device = Device::current();
  ASSERT_TRUE(device);
  for (const FamilyMistake& mistake : kMistakes) {
    SCOPED_TRACE(mistake.name);
    KernelFamily family = familyOf(logicalVariant());
    mistake.make(family);
    expectError(loadFamily(family, *device, namedCubins()), ErrorCode::InvalidInput, mistake.words);
  }
}

TEST_F(LaunchTest, CodeForAnOlderMinorRunsAndForAnOlderMajorIsRecompiled) {
  KernelFamily family = familyOf(logicalVariant());
  const auto targetFor = [&](const char* made, int major, int minor) {
    driver->computeMajor = major;
    driver->computeMinor = minor;
    family.target = made;
    const auto device = Device::current();
    EXPECT_TRUE(device);
    return compileTargetFor(family, *device);
  };
  EXPECT_EQ(*targetFor("sm_120", 12, 1), "sm_120");
  EXPECT_EQ(*targetFor("sm_80", 8, 9), "sm_80");
  EXPECT_EQ(*targetFor("sm_80", 9, 0), "sm_90");
  EXPECT_EQ(*targetFor("sm_90", 9, 0), "sm_90");
  expectError(targetFor("sm_120", 9, 0), ErrorCode::Unsupported, "generated for sm_120");
  expectError(targetFor("sm_121", 12, 0), ErrorCode::Unsupported, "runs sm_120 at most");
}

} // namespace
} // namespace mlac::test
