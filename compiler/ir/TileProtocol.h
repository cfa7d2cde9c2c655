// The rules a tile program obeys so that no warp reads, releases or refills a slot at the wrong
// time.
#pragma once

namespace llvm {
struct LogicalResult;
} // namespace llvm

namespace mlac::mla {
class AttentionOp;
class KernelOp;

/// Checks the body of `kernel`, which must have one, against the protocol and its own schedule.
/// Each violation found is reported at the operation that commits it.
llvm::LogicalResult verifyTileProtocol(KernelOp kernel);

/// Checks that the body of `kernel` computes `attention`: row size, and a score step where one is
/// due.
llvm::LogicalResult verifyImplements(KernelOp kernel, AttentionOp attention);

} // namespace mlac::mla
