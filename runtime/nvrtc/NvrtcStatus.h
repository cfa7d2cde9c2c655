// NvrtcStatus: the one place where an NVRTC result becomes a Status.
#pragma once

#include "common/Result.h"
#include "runtime/nvrtc/NvrtcApi.h"

#include <string_view>

namespace mlac {

/// Success, or an error naming the call and NVRTC's own name for the code. A refused source or
/// option is CompileFailed; a library that cannot work (missing builtins) is MissingDependency.
Status nvrtcStatus(const NvrtcApi& api, NvrtcResult code, std::string_view call);

} // namespace mlac

/// Calls an entry of an NvrtcApi; returns its error, if any, from the enclosing function.
#define MLAC_NVRTC(api, entry, ...)                                                                \
  MLAC_CHECK(::mlac::nvrtcStatus((api), (api).entry(__VA_ARGS__), #entry))
