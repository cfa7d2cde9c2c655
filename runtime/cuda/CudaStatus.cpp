#include "runtime/cuda/CudaStatus.h"

#include <fmt/format.h>

namespace mlac {
namespace {

// CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED to CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD.
constexpr CUresult kFirstCaptureError = 900;
constexpr CUresult kLastCaptureError = 908;

ErrorCode errorCodeFor(CUresult code) {
  if (code == kCudaNoDevice || code == kCudaInvalidDevice)
    return ErrorCode::MissingDependency;
  const bool isCapture = code >= kFirstCaptureError && code <= kLastCaptureError;
  return isCapture ? ErrorCode::CaptureActive : ErrorCode::DriverFailed;
}

} // namespace

Status cudaStatus(const DriverApi& api, CUresult code, std::string_view call) {
  if (code == kCudaSuccess)
    return Unit{};
  const char* name = nullptr;
  const char* text = nullptr;
  if (api.cuGetErrorName(code, &name) != kCudaSuccess || name == nullptr)
    name = "unknown error";
  if (api.cuGetErrorString(code, &text) != kCudaSuccess || text == nullptr)
    text = "the driver has no text for it";
  return Error{errorCodeFor(code), fmt::format("{} failed: {} ({}): {}", call, name, code, text)};
}

} // namespace mlac
