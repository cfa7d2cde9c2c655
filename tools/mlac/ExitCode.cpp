#include "tools/mlac/ExitCode.h"

namespace mlac {

ExitCode exitCodeOf(ErrorCode code) {
  switch (code) {
  case ErrorCode::Ok:
    return kExitDone;
  case ErrorCode::InvalidSpec:
  case ErrorCode::InvalidInput:
  case ErrorCode::InvalidArgument:
  case ErrorCode::Unsupported:
  case ErrorCode::CorruptData:
  case ErrorCode::IoFailed:
    return kExitWrongInput;
  case ErrorCode::MissingDependency:
  case ErrorCode::CompileFailed:
  case ErrorCode::DriverFailed:
  case ErrorCode::CaptureActive:
    return kExitEnvironment;
  case ErrorCode::VerificationFailed:
    break;
  }
  return kExitMismatch;
}

Error blameEnvironment(Error error) {
  if (error.code == ErrorCode::Unsupported)
    error.code = ErrorCode::MissingDependency;
  return error;
}

} // namespace mlac
