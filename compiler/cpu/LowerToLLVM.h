// From the loops of mla-lower-to-loops to the LLVM dialect, with upstream's conversions.
#pragma once

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace mlac {

/// Appends the passes from scf/arith/math/func to the LLVM dialect. Afterwards only libm's
/// functions are external.
void buildLowerToLLVM(mlir::OpPassManager& passes);

} // namespace mlac
