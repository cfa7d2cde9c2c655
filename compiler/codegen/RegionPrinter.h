// RegionPrinter: a rule of mla.attention (arith, math, mla.lookup) as a C++ function body.
#pragma once

#include "common/Result.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace mlir {
class Region;
} // namespace mlir

namespace mlac {

class SourceWriter;

/// Writes the statements of `region`, whose arguments are called `arguments`, and a `return` of
/// what it yields: the value itself, or a braced list of several. `results` names yielded values
/// that need a name. Unsupported for an operation the CUDA backend has no words for.
Status printRegion(SourceWriter& out,
                   mlir::Region& region,
                   llvm::ArrayRef<llvm::StringRef> arguments,
                   llvm::ArrayRef<llvm::StringRef> results);

} // namespace mlac
