#include "runtime/cuda/Module.h"

#include "runtime/cuda/CudaStatus.h"

#include <fmt/format.h>

#include <mutex>
#include <utility>
#include <vector>

namespace mlac {
namespace {

struct Retired {
  CUcontext context;
  CUmodule handle;
};

// Leaked on purpose: modules may be retired while the process's statics are destroyed.
struct RetiredList {
  std::mutex mutex;
  std::vector<Retired> modules;
};

RetiredList& retiredList() {
  static auto* list = new RetiredList;
  return *list;
}

std::vector<CUmodule> takeRetired(CUcontext context) {
  RetiredList& list = retiredList();
  std::lock_guard lock(list.mutex);
  std::vector<CUmodule> taken;
  std::erase_if(list.modules, [&](const Retired& retired) {
    if (retired.context == context)
      taken.push_back(retired.handle);
    return retired.context == context;
  });
  return taken;
}

} // namespace

Module::Module(const Device::Impl& device, CUmodule handle)
    : api(device.api), context(device.context), handle(handle) {}

Module::Module(Module&& other) noexcept
    : api(other.api), context(other.context), handle(std::exchange(other.handle, nullptr)) {}

Module::~Module() {
  if (handle == nullptr)
    return;
  RetiredList& list = retiredList();
  std::lock_guard lock(list.mutex);
  list.modules.push_back({context, handle});
}

Result<Module> Module::load(const Device::Impl& device, const std::string& cubin) {
  const RelaxedCaptureMode relaxed(*device.api);
  CUmodule handle = nullptr;
  MLAC_CUDA(*device.api, cuModuleLoadData, &handle, cubin.data());
  return Module(device, handle);
}

Result<CUfunction> Module::function(const std::string& entry) const {
  CUfunction function = nullptr;
  if (auto status = cudaStatus(
          *api, api->cuModuleGetFunction(&function, handle, entry.c_str()), "cuModuleGetFunction");
      !status)
    return Error{ErrorCode::CorruptData,
                 fmt::format("the cubin has no kernel '{}': {}", entry, status.error().message)};
  return function;
}

void unloadRetiredModules(const Device::Impl& device) {
  const RelaxedCaptureMode relaxed(*device.api);
  // A module that will not unload is gone with its context; there is nothing better to do with it.
  for (CUmodule handle : takeRetired(device.context))
    device.api->cuModuleUnload(handle);
}

void forgetRetiredModules(CUcontext context) {
  takeRetired(context);
}

} // namespace mlac
