// Sass: the instruction mix of a family's kernels, for what `mlac explain` says.
#pragma once

#include "common/Result.h"
#include "runtime/nvrtc/Compile.h"

#include <span>

namespace mlac {

struct Explanation;

/// Disassembles the kernels' cubins, which come in the explanation's order, and counts their
/// instructions. Where this machine cannot disassemble them, the explanation says why and holds no
/// counts; that is no error.
Status addSass(Explanation& explanation, std::span<const CompileOutput> outputs);

} // namespace mlac
