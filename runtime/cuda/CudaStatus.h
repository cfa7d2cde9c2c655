// CudaStatus: the one place where a CUresult becomes a Status.
#pragma once

#include "common/Result.h"
#include "runtime/cuda/DriverApi.h"

#include <string_view>

namespace mlac {

/// Success, or an error naming the call, CUDA's name for the code and its text. A missing device is
/// MissingDependency, a call that stream capture forbids is CaptureActive, all else DriverFailed.
Status cudaStatus(const DriverApi& api, CUresult code, std::string_view call);

} // namespace mlac

/// Calls an entry of a DriverApi; returns its error, if any, from the enclosing function.
#define MLAC_CUDA(api, entry, ...)                                                                 \
  MLAC_CHECK(::mlac::cudaStatus((api), (api).entry(__VA_ARGS__), #entry))
