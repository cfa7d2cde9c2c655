// CompileService: memory cache, disk cache, NVRTC, in this order. One compilation a key and
// process.
#pragma once

#include "runtime/cache/DiskCache.h"
#include "runtime/cache/MemoryCache.h"

#include <functional>
#include <string>
#include <string_view>

namespace mlac {

class CompileService {
public:
  using Compiler = std::function<Result<CompileOutput>(const CompileInput&)>;

  struct Outcome {
    std::shared_ptr<const CompileOutput> output;
    std::string origin; ///< "memory cache", "disk cache" or "compiled"
  };

  /// `nvrtc` is part of every key; null where there is none, and then `compile` is asked to explain
  /// that.
  CompileService(std::string diskFolder, const Nvrtc* nvrtc, Compiler compile);

  Result<Outcome> cubinFor(std::string_view role, const CompileInput& input);

  DiskCache& disk() { return diskCache; }

private:
  const Nvrtc* nvrtc;
  Compiler compile;
  DiskCache diskCache;
  MemoryCache memoryCache;
};

/// The process's service: its NVRTC, and the cache folder of the environment.
CompileService& processCompileService();

} // namespace mlac
