// FoldExpr: what of a rule is known before it runs, and rules without library words and defaults.
#pragma once

#include "common/Expression.h"

#include <optional>
#include <span>

namespace mlac {

/// What came of folding one operation over known operands.
struct Folded {
  std::optional<ExprNode> constant; ///< absent where the kernel has to compute it
  bool isTooLarge = false;          ///< an i32 result that no i32 holds
};

/// Folds `op`, whose result has type `type`, over Constants. Integers are exact, and `/ %` floor.
/// f32 results are rounded as the kernel rounds them for + - * / and sqrt; exp, log, tanh and pow
/// are computed in double and rounded once, where a kernel may be off by an ulp or two. What is not
/// finite, or divides by 0, is left to the kernel.
Folded foldConstants(ExprOp op, ExprType type, std::span<const ExprNode> operands);

/// The same rule in basic operations: library words spelled out, defaults and constants folded,
/// conditions that are settled gone, and no node left that the result does not need. Empty where
/// nothing is left to do: a mask that keeps every key.
Rule settleRule(const Rule& rule, std::span<const RuleParam> params);

/// True where a settled rule is the constant false.
bool isNever(const Rule& settled);

/// The nodes that node `result` needs, it being the last.
Rule ruleOf(const Rule& nodes, std::int32_t result);

} // namespace mlac
