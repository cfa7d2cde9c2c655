// KernelArgs: the fields of CpuArgs as values of the function that is being built.
#pragma once

#include "compiler/cpu/LoopBuilder.h"

namespace mlac {

/// Each field is loaded once, at the function's entry. Pointers are !llvm.ptr, strides and counts
/// i64.
struct KernelArgs {
  /// A [T, H, ...] array.
  struct Tensor {
    mlir::Value base;
    mlir::Value tokenStride;
    mlir::Value headStride;

    /// Index of element [token][head][0].
    mlir::Value row(LoopBuilder& b, mlir::Value token, mlir::Value head) const;
  };

  /// Builds the loads; `args` is the CpuArgs*. The scale is the launch's, unless `fixedScale` is
  /// given.
  KernelArgs(LoopBuilder& b, mlir::Value args, std::optional<float> fixedScale, bool hasCacheScale);

  Tensor qLatent, qRope, out, lse, maxLogit;
  mlir::Value cache, pageStrideBytes, tokenStrideBytes, slots;
  mlir::Value cacheScale; ///< f32; null unless the record has a scale per tensor
  mlir::Value tokens, requests;
  mlir::Value blockTable, blockTableStride, maxPages;
  mlir::Value queryStart, tokenRequest, seqLens, keyEnd;
  mlir::Value indices, indicesStride, topkLength;
  mlir::Value scale;         ///< f32
  mlir::Value params, sinks; ///< CpuParam*, float*
};

} // namespace mlac
