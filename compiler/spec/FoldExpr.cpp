#include "compiler/spec/FoldExpr.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mlac {
namespace {

ExprNode realConstant(float value) {
  return {.op = ExprOp::Constant, .type = ExprType::F32, .real = value};
}

ExprNode wholeConstant(std::int32_t value, ExprType type = ExprType::I32) {
  return {.op = ExprOp::Constant, .type = type, .integer = value};
}

std::int64_t floorDiv(std::int64_t a, std::int64_t b) {
  const std::int64_t quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

/// Of numbers of one type.
template <typename T>
bool compare(ExprOp op, T a, T b) {
  switch (op) {
  case ExprOp::Eq:
    return a == b;
  case ExprOp::Ne:
    return a != b;
  case ExprOp::Lt:
    return a < b;
  case ExprOp::Le:
    return a <= b;
  case ExprOp::Gt:
    return a > b;
  default:
    return a >= b;
  }
}

std::optional<std::int64_t> foldWhole(ExprOp op, std::int64_t a, std::int64_t b) {
  switch (op) {
  case ExprOp::Neg:
    return -a;
  case ExprOp::Abs:
    return std::abs(a);
  case ExprOp::Add:
    return a + b;
  case ExprOp::Sub:
    return a - b;
  case ExprOp::Mul:
    return a * b;
  case ExprOp::Div:
    return b == 0 ? std::nullopt : std::optional(floorDiv(a, b));
  case ExprOp::Mod:
    return b == 0 ? std::nullopt : std::optional(a - floorDiv(a, b) * b);
  case ExprOp::Min:
    return std::min(a, b);
  case ExprOp::Max:
    return std::max(a, b);
  default:
    return std::nullopt;
  }
}

/// Each step rounds to f32.
std::optional<float> foldReal(ExprOp op, float a, float b) {
  switch (op) {
  case ExprOp::Neg:
    return -a;
  case ExprOp::Abs:
    return std::fabs(a);
  case ExprOp::Exp:
    return static_cast<float>(std::exp(double{a}));
  case ExprOp::Log:
    return static_cast<float>(std::log(double{a}));
  case ExprOp::Tanh:
    return static_cast<float>(std::tanh(double{a}));
  case ExprOp::Sqrt:
    return std::sqrt(a);
  case ExprOp::Add:
    return a + b;
  case ExprOp::Sub:
    return a - b;
  case ExprOp::Mul:
    return a * b;
  case ExprOp::Div:
    return a / b;
  case ExprOp::Min:
    return std::fmin(a, b);
  case ExprOp::Max:
    return std::fmax(a, b);
  case ExprOp::Pow:
    return static_cast<float>(std::pow(double{a}, double{b}));
  default:
    return std::nullopt;
  }
}

bool isComparison(ExprOp op) {
  return op >= ExprOp::Eq && op <= ExprOp::Ge;
}

Folded foldCondition(ExprOp op, std::span<const ExprNode> operands) {
  const auto truth = [](bool value) {
    return Folded{wholeConstant(value ? 1 : 0, ExprType::Bool)};
  };
  if (isComparison(op))
    return truth(operands[0].type == ExprType::F32
                     ? compare(op, operands[0].real, operands[1].real)
                     : compare(op, operands[0].integer, operands[1].integer));
  if (op == ExprOp::Not)
    return truth(operands[0].integer == 0);
  if (op == ExprOp::And)
    return truth(operands[0].integer != 0 && operands[1].integer != 0);
  if (op == ExprOp::Or)
    return truth(operands[0].integer != 0 || operands[1].integer != 0);
  return {};
}

/// Writes a settled rule, node by node.
class Settler {
public:
  explicit Settler(std::span<const RuleParam> params) : params(params) {}

  Rule run(const Rule& rule) {
    if (rule.empty())
      return {};
    std::vector<std::int32_t> places;
    places.reserve(rule.size());
    for (const ExprNode& node : rule)
      places.push_back(settle(node, places));
    const Rule settled = ruleOf(nodes, places.back());
    const bool isAlways = settled.back().op == ExprOp::Constant &&
                          settled.back().type == ExprType::Bool && settled.back().integer != 0;
    return isAlways ? Rule() : settled;
  }

private:
  using Place = std::int32_t;

  Place settle(const ExprNode& node, const std::vector<Place>& places) {
    if (node.op == ExprOp::Param)
      return settleParam(node);
    std::array<Place, kMaxOperands> at{-1, -1, -1, -1};
    const int count = infoOf(node.op).operands;
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i)
      at[i] = places[static_cast<std::size_t>(node.operands[i])];
    switch (node.op) {
    case ExprOp::Softcap: // cap * tanh(s / cap)
      return make(
          ExprOp::Mul,
          ExprType::F32,
          at[1],
          make(ExprOp::Tanh, ExprType::F32, make(ExprOp::Div, ExprType::F32, at[0], at[1])));
    case ExprOp::Alibi: // s - slope * (q - k)
      return make(ExprOp::Sub,
                  ExprType::F32,
                  at[0],
                  make(ExprOp::Mul, ExprType::F32, at[1], floatOf(distance(at[2], at[3]))));
    case ExprOp::Causal: // k <= q
      return make(ExprOp::Le, ExprType::Bool, at[1], at[0]);
    case ExprOp::SlidingWindow: // k <= q && q - k < n
      return make(ExprOp::And,
                  ExprType::Bool,
                  make(ExprOp::Le, ExprType::Bool, at[1], at[0]),
                  make(ExprOp::Lt, ExprType::Bool, distance(at[0], at[1]), at[2]));
    default:
      break;
    }
    if (count == 0)
      return add(node);
    return make(node.op, node.type, at[0], at[1], at[2]);
  }

  Place distance(Place query, Place key) { return make(ExprOp::Sub, ExprType::I32, query, key); }

  Place floatOf(Place whole) { return make(ExprOp::ToFloat, ExprType::F32, whole); }

  Place settleParam(const ExprNode& node) {
    const RuleParam& param = params[static_cast<std::size_t>(node.integer)];
    if (param.isArgument())
      return add(node);
    return add(param.type == ExprType::F32
                   ? realConstant(static_cast<float>(*param.value))
                   : wholeConstant(static_cast<std::int32_t>(*param.value)));
  }

  bool isConstant(Place place) const { return at(place).op == ExprOp::Constant; }

  const ExprNode& at(Place place) const { return nodes[static_cast<std::size_t>(place)]; }

  /// An operand that alone decides the operation, or leaves the other one as its result.
  std::optional<Place> shortcut(ExprOp op, Place a, Place b, Place c) const {
    if (op == ExprOp::Select && isConstant(a))
      return at(a).integer != 0 ? b : c;
    if (op != ExprOp::And && op != ExprOp::Or)
      return std::nullopt;
    for (const auto& [one, other] : {std::pair(a, b), {b, a}})
      if (isConstant(one))
        return (at(one).integer != 0) == (op == ExprOp::And) ? other : one;
    return std::nullopt;
  }

  Place make(ExprOp op, ExprType type, Place a, Place b = -1, Place c = -1) {
    if (const auto place = shortcut(op, a, b, c))
      return *place;
    const std::array<Place, 3> operands = {a, b, c};
    std::vector<ExprNode> constants;
    for (int i = 0; i < infoOf(op).operands; ++i)
      if (isConstant(operands[static_cast<std::size_t>(i)]))
        constants.push_back(at(operands[static_cast<std::size_t>(i)]));
    if (static_cast<int>(constants.size()) == infoOf(op).operands)
      if (const Folded folded = foldConstants(op, type, constants); folded.constant)
        return add(*folded.constant);
    return add({.op = op, .type = type, .operands = {a, b, c, -1}});
  }

  Place add(const ExprNode& node) {
    nodes.push_back(node);
    return static_cast<Place>(nodes.size()) - 1;
  }

  std::span<const RuleParam> params;
  Rule nodes;
};

} // namespace

