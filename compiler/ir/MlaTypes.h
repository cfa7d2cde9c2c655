// Types of the `mla` dialect.
#pragma once

#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/Types.h"

namespace mlac::mla {

/// What a field of a cache record holds.
enum class RecordPart { Latent, Rope };

/// `count` contiguous elements of one part.
struct RecordField {
  RecordPart part = RecordPart::Latent;
  mlir::Type element;
  int64_t count = 0;

  int64_t sizeBytes() const { return count * element.getIntOrFloatBitWidth() / 8; }

  friend bool operator==(const RecordField&, const RecordField&) = default;
};

// LLVM finds it by this name.
// NOLINTNEXTLINE(readability-identifier-naming)
inline llvm::hash_code hash_value(const RecordField& field) {
  return llvm::hash_combine(static_cast<int>(field.part), field.element, field.count);
}

} // namespace mlac::mla

#define GET_TYPEDEF_CLASSES
#include "compiler/ir/MlaTypes.h.inc"
