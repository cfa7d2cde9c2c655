#include "compiler/spec/MaskBounds.h"

#include "compiler/spec/FoldExpr.h"

#include <algorithm>
#include <cstdlib>

namespace mlac {
namespace {

// Beyond it a bound says nothing that an i32 could.
constexpr std::int64_t kFarthest = std::int64_t{1} << 31;

/// keys * k + queries * q + offset.
struct Linear {
  std::int64_t keys = 0;
  std::int64_t queries = 0;
  std::int64_t offset = 0;

  Linear plus(const Linear& other, std::int64_t factor) const {
    return {keys + factor * other.keys,
            queries + factor * other.queries,
            offset + factor * other.offset};
  }

  bool isSmall() const {
    return std::abs(keys) <= 1 && std::abs(queries) <= 1 && std::abs(offset) <= kFarthest;
  }
};

using LinearForms = std::vector<std::optional<Linear>>;

std::optional<Linear> formOf(const ExprNode& node, const LinearForms& forms) {
  const auto operand = [&](std::size_t i) {
    return node.operands[i] < 0 ? std::nullopt : forms[static_cast<std::size_t>(node.operands[i])];
  };
  switch (node.op) {
  case ExprOp::Key:
    return Linear{.keys = 1};
  case ExprOp::Query:
    return Linear{.queries = 1};
  case ExprOp::Constant:
    return node.type == ExprType::I32 ? std::optional(Linear{.offset = node.integer})
                                      : std::nullopt;
  case ExprOp::Neg:
    return operand(0) ? std::optional(Linear().plus(*operand(0), -1)) : std::nullopt;
  case ExprOp::Add:
  case ExprOp::Sub: {
    if (node.type != ExprType::I32 || !operand(0) || !operand(1))
      return std::nullopt;
    const Linear sum = operand(0)->plus(*operand(1), node.op == ExprOp::Add ? 1 : -1);
    return sum.isSmall() ? std::optional(sum) : std::nullopt;
  }
  default:
    return std::nullopt;
  }
}

void raise(std::optional<std::int64_t>& bound, std::int64_t to) {
  bound = bound ? std::max(*bound, to) : to;
}

void lower(std::optional<std::int64_t>& bound, std::int64_t to) {
  bound = bound ? std::min(*bound, to) : to;
}

/// The comparison with its sides exchanged.
ExprOp mirrored(ExprOp op) {
  switch (op) {
  case ExprOp::Lt:
    return ExprOp::Gt;
  case ExprOp::Le:
    return ExprOp::Ge;
  case ExprOp::Gt:
    return ExprOp::Lt;
  case ExprOp::Ge:
    return ExprOp::Le;
  default:
    return op;
  }
}

/// Tightens the bounds by `term`. False where it is no bound on k.
bool tighten(MaskBounds& bounds, const ExprNode& term, const LinearForms& forms) {
  if (term.op < ExprOp::Eq || term.op > ExprOp::Ge || term.op == ExprOp::Ne)
    return false;
  const auto& left = forms[static_cast<std::size_t>(term.operands[0])];
  const auto& right = forms[static_cast<std::size_t>(term.operands[1])];
  if (!left || !right)
    return false;
  Linear difference = left->plus(*right, -1);
  const ExprOp op = difference.keys < 0 ? mirrored(term.op) : term.op;
  if (difference.keys < 0)
    difference = Linear().plus(difference, -1);
  // k + queries * q + offset op 0
  const bool isBound = difference.keys == 1 && difference.isSmall() && difference.queries <= 0;
  if (!isBound)
    return false;
  const bool isRelative = difference.queries == -1;
  auto& begin = isRelative ? bounds.queryBegin : bounds.begin;
  auto& end = isRelative ? bounds.queryEnd : bounds.end;
  const std::int64_t edge = -difference.offset;
  if (op == ExprOp::Ge || op == ExprOp::Eq)
    raise(begin, edge);
  if (op == ExprOp::Gt)
    raise(begin, edge + 1);
  if (op == ExprOp::Lt)
    lower(end, edge);
  if (op == ExprOp::Le || op == ExprOp::Eq)
    lower(end, edge + 1);
  return true;
}

/// The terms of the top-level `&&`, in the order in which they are written.
std::vector<std::int32_t> termsOf(const Rule& rule) {
  std::vector<std::int32_t> terms;
  std::vector<std::int32_t> open = {static_cast<std::int32_t>(rule.size()) - 1};
  while (!open.empty()) {
    const std::int32_t at = open.back();
    open.pop_back();
    const ExprNode& node = rule[static_cast<std::size_t>(at)];
    if (node.op == ExprOp::And)
      open.insert(open.end(), {node.operands[1], node.operands[0]});
    else
      terms.push_back(at);
  }
  return terms;
}

} // namespace

bool MaskBounds::isEmpty() const {
  const bool isNowhere = end && *end <= std::max<std::int64_t>(begin.value_or(0), 0);
  return isNowhere || (queryBegin && queryEnd && *queryEnd <= *queryBegin);
}

MaskBounds boundsOfMask(const Rule& settled) {
  MaskBounds bounds;
  if (settled.empty())
    return bounds;
  LinearForms forms;
  forms.reserve(settled.size());
  for (const ExprNode& node : settled)
    forms.push_back(formOf(node, forms));
  Rule nodes = settled;
  std::int32_t rest = -1;
  for (const std::int32_t term : termsOf(settled)) {
    if (tighten(bounds, settled[static_cast<std::size_t>(term)], forms))
      continue;
    if (rest >= 0) {
      nodes.push_back(
          {.op = ExprOp::And, .type = ExprType::Bool, .operands = {rest, term, -1, -1}});
      rest = static_cast<std::int32_t>(nodes.size()) - 1;
    } else {
      rest = term;
    }
  }
  if (rest >= 0)
    bounds.rest = ruleOf(nodes, rest);
  return bounds;
}

} // namespace mlac
