#include "FakeDriver.h"

#include "runtime/cuda/Module.h"

#include <array>
#include <deque>

namespace mlac::test {
namespace {

FakeDriverState state;

// Handles are addresses of these; entries stay valid until the next fake is made.
std::deque<std::string> functionNames;
char contextObject = 0;
char otherContextObject = 0;
char moduleObject = 0;

CUcontext context() {
  return reinterpret_cast<CUcontext>(&contextObject);
}

CUresult count(const char* entry) {
  ++state.calls[entry];
  return kCudaSuccess;
}

const std::string& nameOf(CUfunction function) {
  return *reinterpret_cast<const std::string*>(function);
}

CUresult fakeGetCurrent(CUcontext* current) {
  *current = state.contextIsCurrent ? context() : reinterpret_cast<CUcontext>(&otherContextObject);
  return count("cuCtxGetCurrent");
}

CUresult fakeGetName(char* name, int bytes, CUdevice) {
  state.deviceName.copy(name, static_cast<std::size_t>(bytes));
  return count("cuDeviceGetName");
}

CUresult fakeGetAttribute(int* value, int attribute, CUdevice) {
  const std::map<int, int> values = {{kAttributeSms, state.sms},
                                     {kAttributeL2Bytes, state.l2Bytes},
                                     {kAttributeComputeMajor, state.computeMajor},
                                     {kAttributeComputeMinor, state.computeMinor},
                                     {kAttributeSmemPerCtaOptin, state.smemPerCtaOptinBytes}};
  *value = values.at(attribute);
  return count("cuDeviceGetAttribute");
}

CUresult fakeModuleLoad(CUmodule* module, const void* image) {
  count("cuModuleLoadData");
  constexpr CUresult kInvalidImage = 200;
  if (state.failLoadsAfter == 0)
    return kInvalidImage;
  --state.failLoadsAfter;
  state.loadedImages.emplace_back(static_cast<const char*>(image));
  ++state.loadedModules;
  *module = reinterpret_cast<CUmodule>(&moduleObject);
  return kCudaSuccess;
}

CUresult fakeModuleUnload(CUmodule) {
  --state.loadedModules;
  return count("cuModuleUnload");
}

CUresult fakeGetFunction(CUfunction* function, CUmodule, const char* name) {
  functionNames.emplace_back(name);
  *function = reinterpret_cast<CUfunction>(&functionNames.back());
  return count("cuModuleGetFunction");
}

CUresult fakeFunctionAttribute(int* value, int attribute, CUfunction) {
  constexpr int kRegisters = 77;
  *value = attribute == kFunctionStaticSmemBytes ? state.staticSmemBytes : kRegisters;
  return count("cuFuncGetAttribute");
}

CUresult fakeSetFunctionAttribute(CUfunction function, int attribute, int value) {
  if (attribute == kFunctionMaxDynamicSmemBytes)
    state.dynamicSmemSet[nameOf(function)] = value;
  if (attribute == kFunctionSmemCarveout)
    state.smemCarveoutSet[nameOf(function)] = value;
  return count("cuFuncSetAttribute");
}

CUresult
fakeLaunch(const CUlaunchConfig* config, CUfunction function, void** params, void** /*extra*/) {
  count("cuLaunchKernelEx");
  const auto* bytes = static_cast<const std::byte*>(params[0]);
  bool startsEarly = false;
  for (unsigned i = 0; i < config->attributeCount; ++i)
    startsEarly |= config->attributes[i].id == kLaunchStartsEarly;
  state.launches.push_back({nameOf(function),
                            config->gridX,
                            config->gridY,
                            config->gridZ,
                            config->blockX,
                            config->dynamicSmemBytes,
                            config->stream,
                            startsEarly,
                            {bytes, bytes + kMaxParamBytes}});
  return state.launchResult;
}

DriverApi fakeApi() {
  DriverApi api;
  api.cuInit = [](unsigned) { return count("cuInit"); };
  api.cuGetErrorName = [](CUresult, const char** name) {
    *name = "CUDA_ERROR_FAKE";
    return kCudaSuccess;
  };
  api.cuGetErrorString = [](CUresult, const char** text) {
    *text = "as the test asked";
    return kCudaSuccess;
  };
  api.cuDeviceGetCount = [](int* devices) {
    *devices = 1;
    return count("cuDeviceGetCount");
  };
  api.cuDeviceGet = [](CUdevice* device, int ordinal) {
    *device = ordinal;
    return count("cuDeviceGet");
  };
  api.cuDevicePrimaryCtxRetain = [](CUcontext* retained, CUdevice) {
    *retained = context();
    return count("cuDevicePrimaryCtxRetain");
  };
  api.cuDevicePrimaryCtxRelease = [](CUdevice) { return count("cuDevicePrimaryCtxRelease"); };
  api.cuCtxSetCurrent = [](CUcontext) { return count("cuCtxSetCurrent"); };
  api.cuCtxGetDevice = [](CUdevice* device) {
    *device = 0;
    return count("cuCtxGetDevice");
  };
  api.cuThreadExchangeStreamCaptureMode = [](int*) {
    return count("cuThreadExchangeStreamCaptureMode");
  };
  api.cuCtxGetCurrent = fakeGetCurrent;
  api.cuDeviceGetName = fakeGetName;
  api.cuDeviceGetAttribute = fakeGetAttribute;
  api.cuModuleLoadData = fakeModuleLoad;
  api.cuModuleUnload = fakeModuleUnload;
  api.cuModuleGetFunction = fakeGetFunction;
  api.cuFuncGetAttribute = fakeFunctionAttribute;
  api.cuFuncSetAttribute = fakeSetFunctionAttribute;
  api.cuLaunchKernelEx = fakeLaunch;
  return api;
}

} // namespace

FakeDriver::FakeDriver() : driver{fakeApi(), "a fake"} {
  state = FakeDriverState();
  functionNames.clear();
  forgetRetiredModules(context());
  replaceProcessDriver(&driver);
}

FakeDriver::~FakeDriver() {
  replaceProcessDriver(nullptr);
}

FakeDriverState& FakeDriver::operator*() {
  return state;
}

FakeDriverState* FakeDriver::operator->() {
  return &state;
}

} // namespace mlac::test
