#include "runtime/cuda/Driver.h"

#include "common/Log.h"
#include "common/Options.h"
#include "runtime/SharedLibrary.h"

#include <fmt/format.h>

#include <atomic>

namespace mlac {
namespace {

std::atomic<const Driver*> replacement = nullptr;

} // namespace

Result<Driver> loadDriver(const std::string& path) {
  const std::string file = path.empty() ? "libcuda.so.1" : path;
  auto library = openLibrary(file);
  if (!library)
    return Error{ErrorCode::MissingDependency,
                 fmt::format("no CUDA driver: tried {} ({}); install NVIDIA's driver, or set "
                             "MLAC_DRIVER to its libcuda.so.1",
                             file,
                             library.error().message)};
  Driver driver;
#define MLAC_DRIVER_ENTRY(name, symbol, params)                                                    \
  driver.api.name = reinterpret_cast<decltype(driver.api.name)>(librarySymbol(*library, symbol));  \
  if (driver.api.name == nullptr)                                                                  \
    return Error{ErrorCode::MissingDependency,                                                     \
                 fmt::format("{} has no {}: the CUDA driver is too old", file, symbol)};
#include "runtime/cuda/DriverEntries.def"
  driver.path = libraryOfAddress(reinterpret_cast<const void*>(driver.api.cuInit));
  logMessage(LogLevel::Info, fmt::format("CUDA driver: {}", driver.path));
  return driver;
}

Result<const Driver*> processDriver() {
  if (const Driver* fake = replacement.load(std::memory_order_acquire))
    return fake;
  static const Result<Driver> loaded = loadDriver(options().driver);
  if (!loaded)
    return loaded.error();
  return &*loaded;
}

void replaceProcessDriver(const Driver* fake) {
  replacement.store(fake, std::memory_order_release);
}

} // namespace mlac
