// The driver's entries, each acting on the one simulated device.
#include "simt/driver/SimulatedDevice.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstdio>
#include <cstring>

namespace mlac::simt {
namespace {

constexpr CUresult kInvalidValue = 1;
constexpr CUresult kInvalidImage = 200;
constexpr CUresult kNotFound = 500;
constexpr CUresult kNotSupported = 801;

constexpr int kDriverVersion = 13000;
constexpr int kL2Bytes = 50 << 20;

SimulatedDevice* theDevice = nullptr;

/// Handles that are nothing but names.
template <class Handle>
Handle handleOf(std::uintptr_t number) {
  return std::bit_cast<Handle>(number);
}

struct NamedResult {
  CUresult code;
  const char* name;
  const char* text;
};

constexpr std::array kResults = {
    NamedResult{kCudaSuccess, "CUDA_SUCCESS", "no error"},
    NamedResult{kInvalidValue, "CUDA_ERROR_INVALID_VALUE", "an argument is wrong"},
    NamedResult{kSimtOutOfMemory, "CUDA_ERROR_OUT_OF_MEMORY", "this machine has no memory left"},
    NamedResult{kCudaInvalidDevice, "CUDA_ERROR_INVALID_DEVICE", "the executor has one device, 0"},
    NamedResult{kInvalidImage, "CUDA_ERROR_INVALID_IMAGE", nullptr},
    NamedResult{kNotFound, "CUDA_ERROR_NOT_FOUND", "the module has no such kernel"},
    NamedResult{kSimtLaunchFailed, "CUDA_ERROR_LAUNCH_FAILED", nullptr},
    NamedResult{
        kNotSupported, "CUDA_ERROR_NOT_SUPPORTED", "the SIMT executor has no graphs and no clocks"},
};

const NamedResult* named(CUresult code) {
  for (const NamedResult& result : kResults)
    if (result.code == code)
      return &result;
  return nullptr;
}

CUresult getErrorName(CUresult code, const char** name) {
  const NamedResult* const result = named(code);
  *name = result != nullptr ? result->name : nullptr;
  return result != nullptr ? kCudaSuccess : kInvalidValue;
}

CUresult getErrorString(CUresult code, const char** text) {
  const NamedResult* const result = named(code);
  if (result == nullptr)
    return kInvalidValue;
  if (result->text != nullptr)
    *text = result->text;
  else
    *text = (code == kInvalidImage ? theDevice->lastImageError : theDevice->lastFinding).c_str();
  return kCudaSuccess;
}

CUresult deviceGetAttribute(int* value, int attribute, CUdevice) {
  const Target& target = *theDevice->target;
  constexpr int kMinors = 10;
  switch (attribute) {
  case kAttributeSms:
    *value = target.nominalSms;
    return kCudaSuccess;
  case kAttributeL2Bytes:
    *value = kL2Bytes;
    return kCudaSuccess;
  case kAttributeComputeMajor:
    *value = target.sm / kMinors;
    return kCudaSuccess;
  case kAttributeComputeMinor:
    *value = target.sm % kMinors;
    return kCudaSuccess;
  case kAttributeSmemPerCtaOptin:
    *value = target.smemPerCtaBytes;
    return kCudaSuccess;
  default:
    return kInvalidValue;
  }
}

CUresult deviceGetName(char* name, int bytes, CUdevice) {
  std::snprintf(name,
                static_cast<std::size_t>(bytes),
                "SIMT executor as %.*s",
                static_cast<int>(theDevice->target->name.size()),
                theDevice->target->name.data());
  return kCudaSuccess;
}

CUresult moduleLoadData(CUmodule* module, const void* image) {
  auto loaded = KernelImage::load(image);
  const std::lock_guard lock(theDevice->mutex);
  if (!loaded) {
    theDevice->lastImageError = loaded.error().message;
    return kInvalidImage;
  }
  *module = reinterpret_cast<CUmodule>(loaded->get());
  theDevice->modules[*module] = std::move(*loaded);
  return kCudaSuccess;
}

CUresult moduleUnload(CUmodule module) {
  const std::lock_guard lock(theDevice->mutex);
  return theDevice->modules.erase(module) == 1 ? kCudaSuccess : kInvalidValue;
}

CUresult moduleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  const std::lock_guard lock(theDevice->mutex);
  const auto found = theDevice->modules.find(module);
  if (found == theDevice->modules.end())
    return kInvalidValue;
  if (found->second->entry() != name)
    return kNotFound;
  *function = reinterpret_cast<CUfunction>(found->second.get());
  return kCudaSuccess;
}

CUresult
launchKernelEx(const CUlaunchConfig* config, CUfunction function, void** params, void** extra) {
  const bool oneDimension =
      config->gridY == 1 && config->gridZ == 1 && config->blockY == 1 && config->blockZ == 1;
  if (!oneDimension || extra != nullptr)
    return kInvalidValue;
  bool startsEarly = false;
  for (unsigned i = 0; i < config->attributeCount; ++i) {
    if (config->attributes[i].id != kLaunchStartsEarly)
      return kNotSupported;
    startsEarly = config->attributes[i].value.enabled != 0;
  }
  return launchOn(*theDevice,
                  *reinterpret_cast<const KernelImage*>(function),
                  {config->gridX, config->blockX, config->dynamicSmemBytes},
                  params != nullptr ? params[0] : nullptr,
                  startsEarly);
}

CUresult memAlloc(CUdeviceptr* pointer, std::size_t bytes) {
  const std::lock_guard lock(theDevice->mutex);
  if (bytes == 0)
    return kInvalidValue;
  *pointer = theDevice->memory.allocate(bytes);
  return *pointer != 0 ? kCudaSuccess : kSimtOutOfMemory;
}

CUresult memFree(CUdeviceptr pointer) {
  const std::lock_guard lock(theDevice->mutex);
  return theDevice->memory.free(pointer) ? kCudaSuccess : kInvalidValue;
}

CUresult memGetInfo(std::size_t* freeBytes, std::size_t* totalBytes) {
  constexpr std::size_t kTotal = std::size_t{1} << 40;
  const std::lock_guard lock(theDevice->mutex);
  *totalBytes = kTotal;
  *freeBytes = kTotal - std::min<std::size_t>(kTotal, theDevice->memory.bytesHeld());
  return kCudaSuccess;
}

CUresult copyToDevice(CUdeviceptr to, const void* from, std::size_t bytes) {
  const std::lock_guard lock(theDevice->mutex);
  if (theDevice->memory.find(to, bytes) == nullptr)
    return kInvalidValue;
  std::memcpy(std::bit_cast<void*>(to), from, bytes);
  return kCudaSuccess;
}

CUresult copyToHost(void* to, CUdeviceptr from, std::size_t bytes) {
  const std::lock_guard lock(theDevice->mutex);
  if (theDevice->memory.find(from, bytes) == nullptr)
    return kInvalidValue;
  std::memcpy(to, std::bit_cast<const void*>(from), bytes);
  return kCudaSuccess;
}

CUresult fillBytes(CUdeviceptr pointer, unsigned char value, std::size_t count) {
  const std::lock_guard lock(theDevice->mutex);
  return theDevice->memory.fill(pointer, value, count) ? kCudaSuccess : kInvalidValue;
}

CUresult fillWords(CUdeviceptr pointer, unsigned value, std::size_t count) {
  const std::lock_guard lock(theDevice->mutex);
  if (theDevice->memory.find(pointer, count * sizeof value) == nullptr)
    return kInvalidValue;
  for (std::size_t i = 0; i < count; ++i)
    std::memcpy(std::bit_cast<void*>(pointer + i * sizeof value), &value, sizeof value);
  return kCudaSuccess;
}

void setDeviceEntries(DriverApi& api) {
  api.cuInit = [](unsigned) { return kCudaSuccess; };
  api.cuDriverGetVersion = [](int* version) {
    *version = kDriverVersion;
    return kCudaSuccess;
  };
  api.cuGetErrorName = getErrorName;
  api.cuGetErrorString = getErrorString;
  api.cuDeviceGetCount = [](int* count) {
    *count = 1;
    return kCudaSuccess;
  };
  api.cuDeviceGet = [](CUdevice* device, int ordinal) {
    *device = ordinal;
    return ordinal == 0 ? kCudaSuccess : kCudaInvalidDevice;
  };
  api.cuDeviceGetName = deviceGetName;
  api.cuDeviceGetAttribute = deviceGetAttribute;
  api.cuDevicePrimaryCtxRetain = [](CUcontext* context, CUdevice) {
    *context = handleOf<CUcontext>(1);
    return kCudaSuccess;
  };
  api.cuDevicePrimaryCtxRelease = [](CUdevice) { return kCudaSuccess; };
  api.cuCtxGetCurrent = [](CUcontext* context) {
    *context = handleOf<CUcontext>(1);
    return kCudaSuccess;
  };
  api.cuCtxSetCurrent = [](CUcontext) { return kCudaSuccess; };
  api.cuCtxGetDevice = [](CUdevice* device) {
    *device = 0;
    return kCudaSuccess;
  };
  api.cuCtxSynchronize = [] { return kCudaSuccess; };
}

void setKernelEntries(DriverApi& api) {
  api.cuModuleLoadData = moduleLoadData;
  api.cuModuleUnload = moduleUnload;
  api.cuModuleGetFunction = moduleGetFunction;
  api.cuFuncGetAttribute = [](int* value, int, CUfunction) {
    *value = 0;
    return kCudaSuccess;
  };
  api.cuFuncSetAttribute = [](CUfunction, int, int) { return kCudaSuccess; };
  api.cuLaunchKernelEx = launchKernelEx;
}

void setMemoryEntries(DriverApi& api) {
  api.cuMemAlloc = memAlloc;
  api.cuMemFree = memFree;
  api.cuMemGetInfo = memGetInfo;
  api.cuMemcpyHtoD = copyToDevice;
  api.cuMemcpyDtoH = copyToHost;
  api.cuMemsetD8 = fillBytes;
  api.cuMemsetD32 = fillWords;
}

/// Streams and events exist; a launch is over when it returns, so they have nothing to wait for.
void setStreamEntries(DriverApi& api) {
  api.cuThreadExchangeStreamCaptureMode = [](int*) { return kCudaSuccess; };
  api.cuStreamCreate = [](CUstream* stream, unsigned) {
    *stream = handleOf<CUstream>(1);
    return kCudaSuccess;
  };
  api.cuStreamDestroy = [](CUstream) { return kCudaSuccess; };
  api.cuStreamSynchronize = [](CUstream) { return kCudaSuccess; };
  api.cuStreamBeginCapture = [](CUstream, int) { return kNotSupported; };
  api.cuStreamEndCapture = [](CUstream, CUgraph*) { return kNotSupported; };
  api.cuGraphInstantiate = [](CUgraphExec*, CUgraph, unsigned long long) { return kNotSupported; };
  api.cuGraphLaunch = [](CUgraphExec, CUstream) { return kNotSupported; };
  api.cuGraphDestroy = [](CUgraph) { return kNotSupported; };
  api.cuGraphExecDestroy = [](CUgraphExec) { return kNotSupported; };
  api.cuEventCreate = [](CUevent* event, unsigned) {
    *event = handleOf<CUevent>(1);
    return kCudaSuccess;
  };
  api.cuEventDestroy = [](CUevent) { return kCudaSuccess; };
  api.cuEventRecord = [](CUevent, CUstream) { return kCudaSuccess; };
  api.cuEventElapsedTime = [](float*, CUevent, CUevent) { return kNotSupported; };
}

} // namespace

DriverApi driverFor(SimulatedDevice& device) {
  theDevice = &device;
  DriverApi api;
  setDeviceEntries(api);
  setKernelEntries(api);
  setMemoryEntries(api);
  setStreamEntries(api);
  return api;
}

} // namespace mlac::simt
