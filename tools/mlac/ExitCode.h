// ExitCode: the one place where an error becomes the process's exit code.
#pragma once

#include "mlac/Result.hpp"

namespace mlac {

enum ExitCode : int {
  kExitDone = 0,
  kExitWrongInput = 1,  ///< the spec or another input is wrong
  kExitEnvironment = 2, ///< something this machine lacks
  kExitMismatch = 3     ///< outputs differ from the reference
};

ExitCode exitCodeOf(ErrorCode code);

/// What is right in itself and fails on this machine (its GPU, its NVRTC): Unsupported becomes
/// MissingDependency, so that it ends with kExitEnvironment.
Error blameEnvironment(Error error);

} // namespace mlac
