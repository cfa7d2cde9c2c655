// Driver: the loaded CUDA driver library, found by dlopen, or a fake one in tests.
#pragma once

#include "common/Result.h"
#include "runtime/cuda/DriverApi.h"

#include <string>

namespace mlac {

struct Driver {
  DriverApi api;
  std::string path; ///< the file the loader took
};

/// Loads libcuda: `path`, or libcuda.so.1 by the loader's own search when it is empty. Calls
/// nothing in it. MissingDependency says what was tried and what the loader answered.
Result<Driver> loadDriver(const std::string& path);

/// The process's driver (MLAC_DRIVER or libcuda.so.1): loaded on first use, then always the same
/// answer.
Result<const Driver*> processDriver();

/// Makes processDriver() answer `fake` until it is given null. For tests; not to be raced with
/// other calls.
void replaceProcessDriver(const Driver* fake);

} // namespace mlac
