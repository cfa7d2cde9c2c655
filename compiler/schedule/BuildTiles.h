// Builds the tile program of a kernel from its attention and its schedule.
#pragma once

#include "compiler/ir/MlaOps.h"

#include <memory>

namespace mlir {
class Pass;
} // namespace mlir

namespace mlac {
struct Schedule;

/// A mla.kernel with its body, at the builder's insertion point. The schedule's counts must be
/// valid.
mla::KernelOp buildTileProgram(mlir::OpBuilder& builder,
                               mla::AttentionOp attention,
                               llvm::StringRef kernelName,
                               const Schedule& schedule);

/// Gives a kernel that has no body the one its schedule asks for.
void buildTileProgram(mla::KernelOp kernel, mla::AttentionOp attention);

/// `mla-build-tiles`: does so for every kernel of a module that has no body.
std::unique_ptr<mlir::Pass> createBuildTilesPass();

} // namespace mlac
