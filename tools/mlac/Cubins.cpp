#include "tools/mlac/Cubins.h"

#include "common/Parallel.h"
#include "runtime/Family.h"
#include "tools/mlac/Console.h"

#include <fmt/format.h>

#include <functional>

namespace mlac {
namespace {

using Compile = std::function<Result<CompileOutput>(const Kernel&)>;

Result<std::vector<CompileOutput>> compileEach(const KernelFamily& family, const Compile& compile) {
  std::vector<Result<CompileOutput>> results(family.kernels.size(), Error{});
  Progress progress("compiling", family.kernels.size());
  parallelFor(static_cast<std::int64_t>(results.size()), 0, [&](std::int64_t index) {
    const auto i = static_cast<std::size_t>(index);
    results[i] = compile(family.kernels[i]);
    progress.step(family.kernels[i].entry);
  });
  std::vector<CompileOutput> outputs;
  for (Result<CompileOutput>& result : results) {
    if (!result)
      return result.error();
    outputs.push_back(std::move(*result));
  }
  return outputs;
}

} // namespace

Result<const Nvrtc*> nvrtcFor(std::string_view target) {
  MLAC_TRY(nvrtc, processNvrtc());
  if (nvrtc->supports(target))
    return nvrtc;
  return Error{ErrorCode::MissingDependency,
               fmt::format("{} ({}) cannot compile for {}; it has {}. Choose one of those with -a, "
                           "or set MLAC_NVRTC to a newer one",
                           nvrtcName(*nvrtc),
                           nvrtc->path,
                           target,
                           nvrtc->supportedNames())};
}

Result<std::vector<CompileOutput>> compileKernels(const KernelFamily& family) {
  MLAC_CHECK(nvrtcFor(family.target));
  const CubinSource cubins = cachedNvrtc();
  return compileEach(family, [&](const Kernel& kernel) -> Result<CompileOutput> {
    MLAC_TRY(cubin, cubins(family, kernel, family.target));
    return cubin.output;
  });
}

Result<std::vector<CompileOutput>> compileKernelsAfresh(const KernelFamily& family) {
  MLAC_TRY(nvrtc, nvrtcFor(family.target));
  return compileEach(family, [&](const Kernel& kernel) {
    return compileSource(*nvrtc,
                         {.source = kernel.source,
                          .name = kernel.entry,
                          .entry = kernel.entry,
                          .target = family.target,
                          .extraOptions = {}});
  });
}

std::string nvrtcName(const Nvrtc& nvrtc) {
  return fmt::format("NVRTC {}.{}", nvrtc.major, nvrtc.minor);
}

} // namespace mlac
