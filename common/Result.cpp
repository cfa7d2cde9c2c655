#include "common/Result.h"

namespace mlac {

const char* errorCodeName(ErrorCode code) {
  switch (code) {
  case ErrorCode::Ok:
    return "ok";
  case ErrorCode::InvalidSpec:
    return "invalid-spec";
  case ErrorCode::InvalidInput:
    return "invalid-input";
  case ErrorCode::InvalidArgument:
    return "invalid-argument";
  case ErrorCode::Unsupported:
    return "unsupported";
  case ErrorCode::MissingDependency:
    return "missing-dependency";
  case ErrorCode::CompileFailed:
    return "compile-failed";
  case ErrorCode::DriverFailed:
    return "driver-failed";
  case ErrorCode::CorruptData:
    return "corrupt-data";
  case ErrorCode::IoFailed:
    return "io-failed";
  case ErrorCode::CaptureActive:
    return "capture-active";
  case ErrorCode::VerificationFailed:
    return "verification-failed";
  }
  return "unknown";
}

} // namespace mlac
