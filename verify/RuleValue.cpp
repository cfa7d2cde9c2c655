#include "verify/RuleValue.h"

#include "verify/Problem.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace mlac::verify {

namespace {

template <typename T>
double elementAt(const std::vector<std::byte>& array, int index) {
  T value{};
  std::memcpy(&value, array.data() + static_cast<std::size_t>(index) * sizeof(T), sizeof(T));
  return value;
}

/// Rounds down; nothing divided by 0 is 0.
double floorQuotient(double a, double b) {
  return b == 0 ? 0 : std::floor(a / b);
}

} // namespace

double RuleValue::paramValue(std::size_t index, const RulePlace& place) const {
  const RuleParam& param = problem.variant.params[index];
  if (param.kind == ParamKind::Scalar)
    return problem.paramValues[index];
  const int at = param.kind == ParamKind::PerHead ? place.head : place.token;
  const std::vector<std::byte>& array = problem.paramArrays[index];
  return param.type == ExprType::F32 ? elementAt<float>(array, at)
                                     : elementAt<std::int32_t>(array, at);
}

// One line an operation.
// NOLINTNEXTLINE(readability-function-size)
double RuleValue::valueOf(const ExprNode& node, const RulePlace& place, double scaled) const {
  const auto arg = [&](std::size_t i) {
    return values[static_cast<std::size_t>(node.operands[i])];
  };
  const auto position = [](std::int64_t at) { return static_cast<double>(at); };
  const bool isWhole = node.type == ExprType::I32;
  switch (node.op) {
  case ExprOp::Score:
    return scaled;
  case ExprOp::Head:
    return place.head;
  case ExprOp::Query:
    return position(place.query);
  case ExprOp::Key:
    return position(place.key);
  case ExprOp::Token:
    return place.token;
  case ExprOp::Param:
    return paramValue(static_cast<std::size_t>(node.integer), place);
  case ExprOp::Constant:
    return node.type == ExprType::F32 ? double{node.real} : double(node.integer);
  case ExprOp::ToFloat:
    return arg(0);
  case ExprOp::Neg:
    return -arg(0);
  case ExprOp::Not:
    return arg(0) == 0 ? 1 : 0;
  case ExprOp::Abs:
    return std::abs(arg(0));
  case ExprOp::Exp:
    return std::exp(arg(0));
  case ExprOp::Log:
    return std::log(arg(0));
  case ExprOp::Tanh:
    return std::tanh(arg(0));
  case ExprOp::Sqrt:
    return std::sqrt(arg(0));
  case ExprOp::Add:
    return arg(0) + arg(1);
  case ExprOp::Sub:
    return arg(0) - arg(1);
  case ExprOp::Mul:
    return arg(0) * arg(1);
  case ExprOp::Div:
    return isWhole ? floorQuotient(arg(0), arg(1)) : arg(0) / arg(1);
  case ExprOp::Mod:
    return arg(0) - floorQuotient(arg(0), arg(1)) * arg(1);
  case ExprOp::Eq:
    return arg(0) == arg(1);
  case ExprOp::Ne:
    return arg(0) != arg(1);
  case ExprOp::Lt:
    return arg(0) < arg(1);
  case ExprOp::Le:
    return arg(0) <= arg(1);
  case ExprOp::Gt:
    return arg(0) > arg(1);
  case ExprOp::Ge:
    return arg(0) >= arg(1);
  case ExprOp::And:
    return arg(0) != 0 && arg(1) != 0;
  case ExprOp::Or:
    return arg(0) != 0 || arg(1) != 0;
  case ExprOp::Min:
    return std::fmin(arg(0), arg(1));
  case ExprOp::Max:
    return std::fmax(arg(0), arg(1));
  case ExprOp::Pow:
    return std::pow(arg(0), arg(1));
  case ExprOp::Select:
    return arg(0) != 0 ? arg(1) : arg(2);
  case ExprOp::Softcap:
    return arg(1) * std::tanh(arg(0) / arg(1));
  case ExprOp::Alibi:
    return arg(0) - arg(1) * (arg(2) - arg(3));
  case ExprOp::Causal:
    return arg(1) <= arg(0);
  case ExprOp::SlidingWindow:
    return arg(1) <= arg(0) && arg(0) - arg(1) < arg(2);
  }
  return std::numeric_limits<double>::quiet_NaN();
}

double RuleValue::evaluate(const Rule& rule, const RulePlace& place, double scaled) {
  values.clear();
  for (const ExprNode& node : rule)
    values.push_back(valueOf(node, place, scaled));
  return values.back();
}

bool RuleValue::keeps(const RulePlace& place) {
  const Rule& mask = problem.variant.mask;
  return mask.empty() || evaluate(mask, place, 0) != 0;
}

double RuleValue::logit(const RulePlace& place, double scaled) {
  if (!keeps(place))
    return -std::numeric_limits<double>::infinity();
  const Rule& score = problem.variant.score;
  return score.empty() ? scaled : evaluate(score, place, scaled);
}

bool isMaskedForAllHeads(const Problem& problem, int token, std::int64_t query, std::int64_t key) {
  RuleValue rules(problem);
  for (int head = 0; head < problem.variant.heads; ++head)
    if (rules.keeps({.head = head, .token = token, .query = query, .key = key}))
      return false;
  return true;
}

} // namespace mlac::verify
