// ExprParser: the right side of `score(...) = ` or `mask(...) = ` as a checked rule.
#pragma once

#include "common/Diagnostic.h"
#include "common/Expression.h"
#include "compiler/spec/Ast.h"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace mlac {

/// Deepest nesting of parentheses, calls and signs.
inline constexpr int kDeepestExpression = 256;

/// What an expression may name.
struct RuleScope {
  std::string_view rule;                     ///< `score` or `mask`
  std::array<bool, kExprOpCount> isListed{}; ///< arguments by ExprOp
  std::span<const RuleParam> params;
  std::optional<Span> physical; ///< where the iteration says so
};

/// Reads all of `tokens` as one expression of type `wanted`; `end` is the place behind it. Reports
/// the first mistake and returns nothing then. Marks the parameters it names in `isUsed`.
std::optional<Rule> parseRule(std::span<const ast::Argument> tokens,
                              Span end,
                              ExprType wanted,
                              const RuleScope& scope,
                              std::vector<bool>& isUsed,
                              DiagnosticList& diagnostics);

} // namespace mlac
