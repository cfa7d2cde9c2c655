// Makes the CPU lowering's passes known to MLIR's command line.
#pragma once

namespace mlac {

/// Registers `mla-lower-to-loops`, `mla-expand-half`, and the pipeline `mla-lower-to-llvm`, which
/// follows the former.
void registerCpuPasses();

} // namespace mlac
