// Pass mla-expand-half: bf16 and f16 conversions as integer arithmetic on f32 bits.
#pragma once

#include <memory>

namespace mlir {
class Pass;
} // namespace mlir

namespace mlac {

/// Expands arith.extf and arith.truncf between f32 and bf16 or f16 (to nearest even). LLVM would
/// call library functions for them on hosts without the instructions, and a JIT cannot count on
/// finding those.
std::unique_ptr<mlir::Pass> createExpandHalfPass();

} // namespace mlac
