// Cubins: all kernels of a family through NVRTC, for commands that need no GPU.
#pragma once

#include "common/KernelFamily.h"
#include "common/Result.h"
#include "runtime/nvrtc/Compile.h"

#include <string_view>
#include <vector>

namespace mlac {

/// The process's NVRTC, which must be able to compile for `target`. MissingDependency where there
/// is none, or not for that target.
Result<const Nvrtc*> nvrtcFor(std::string_view target);

/// Cubin, log and resources of every kernel, in the family's order; from the cache where it has
/// them. The errors of nvrtcFor, and CompileFailed.
Result<std::vector<CompileOutput>> compileKernels(const KernelFamily& family);

/// The same from NVRTC itself, with PTX, which the cache does not keep.
Result<std::vector<CompileOutput>> compileKernelsAfresh(const KernelFamily& family);

/// "NVRTC 13.0"
std::string nvrtcName(const Nvrtc& nvrtc);

} // namespace mlac
