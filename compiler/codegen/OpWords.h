// The C++ words for one operation of arith, math or mla, given those of its operands.
#pragma once

#include "common/Result.h"

#include "llvm/ADT/ArrayRef.h"

#include <string>

namespace mlir {
class Operation;
} // namespace mlir

namespace mlac {

/// How tightly an expression binds; C++'s order, loosest first.
enum class Precedence {
  Conditional,
  Or,
  And,
  BitOr,
  BitXor,
  BitAnd,
  Equality,
  Relation,
  Shift,
  Sum,
  Product,
  Unary,
  Primary
};

struct Words {
  std::string text;
  Precedence precedence = Precedence::Primary;
  bool isUnsigned = false; ///< a u32 that stands for a signless 32-bit value
};

/// The same value with a signed type.
Words asSigned(const Words& words);

/// Unsupported where the CUDA backend has no words for the operation.
Result<Words> wordsOf(mlir::Operation& op, llvm::ArrayRef<Words> operands);

} // namespace mlac
