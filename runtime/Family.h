// Family: from the compiler's hand-over to kernels loaded into a context. What jit/ and Bundle
// call.
#pragma once

#include "common/KernelFamily.h"
#include "common/Result.h"
#include "mlac/mlac.hpp"
#include "runtime/nvrtc/Compile.h"

#include <functional>
#include <string>
#include <string_view>

namespace mlac {

/// A cubin and where it came from, as KernelReport::origin names it.
struct SourcedCubin {
  CompileOutput output;
  std::string target;
  std::string origin;
};

/// Yields the cubin of one kernel for `target`. Called from several threads at once.
using CubinSource = std::function<Result<SourcedCubin>(
    const KernelFamily& family, const Kernel& kernel, std::string_view target)>;

/// Memory cache, then disk cache, then NVRTC: what everyone uses who has no cubins of his own.
CubinSource cachedNvrtc();

/// The target `family` is to be compiled for on `device`: its own, or the device's where only
/// recompiling helps. Unsupported where the family needs a newer GPU.
Result<std::string> compileTargetFor(const KernelFamily& family, const Device& device);

/// Compiles all kernels (in parallel, never more threads than cores), loads them into the device's
/// context, which must be current, and binds parameter layouts. Nothing is loaded when anything
/// fails.
Result<Family>
loadFamily(const KernelFamily& family, const Device& device, const CubinSource& cubins);

/// The hand-over a family was loaded from.
const KernelFamily& kernelFamilyOf(const Family& family);

} // namespace mlac
