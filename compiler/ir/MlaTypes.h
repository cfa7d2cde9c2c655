// Types of the `mla` dialect.
#pragma once

#include "common/Record.h"

#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/Types.h"

namespace mlac {

// LLVM finds it by this name.
// NOLINTNEXTLINE(readability-identifier-naming)
inline llvm::hash_code hash_value(const RecordField& field) {
  return llvm::hash_combine(static_cast<int>(field.kind),
                            static_cast<int>(field.type),
                            field.count,
                            static_cast<int>(field.of),
                            field.group,
                            field.inTail);
}

} // namespace mlac

#define GET_TYPEDEF_CLASSES
#include "compiler/ir/MlaTypes.h.inc"
