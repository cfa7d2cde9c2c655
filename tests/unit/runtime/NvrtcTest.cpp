// The real NVRTC: found, asked, and compiling for GPUs that need not be here.
#include "runtime/nvrtc/Nvrtc.h"

#include "TestFamily.h"
#include "runtime/FileIo.h"
#include "runtime/nvrtc/Compile.h"

#include <string>

namespace mlac::test {
namespace {

constexpr const char* kSource = R"(
extern "C" __global__ void scaleAll(float* x, float by) {
  __shared__ float held[32];
  held[threadIdx.x % 32] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = held[(threadIdx.x + 1) % 32] * by;
}
)";

class NvrtcTest : public testing::Test {
protected:
  void SetUp() override {
    const auto loaded = processNvrtc();
    ASSERT_TRUE(loaded) << loaded.error().message;
    nvrtc = *loaded;
  }

  Result<CompileOutput> compile(const std::string& source, const std::string& target) {
    return compileSource(*nvrtc,
                         {.source = source,
                          .name = "scaleAll.cu",
                          .entry = "scaleAll",
                          .target = target,
                          .extraOptions = {}});
  }

  const Nvrtc* nvrtc = nullptr;
};

TEST_F(NvrtcTest, SaysWhereItCameFromAndWhichBuildItIs) {
  EXPECT_TRUE(nvrtc->atLeast(12, 8));
  EXPECT_NE(nvrtc->path.find("libnvrtc"), std::string::npos) << nvrtc->path;
  EXPECT_FALSE(nvrtc->foundBy.empty());
  EXPECT_GE(nvrtc->buildId.size(), 16U) << nvrtc->buildId;
  EXPECT_NE(nvrtc->supportedNames().find("sm_120"), std::string::npos);
}

TEST_F(NvrtcTest, CompilesForHopperAndBlackwellWithResources) {
  for (const std::string target : {"sm_90", "sm_120"}) {
    const auto output = compile(kSource, target);
    ASSERT_TRUE(output) << output.error().message;
    EXPECT_EQ(output->cubin.substr(1, 3), "ELF");
    EXPECT_NE(output->ptx.find("scaleAll"), std::string::npos);
    EXPECT_GT(output->resources.registers, 0) << output->log;
    EXPECT_EQ(output->resources.spillStoreBytes, 0) << output->log;
    EXPECT_EQ(output->resources.spillLoadBytes, 0);
    EXPECT_EQ(output->resources.stackBytes, 0);
    // sm_120 reserves some shared memory of its own for every block.
    EXPECT_GE(output->resources.staticSmemBytes, 128) << output->log;
  }
}

TEST_F(NvrtcTest, SameSourceSameCubin) {
  const auto first = compile(kSource, "sm_90");
  const auto second = compile(kSource, "sm_90");
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->cubin, second->cubin);
}

TEST_F(NvrtcTest, ATargetItLacksIsRefusedWithThoseItHas) {
  for (const std::string target : {"sm_70", "sm_999", "compute_90", "sm_", "native"})
    expectError(compile(kSource, target), ErrorCode::Unsupported, "it has sm_75");
}

TEST_F(NvrtcTest, ASyntaxErrorCarriesTheLogAndTheName) {
  const auto output = compile("extern \"C\" __global__ void scaleAll() { int x = ; }", "sm_90");
  expectError(output, ErrorCode::CompileFailed, "scaleAll.cu(1): error: expected an expression");
}

TEST_F(NvrtcTest, SpillsAreReported) {
  const std::string source = R"(
extern "C" __global__ void __launch_bounds__(1024, 2) scaleAll(float* x, int n) {
  float held[96];
  #pragma unroll
  for (int i = 0; i < 96; ++i) held[i] = x[i * 1024 + threadIdx.x];
  for (int k = 0; k < n; ++k) {
    #pragma unroll
    for (int i = 0; i < 96; ++i) held[i] = held[i] * held[(i + 17) % 96] + x[k + i];
  }
  #pragma unroll
  for (int i = 0; i < 96; ++i) x[i * 1024 + threadIdx.x] = held[i];
})";
  const auto output = compile(source, "sm_90");
  ASSERT_TRUE(output) << output.error().message;
  EXPECT_GT(output->resources.spillStoreBytes, 0) << output->log;
  EXPECT_GT(output->resources.spillLoadBytes, 0) << output->log;
  EXPECT_GT(output->resources.stackBytes, 0) << output->log;
}

TEST_F(NvrtcTest, ResourcesAreThoseOfTheEntryAskedFor) {
  const std::string source = std::string(kSource) + R"(
extern "C" __global__ void other(double* x) { x[threadIdx.x] = sin(x[threadIdx.x]); })";
  const auto alone = compile(kSource, "sm_90");
  const auto beside = compile(source, "sm_90");
  ASSERT_TRUE(alone && beside);
  EXPECT_EQ(alone->resources, beside->resources) << beside->log;
}

TEST(NvrtcSearchTest, NothingFoundNamesEveryPlaceTried) {
  const auto none =
      loadNvrtc({.explicitPath = {}, .useLoaderPath = false, .folders = {"/nowhere"}});
  expectError(none, ErrorCode::MissingDependency, "/nowhere/libnvrtc.so.13");
  expectError(none, ErrorCode::MissingDependency, "12.8");
  expectError(loadNvrtc({.explicitPath = "/no/such/file.so", .useLoaderPath = true, .folders = {}}),
              ErrorCode::MissingDependency,
              "/no/such/file.so");
}

TEST(NvrtcSearchTest, AFileThatIsNotNvrtcIsRefused) {
  expectError(loadNvrtc({.explicitPath = "libm.so.6", .useLoaderPath = true, .folders = {}}),
              ErrorCode::MissingDependency,
              "is not NVRTC");
}

TEST(NvrtcSearchTest, AnOldNvrtcIsRefusedWithBothVersions) {
  expectError(
      loadNvrtc({.explicitPath = MLAC_TEST_OLD_NVRTC, .useLoaderPath = true, .folders = {}}),
      ErrorCode::MissingDependency,
      "is NVRTC 12.4, and 12.8 or newer is needed");
}

TEST(PtxasLog, IsReadLineByLine) {
  const Resources resources = parsePtxasLog(
      "ptxas info    : 0 bytes gmem\n"
      "ptxas info    : Compiling entry function 'other' for 'sm_90'\n"
      "ptxas info    : Function properties for other\n"
      "    8 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads\n"
      "ptxas info    : Used 9 registers, used 0 barriers\n"
      "ptxas info    : Compiling entry function 'mine' for 'sm_90'\n"
      "ptxas info    : Function properties for mine\n"
      "    16 bytes stack frame, 24 bytes spill stores, 32 bytes spill loads\n"
      "ptxas info    : Used 255 registers, used 1 barriers, 1024 bytes smem, 16 bytes cmem[0]\n",
      "mine");
  const Resources expected = {.registers = 255,
                              .spillStoreBytes = 24,
                              .spillLoadBytes = 32,
                              .stackBytes = 16,
                              .staticSmemBytes = 1024};
  EXPECT_EQ(resources, expected);
}

TEST(PtxasLog, SilenceIsNotZero) {
  EXPECT_EQ(parsePtxasLog("", "mine").registers, -1);
  EXPECT_EQ(parsePtxasLog("", "mine").spillStoreBytes, -1);
}

} // namespace
} // namespace mlac::test
