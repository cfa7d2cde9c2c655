// Module: one cubin loaded into a context, unloaded only when that can disturb nobody.
#pragma once

#include "common/Result.h"
#include "runtime/cuda/Device.h"

#include <string>

namespace mlac {

/// Owns a CUmodule. The destructor may run anywhere (while a stream is captured, in a thread
/// without a context), so it only retires the module; unloadRetiredModules does the rest.
class Module {
public:
  /// Loads a cubin into `device`'s context, which must be current.
  static Result<Module> load(const Device::Impl& device, const std::string& cubin);

  Module(Module&& other) noexcept;
  Module& operator=(Module&&) = delete;
  ~Module();

  Result<CUfunction> function(const std::string& entry) const;

private:
  Module(const Device::Impl& device, CUmodule handle);

  const DriverApi* api;
  CUcontext context;
  CUmodule handle;
};

/// Unloads what was retired in `device`'s context, which must be current.
void unloadRetiredModules(const Device::Impl& device);

/// Drops what was retired in a context that is about to end, and takes its modules with it.
void forgetRetiredModules(CUcontext context);

} // namespace mlac
