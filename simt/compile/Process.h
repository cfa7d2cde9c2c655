// Process: one program, run to its end.
#pragma once

#include "common/Result.h"

#include <string>
#include <vector>

namespace mlac::simt {

struct ProcessOutput {
  int status = 0; ///< exit status; 128 + the signal where one ended it
  std::string standardOutput;
  std::string standardError;
};

/// Runs `command`, whose first word is looked up on PATH, without input. MissingDependency where
/// it cannot be started.
Result<ProcessOutput> runProcess(const std::vector<std::string>& command);

} // namespace mlac::simt
