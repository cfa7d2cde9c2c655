#include "runtime/nvrtc/NvrtcStatus.h"

#include <fmt/format.h>

namespace mlac {
namespace {

constexpr NvrtcResult kSuccess = 0;
constexpr NvrtcResult kBuiltinOperationFailure = 7;

} // namespace

Status nvrtcStatus(const NvrtcApi& api, NvrtcResult code, std::string_view call) {
  if (code == kSuccess)
    return Unit{};
  const char* name = api.nvrtcGetErrorString(code);
  if (code == kBuiltinOperationFailure)
    return Error{ErrorCode::MissingDependency,
                 fmt::format("{} failed: {}; libnvrtc-builtins is missing beside libnvrtc, or of "
                             "another version",
                             call,
                             name)};
  return Error{ErrorCode::CompileFailed, fmt::format("{} failed: {}", call, name)};
}

} // namespace mlac
