// CudaHandles: a stream, an event and a graph that end with their owner.
#pragma once

#include "common/Result.h"
#include "runtime/cuda/CudaStatus.h"
#include "runtime/cuda/DriverApi.h"

#include <utility>

namespace mlac {

/// Owns a handle; `End` names the entry of DriverApi that destroys it.
template <typename Handle, CUresult (*DriverApi::*End)(Handle)>
class CudaHandle {
public:
  explicit CudaHandle(const DriverApi& api) : api(api) {}

  CudaHandle(CudaHandle&& other) noexcept
      : api(other.api), handle(std::exchange(other.handle, nullptr)) {}

  CudaHandle& operator=(CudaHandle&&) = delete;

  ~CudaHandle() {
    if (handle != nullptr)
      (api.*End)(handle);
  }

  Handle get() const { return handle; }

  /// Where a driver call that creates the handle is to put it.
  Handle* out() { return &handle; }

private:
  const DriverApi& api;
  Handle handle = nullptr;
};

using StreamHandle = CudaHandle<CUstream, &DriverApi::cuStreamDestroy>;
using EventHandle = CudaHandle<CUevent, &DriverApi::cuEventDestroy>;
using GraphHandle = CudaHandle<CUgraph, &DriverApi::cuGraphDestroy>;
using GraphExecHandle = CudaHandle<CUgraphExec, &DriverApi::cuGraphExecDestroy>;

} // namespace mlac
