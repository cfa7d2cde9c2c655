// The machine in the driver's place: what it answers, refuses and repeats.
#include "runtime/cuda/Driver.h"
#include "tests/unit/simt/TrialBench.h"

#include <array>
#include <bit>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <sys/mman.h>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

namespace mlac::simt {
namespace {

constexpr CUresult kInvalidValue = 1;
constexpr CUresult kOutOfMemory = 2;
constexpr CUresult kInvalidImage = 200;
constexpr CUresult kNotFound = 500;
constexpr CUresult kLaunchFailed = 719;

std::string nameOf(const DriverApi& api, CUresult code) {
  const char* name = nullptr;
  EXPECT_EQ(api.cuGetErrorName(code, &name), kCudaSuccess);
  return name;
}

std::string textOf(const DriverApi& api, CUresult code) {
  const char* text = nullptr;
  EXPECT_EQ(api.cuGetErrorString(code, &text), kCudaSuccess);
  return text;
}

TEST(Machine, AnUnknownTargetIsRefusedWithThoseThatAreKnown) {
  const auto machine = Machine::install({.target = "sm_70"});
  ASSERT_FALSE(machine);
  EXPECT_EQ(machine.error().code, ErrorCode::InvalidInput);
  EXPECT_NE(machine.error().message.find("'sm_70'"), std::string::npos);
  EXPECT_NE(machine.error().message.find("sm_120"), std::string::npos);
}

TEST(Machine, IsOneDeviceOfItsTarget) {
  TrialBench bench({.target = "sm_120"});
  const DriverApi& api = bench.driver();
  int count = 0;
  int value = 0;
  std::array<char, 64> name{};
  EXPECT_EQ(api.cuDeviceGetCount(&count), kCudaSuccess);
  EXPECT_EQ(count, 1);
  CUdevice device = -1;
  EXPECT_EQ(api.cuDeviceGet(&device, 0), kCudaSuccess);
  EXPECT_EQ(api.cuDeviceGet(&device, 1), kCudaInvalidDevice);
  EXPECT_EQ(api.cuDeviceGetName(name.data(), name.size(), 0), kCudaSuccess);
  EXPECT_STREQ(name.data(), "SIMT executor as sm_120");
  EXPECT_EQ(api.cuDeviceGetAttribute(&value, kAttributeComputeMajor, 0), kCudaSuccess);
  EXPECT_EQ(value, 12);
  EXPECT_EQ(api.cuDeviceGetAttribute(&value, kAttributeSmemPerCtaOptin, 0), kCudaSuccess);
  EXPECT_EQ(value, 99 * 1024);
  EXPECT_EQ(api.cuDeviceGetAttribute(&value, 99999, 0), kInvalidValue);
}

class MachineTest : public testing::Test {
protected:
  TrialBench bench;
  const DriverApi& api = bench.driver();
};

TEST_F(MachineTest, CopiesAndFillsStayInsideAllocations) {
  std::array<std::uint32_t, 8> words{};
  constexpr CUdeviceptr kBytes = kTrialWords * 4;
  EXPECT_EQ(api.cuMemcpyDtoH(words.data(), bench.inBuffer() + kBytes - 32, 32), kCudaSuccess);
  EXPECT_EQ(words[7], 1000 + kTrialWords - 1);
  EXPECT_EQ(api.cuMemcpyDtoH(words.data(), bench.inBuffer() + kBytes - 28, 32), kInvalidValue);
  EXPECT_EQ(api.cuMemcpyHtoD(bench.inBuffer() - 4, words.data(), 8), kInvalidValue);
  EXPECT_EQ(api.cuMemcpyHtoD(0, words.data(), 4), kInvalidValue);
  EXPECT_EQ(api.cuMemsetD8(bench.outBuffer(), 1, kBytes + 1), kInvalidValue);
  EXPECT_EQ(api.cuMemsetD32(bench.outBuffer(), 1, kTrialWords + 1), kInvalidValue);
  EXPECT_EQ(api.cuMemsetD32(bench.outBuffer(), 77, kTrialWords), kCudaSuccess);
  EXPECT_EQ(api.cuMemcpyDtoH(words.data(), bench.outBuffer() + kBytes - 32, 32), kCudaSuccess);
  EXPECT_EQ(words[7], 77U);
}

TEST_F(MachineTest, MemoryComesBackWhenItIsFreed) {
  std::size_t before = 0;
  std::size_t within = 0;
  std::size_t after = 0;
  std::size_t total = 0;
  CUdeviceptr buffer = 0;
  EXPECT_EQ(api.cuMemAlloc(&buffer, 0), kInvalidValue);
  ASSERT_EQ(api.cuMemGetInfo(&before, &total), kCudaSuccess);
  ASSERT_EQ(api.cuMemAlloc(&buffer, 1 << 20), kCudaSuccess);
  ASSERT_EQ(api.cuMemGetInfo(&within, &total), kCudaSuccess);
  EXPECT_EQ(before - within, 1U << 20);
  EXPECT_EQ(api.cuMemFree(buffer), kCudaSuccess);
  EXPECT_EQ(api.cuMemFree(buffer), kInvalidValue) << "freed twice";
  ASSERT_EQ(api.cuMemGetInfo(&after, &total), kCudaSuccess);
  EXPECT_EQ(after, before);
}

TEST_F(MachineTest, AnImageThatIsNoneIsRefusedWithTheReason) {
  const std::string junk = "no image at all, only some words that are long enough for a header";
  CUmodule module = nullptr;
  const CUresult code = api.cuModuleLoadData(&module, junk.data());
  EXPECT_EQ(code, kInvalidImage);
  EXPECT_EQ(nameOf(api, code), "CUDA_ERROR_INVALID_IMAGE");
  EXPECT_NE(textOf(api, code).find("no ELF file"), std::string::npos);
}

TEST_F(MachineTest, AKernelOfAnotherNameIsNotFound) {
  const auto image = compileForHost({sourceOf({.body = ""}), "trial", "sm_90"});
  ASSERT_TRUE(image) << image.error().message;
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  ASSERT_EQ(api.cuModuleLoadData(&module, image->data()), kCudaSuccess);
  EXPECT_EQ(api.cuModuleGetFunction(&function, module, "tria"), kNotFound);
  EXPECT_EQ(nameOf(api, kNotFound), "CUDA_ERROR_NOT_FOUND");
  EXPECT_EQ(api.cuModuleGetFunction(&function, module, "trial"), kCudaSuccess);
  EXPECT_EQ(api.cuModuleUnload(module), kCudaSuccess);
  EXPECT_EQ(api.cuModuleUnload(module), kInvalidValue);
  EXPECT_EQ(api.cuModuleGetFunction(&function, module, "trial"), kInvalidValue) << "unloaded";
}

TEST_F(MachineTest, ASourceThatDoesNotCompileIsAnErrorWithTheCompilersWords) {
  const auto image = compileForHost({sourceOf({.body = "\n  undeclared(1);\n"}), "trial", "sm_90"});
  ASSERT_FALSE(image);
  EXPECT_EQ(image.error().code, ErrorCode::CompileFailed);
  EXPECT_NE(image.error().message.find("undeclared"), std::string::npos);
  EXPECT_NE(image.error().message.find("trial.cu:"), std::string::npos) << image.error().message;
}

TEST_F(MachineTest, CompilingForAnUnknownTargetIsRefused) {
  const auto image = compileForHost({sourceOf({.body = ""}), "trial", "sm_1"});
  ASSERT_FALSE(image);
  EXPECT_EQ(image.error().code, ErrorCode::InvalidInput);
}

TEST_F(MachineTest, AFailedLaunchCarriesTheFindingsText) {
  const Outcome done = bench.run({.body = "\n  out[2000] = 1; // wrong\n"}, true);
  EXPECT_EQ(done.code, kLaunchFailed);
  EXPECT_EQ(nameOf(api, done.code), "CUDA_ERROR_LAUNCH_FAILED");
  ASSERT_TRUE(done.finding);
  EXPECT_EQ(textOf(api, done.code), describe(*done.finding));
  EXPECT_NE(textOf(api, done.code).find("// wrong"), std::string::npos);
}

TEST_F(MachineTest, GoesOnAfterAFailedLaunch) {
  ASSERT_TRUE(bench.run({.body = "\n  out[2000] = 1;\n"}, true).finding);
  const Outcome done = bench.run({.body = "\n  out[thread] = 1;\n"}, false);
  EXPECT_EQ(done.code, kCudaSuccess);
  EXPECT_FALSE(done.finding);
  EXPECT_EQ(done.out[63], 1U);
}

/// Leaves this process that many more bytes of address space.
void limitMemory(std::uint64_t bytes) {
  std::ifstream statm("/proc/self/statm");
  std::uint64_t pages = 0;
  statm >> pages;
  const rlim_t limit = pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) + bytes;
  const rlimit both = {limit, limit};
  setrlimit(RLIMIT_AS, &both);
}

TEST_F(MachineTest, AHostWithoutMemoryIsOutOfMemoryAndNoFinding) {
  const Trial trial = {.body = "\n  out[thread] = 1;\n", .threads = 1024};
  ASSERT_EQ(bench.run(trial, false).code, kCudaSuccess);
  const auto runInLittle = [&] {
    // Less than the stacks of a thousand threads, in a process without any from before.
    TrialBench other;
    limitMemory(32 << 20);
    const Outcome done = other.run({.body = trial.body, .threads = 1024, .ctas = 1}, false);
    std::exit(done.code == kOutOfMemory && !done.finding ? 0 : 1);
  };
  EXPECT_EXIT(std::thread(runInLittle).join(), testing::ExitedWithCode(0), "");
}

TEST_F(MachineTest, LaunchesAndFindingsAreTakenOnce) {
  ASSERT_FALSE(bench.run({.body = "\n  out[thread] = 1;\n"}, false).finding); // takes both
  EXPECT_TRUE(bench.machine().takeLaunches().empty());
  EXPECT_TRUE(bench.machine().takeFindings().empty());
}

TEST_F(MachineTest, AGridHasOneDimension) {
  const auto image = compileForHost({sourceOf({.body = ""}), "trial", "sm_90"});
  ASSERT_TRUE(image);
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  check(api, api.cuModuleLoadData(&module, image->data()));
  check(api, api.cuModuleGetFunction(&function, module, "trial"));
  const auto launch = [&](unsigned gridY, unsigned blockZ) {
    CUlaunchConfig config;
    config.gridY = gridY;
    config.blockX = 32;
    config.blockZ = blockZ;
    return api.cuLaunchKernelEx(&config, function, nullptr, nullptr);
  };
  EXPECT_EQ(launch(2, 1), kInvalidValue);
  EXPECT_EQ(launch(1, 2), kInvalidValue);
  check(api, api.cuModuleUnload(module));
}

TEST(Machines, FollowOneAnother) {
  CUdeviceptr old = 0;
  for (const char* const target : {"sm_90", "sm_120", "sm_80"}) {
    TrialBench bench({.target = target});
    EXPECT_EQ(bench.run({.body = "\n  out[thread] = thread;\n"}, false).out[63], 63U);
    int value = 0;
    check(bench.driver(), bench.driver().cuDeviceGetAttribute(&value, kAttributeComputeMajor, 0));
    EXPECT_EQ(value, std::string(target) == "sm_120" ? 12 : target[3] - '0');
    old = bench.outBuffer();
  }
  EXPECT_TRUE(msync(std::bit_cast<void*>(old), 4096, MS_ASYNC) != 0 && errno == ENOMEM)
      << "the memory of a machine that is gone is still there";
}

} // namespace
} // namespace mlac::simt
