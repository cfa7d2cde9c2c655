// Process: one program, run to its end.
#pragma once

#include "common/Result.h"

#include <string>
#include <string_view>
#include <vector>

namespace mlac {

struct ProcessOptions {
  std::string_view input = {};      ///< what it reads from its standard input
  bool sharesStandardError = false; ///< its talk goes to this process's, and is not kept
};

struct ProcessOutput {
  int status = 0; ///< exit status; 128 + the signal where one ended it
  std::string standardOutput;
  std::string standardError;
};

/// Runs `command`, whose first word is looked up on PATH. MissingDependency where it cannot be
/// started, IoFailed where there is no memory for what it reads and writes.
Result<ProcessOutput> runProcess(const std::vector<std::string>& command,
                                 const ProcessOptions& options = {});

} // namespace mlac
