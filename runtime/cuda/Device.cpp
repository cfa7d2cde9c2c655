#include "runtime/cuda/Device.h"

#include "common/Target.h"
#include "runtime/cuda/CudaStatus.h"
#include "runtime/cuda/Driver.h"
#include "runtime/cuda/Module.h"

#include <fmt/format.h>

#include <array>

namespace mlac {
namespace {

Status readProperties(Device::Impl& device) {
  const DriverApi& api = *device.api;
  std::array<char, 256> name{};
  MLAC_CUDA(api, cuDeviceGetName, name.data(), static_cast<int>(name.size() - 1), device.device);
  device.name = name.data();
  const auto read = [&](int& value, int attribute) -> Status {
    MLAC_CUDA(api, cuDeviceGetAttribute, &value, attribute, device.device);
    return Unit{};
  };
  MLAC_CHECK(read(device.sms, kAttributeSms));
  MLAC_CHECK(read(device.computeMajor, kAttributeComputeMajor));
  MLAC_CHECK(read(device.computeMinor, kAttributeComputeMinor));
  MLAC_CHECK(read(device.l2Bytes, kAttributeL2Bytes));
  MLAC_CHECK(read(device.smemPerCtaOptinBytes, kAttributeSmemPerCtaOptin));
  auto target = targetForCapability(device.computeMajor, device.computeMinor);
  if (!target)
    return Error{target.error().code, fmt::format("{}: {}", device.name, target.error().message)};
  device.targetName = (*target)->name;
  return Unit{};
}

Error noContext() {
  return {ErrorCode::MissingDependency,
          "no CUDA context is current in this thread; make one current first "
          "(cudaSetDevice, or mlac::Device::open)"};
}

} // namespace

Device::Impl::~Impl() {
  if (!retainedPrimary)
    return;
  forgetRetiredModules(context);
  api->cuDevicePrimaryCtxRelease(device);
}

Device::Device(std::shared_ptr<const Impl> impl) : impl(std::move(impl)) {}

Result<Device> Device::current() {
  MLAC_TRY(driver, processDriver());
  auto impl = std::make_shared<Impl>();
  impl->api = &driver->api;
  const CUresult code = driver->api.cuCtxGetCurrent(&impl->context);
  // Not initialised means that nobody in this process has made a context yet.
  if (code == kCudaNotInitialized || (code == kCudaSuccess && impl->context == nullptr))
    return noContext();
  MLAC_CHECK(cudaStatus(driver->api, code, "cuCtxGetCurrent"));
  MLAC_CUDA(driver->api, cuCtxGetDevice, &impl->device);
  MLAC_CHECK(readProperties(*impl));
  return Device(impl);
}

Result<Device> Device::open(int ordinal) {
  MLAC_TRY(driver, processDriver());
  const DriverApi& api = driver->api;
  MLAC_CUDA(api, cuInit, 0);
  int count = 0;
  MLAC_CUDA(api, cuDeviceGetCount, &count);
  if (ordinal < 0 || ordinal >= count)
    return Error{ErrorCode::MissingDependency,
                 fmt::format("there is no GPU {}; this machine has {}", ordinal, count)};
  auto impl = std::make_shared<Impl>();
  impl->api = &api;
  MLAC_CUDA(api, cuDeviceGet, &impl->device, ordinal);
  MLAC_CUDA(api, cuDevicePrimaryCtxRetain, &impl->context, impl->device);
  impl->retainedPrimary = true;
  MLAC_CUDA(api, cuCtxSetCurrent, impl->context);
  MLAC_CHECK(readProperties(*impl));
  return Device(impl);
}

const std::string& Device::name() const {
  return impl->name;
}

int Device::sms() const {
  return impl->sms;
}

int Device::computeMajor() const {
  return impl->computeMajor;
}

int Device::computeMinor() const {
  return impl->computeMinor;
}

const std::string& Device::targetName() const {
  return impl->targetName;
}

Status checkContextIsCurrent(const Device::Impl& device) {
  CUcontext current = nullptr;
  MLAC_CUDA(*device.api, cuCtxGetCurrent, &current);
  if (current == device.context)
    return Unit{};
  return Error{ErrorCode::InvalidArgument,
               fmt::format("the kernels were loaded into another CUDA context of {}; make that one "
                           "current in this thread, or load the family again in this one",
                           device.name)};
}

RelaxedCaptureMode::RelaxedCaptureMode(const DriverApi& api) : api(api), mode(kCaptureRelaxed) {
  api.cuThreadExchangeStreamCaptureMode(&mode);
}

RelaxedCaptureMode::~RelaxedCaptureMode() {
  api.cuThreadExchangeStreamCaptureMode(&mode);
}

} // namespace mlac
