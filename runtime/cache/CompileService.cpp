#include "runtime/cache/CompileService.h"

#include "common/Options.h"

#include <utility>

namespace mlac {

CompileService::CompileService(std::string diskFolder, const Nvrtc* nvrtc, Compiler compile)
    : nvrtc(nvrtc), compile(std::move(compile)), diskCache(std::move(diskFolder)) {}

Result<CompileService::Outcome> CompileService::cubinFor(std::string_view role,
                                                         const CompileInput& input) {
  const KernelKey key = makeKernelKey(role, input, nvrtc);
  bool compiled = false;
  const auto make = [&]() -> Result<MemoryCache::Entry> {
    if (auto found = diskCache.find(key))
      return std::make_shared<const CompileOutput>(std::move(*found));
    MLAC_TRY(output, compile(input));
    compiled = true;
    diskCache.store(key, output);
    return std::make_shared<const CompileOutput>(std::move(output));
  };
  MLAC_TRY(found, memoryCache.findOrMake(key, make));
  if (!found.made)
    return Outcome{found.entry, "memory cache"};
  return Outcome{found.entry, compiled ? "compiled" : "disk cache"};
}

CompileService& processCompileService() {
  static auto* service = [] {
    const auto nvrtc = processNvrtc();
    const auto compile = [](const CompileInput& input) -> Result<CompileOutput> {
      MLAC_TRY(library, processNvrtc());
      return compileSource(*library, input);
    };
    return new CompileService(options().kernelCacheDir(), nvrtc ? *nvrtc : nullptr, compile);
  }();
  return *service;
}

} // namespace mlac
