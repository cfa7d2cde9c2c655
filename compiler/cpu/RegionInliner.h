// Copies a region of mla.attention to where its rule applies.
#pragma once

#include "compiler/cpu/LoopBuilder.h"

namespace mlac {

/// A request's block-table row: what !mla.table is on the CPU.
struct TableRow {
  mlir::Value base;     ///< !llvm.ptr; null for regions without a table
  mlir::Value maxPages; ///< i64
};

/// What regions read from beside their arguments.
struct RegionSources {
  TableRow table = {};
  mlir::Value params = {}; ///< CpuParam*, those of the attention in order
};

/// Clones the region's ops with `arguments` in place of its block arguments, of which those of type
/// !mla.table take null values. Returns what the region yields.
Values inlineRegion(LoopBuilder& b,
                    mlir::Region& region,
                    mlir::ArrayRef<mlir::Value> arguments,
                    const RegionSources& sources = {});

} // namespace mlac