Folded foldConstants(ExprOp op, ExprType type, std::span<const ExprNode> operands) {
  if (type == ExprType::Bool)
    return foldCondition(op, operands);
  if (op == ExprOp::ToFloat)
    return {realConstant(static_cast<float>(operands[0].integer))};
  const ExprNode& last = operands.back();
  if (type == ExprType::F32) {
    const auto value = foldReal(op, operands[0].real, last.real);
    return value && std::isfinite(*value) ? Folded{realConstant(*value)} : Folded{};
  }
  const auto value = foldWhole(op, operands[0].integer, last.integer);
  if (!value)
    return {};
  const bool fits = *value >= std::numeric_limits<std::int32_t>::min() &&
                    *value <= std::numeric_limits<std::int32_t>::max();
  return fits ? Folded{wholeConstant(static_cast<std::int32_t>(*value))}
              : Folded{.constant = {}, .isTooLarge = true};
}

Rule settleRule(const Rule& rule, std::span<const RuleParam> params) {
  return Settler(params).run(rule);
}

bool isNever(const Rule& settled) {
  return !settled.empty() && settled.back().op == ExprOp::Constant &&
         settled.back().type == ExprType::Bool && settled.back().integer == 0;
}

Rule ruleOf(const Rule& nodes, std::int32_t result) {
  std::vector<bool> needed(nodes.size());
  needed[static_cast<std::size_t>(result)] = true;
  for (std::size_t index = static_cast<std::size_t>(result) + 1; index-- > 0;)
    if (needed[index])
      for (const std::int32_t operand : nodes[index].operands)
        if (operand >= 0)
          needed[static_cast<std::size_t>(operand)] = true;
  Rule rule;
  std::vector<std::int32_t> places(nodes.size(), -1);
  for (std::size_t index = 0; index <= static_cast<std::size_t>(result); ++index) {
    if (!needed[index])
      continue;
    places[index] = static_cast<std::int32_t>(rule.size());
    ExprNode node = nodes[index];
    for (std::int32_t& operand : node.operands)
      operand = operand < 0 ? -1 : places[static_cast<std::size_t>(operand)];
    rule.push_back(node);
  }
  return rule;
}

} // namespace mlac
