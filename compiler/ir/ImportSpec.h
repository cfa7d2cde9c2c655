// Between mlac::Variant and mla.attention, both ways.
#pragma once

#include "common/Variant.h"

#include "llvm/ADT/ArrayRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlac::mla {
class AttentionOp;

/// A module with one mla.attention for each checked variant, in order; names must differ.
/// Loads the `mla`, arith and math dialects into `context`.
mlir::OwningOpRef<mlir::ModuleOp> importVariants(mlir::MLIRContext& context,
                                                 llvm::ArrayRef<Variant> variants);

/// The variant that `op`, which must verify, was made from; without its rules, which are the op's
/// regions, and without parameters that had a default.
Variant variantOf(AttentionOp op);

} // namespace mlac::mla
