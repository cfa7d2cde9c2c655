// Finding the driver and the device: what is said where there is none, and which context counts.
#include "FakeDriver.h"
#include "TestFamily.h"
#include "runtime/cuda/CudaStatus.h"

namespace mlac::test {
namespace {

TEST(Driver, AMissingOneNamesWhatWasTriedAndTheLoadersReason) {
  const auto driver = loadDriver("/no/such/libcuda.so.1");
  expectError(driver, ErrorCode::MissingDependency, "tried /no/such/libcuda.so.1");
  expectError(driver, ErrorCode::MissingDependency, "cannot open shared object file");
  expectError(driver, ErrorCode::MissingDependency, "MLAC_DRIVER");
}

TEST(Driver, ALibraryWithoutItsEntriesIsRefusedByName) {
  expectError(loadDriver("libm.so.6"), ErrorCode::MissingDependency, "libm.so.6 has no cuInit");
}

TEST(Device, IsThatOfTheCurrentContext) {
  FakeDriver driver;
  const auto device = Device::current();
  ASSERT_TRUE(device) << device.error().message;
  EXPECT_EQ(device->name(), "Fake GPU");
  EXPECT_EQ(device->sms(), 132);
  EXPECT_EQ(device->computeMajor(), 9);
  EXPECT_EQ(device->computeMinor(), 0);
  EXPECT_EQ(device->targetName(), "sm_90");
  EXPECT_EQ(driver->calls.count("cuDeviceGet"), 0U) << "never device 0 by itself";
  EXPECT_EQ(driver->calls.count("cuInit"), 0U) << "an embedder's process is initialised already";
}

TEST(Device, NoCurrentContextIsSaidWithTheRemedy) {
  FakeDriver fake;
  Driver driver = **processDriver();
  driver.api.cuCtxGetCurrent = [](CUcontext* context) {
    *context = nullptr;
    return kCudaSuccess;
  };
  replaceProcessDriver(&driver);
  expectError(Device::current(), ErrorCode::MissingDependency, "cudaSetDevice");
  driver.api.cuCtxGetCurrent = [](CUcontext*) { return kCudaNotInitialized; };
  expectError(Device::current(), ErrorCode::MissingDependency, "no CUDA context is current");
}

TEST(Device, OpenRetainsThePrimaryContextAndReleasesItOnce) {
  FakeDriver driver;
  {
    const auto device = Device::open(0);
    ASSERT_TRUE(device) << device.error().message;
    const Device copy = *device;
    EXPECT_EQ(driver->calls.at("cuCtxSetCurrent"), 1);
    EXPECT_EQ(driver->calls.count("cuDevicePrimaryCtxRelease"), 0U);
  }
  EXPECT_EQ(driver->calls.at("cuDevicePrimaryCtxRelease"), 1);
}

TEST(Device, AnOrdinalThatIsNotThereIsRefused) {
  FakeDriver driver;
  expectError(Device::open(1), ErrorCode::MissingDependency, "no GPU 1; this machine has 1");
  expectError(Device::open(-1), ErrorCode::MissingDependency, "no GPU -1");
}

TEST(Device, TheNewestTargetThatRunsIsChosen) {
  FakeDriver driver;
  const auto targetOf = [&](int major, int minor) {
    driver->computeMajor = major;
    driver->computeMinor = minor;
    const auto device = Device::current();
    return device ? device->targetName() : device.error().message;
  };
  EXPECT_EQ(targetOf(8, 0), "sm_80");
  EXPECT_EQ(targetOf(8, 9), "sm_89");
  EXPECT_EQ(targetOf(9, 0), "sm_90");
  EXPECT_EQ(targetOf(10, 3), "sm_103");
  EXPECT_EQ(targetOf(12, 0), "sm_120");
  EXPECT_EQ(targetOf(12, 1), "sm_121");
  EXPECT_NE(targetOf(7, 5).find("7.5 is not supported"), std::string::npos);
}

TEST(CudaStatus, CodesBecomeTheirKindOfError) {
  FakeDriver driver;
  const DriverApi& api = (*processDriver())->api;
  EXPECT_TRUE(cudaStatus(api, 0, "cuX"));
  expectError(cudaStatus(api, 100, "cuX"), ErrorCode::MissingDependency, "cuX failed");
  expectError(cudaStatus(api, 900, "cuX"), ErrorCode::CaptureActive, "(900)");
  expectError(cudaStatus(api, 700, "cuX"), ErrorCode::DriverFailed, "(700)");
}

} // namespace
} // namespace mlac::test
