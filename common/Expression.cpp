#include "common/Expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace mlac {
namespace {

using Level = ExprLevel;

constexpr std::array<ExprInfo, kExprOpCount> kExprInfos = {{
    {ExprOp::Score, "s", 0, Level::Primary, {}},
    {ExprOp::Head, "h", 0, Level::Primary, {}},
    {ExprOp::Query, "q", 0, Level::Primary, {}},
    {ExprOp::Key, "k", 0, Level::Primary, {}},
    {ExprOp::Token, "t", 0, Level::Primary, {}},
    {ExprOp::Param, "", 0, Level::Primary, {}},
    {ExprOp::Constant, "", 0, Level::Primary, {}},
    {ExprOp::ToFloat, "", 1, Level::Primary, {}},
    {ExprOp::Neg, "-", 1, Level::Unary, {}},
    {ExprOp::Not, "!", 1, Level::Unary, {}},
    {ExprOp::Abs, "abs", 1, Level::Primary, "abs(q - k)"},
    {ExprOp::Exp, "exp", 1, Level::Primary, "exp(s)"},
    {ExprOp::Log, "log", 1, Level::Primary, "log(s)"},
    {ExprOp::Tanh, "tanh", 1, Level::Primary, "tanh(s)"},
    {ExprOp::Sqrt, "sqrt", 1, Level::Primary, "sqrt(s)"},
    {ExprOp::Add, "+", 2, Level::Sum, {}},
    {ExprOp::Sub, "-", 2, Level::Sum, {}},
    {ExprOp::Mul, "*", 2, Level::Product, {}},
    {ExprOp::Div, "/", 2, Level::Product, {}},
    {ExprOp::Mod, "%", 2, Level::Product, {}},
    {ExprOp::Eq, "==", 2, Level::Comparison, {}},
    {ExprOp::Ne, "!=", 2, Level::Comparison, {}},
    {ExprOp::Lt, "<", 2, Level::Comparison, {}},
    {ExprOp::Le, "<=", 2, Level::Comparison, {}},
    {ExprOp::Gt, ">", 2, Level::Comparison, {}},
    {ExprOp::Ge, ">=", 2, Level::Comparison, {}},
    {ExprOp::And, "&&", 2, Level::And, {}},
    {ExprOp::Or, "||", 2, Level::Or, {}},
    {ExprOp::Min, "min", 2, Level::Primary, "min(s, 50)"},
    {ExprOp::Max, "max", 2, Level::Primary, "max(s, -50)"},
    {ExprOp::Pow, "pow", 2, Level::Primary, "pow(s, 2)"},
    {ExprOp::Select, "select", 3, Level::Primary, "select(k < q, s, 0)"},
    {ExprOp::Softcap, "softcap", 2, Level::Primary, "softcap(s, 50)"},
    {ExprOp::Alibi, "alibi", 4, Level::Primary, "alibi(s, slope[h], q, k)"},
    {ExprOp::Causal, "causal", 2, Level::Primary, "causal(q, k)"},
    {ExprOp::SlidingWindow, "sliding_window", 3, Level::Primary, "sliding_window(q, k, 4096)"},
}};

constexpr bool isInOrder() {
  for (std::size_t index = 0; index < kExprInfos.size(); ++index)
    if (static_cast<std::size_t>(kExprInfos[index].op) != index)
      return false;
  return true;
}

static_assert(isInOrder());

bool areAll(std::span<const ExprType> types, ExprType wanted) {
  return std::all_of(types.begin(), types.end(), [&](ExprType type) { return type == wanted; });
}

/// The operands' one numeric type.
std::optional<ExprType> numberOf(std::span<const ExprType> types) {
  if (types.front() == ExprType::Bool || !areAll(types, types.front()))
    return std::nullopt;
  return types.front();
}

std::optional<ExprType> onlyIf(bool holds, ExprType type) {
  return holds ? std::optional(type) : std::nullopt;
}

Error ruleError(std::size_t node, std::string_view what) {
  return {ErrorCode::InvalidInput, fmt::format("node {} of a rule {}", node, what)};
}

Status checkLeaf(const ExprNode& node, std::size_t index, std::span<const RuleParam> params) {
  if (node.op == ExprOp::Constant)
    return node.type == ExprType::F32 && !std::isfinite(node.real)
               ? Status(ruleError(index, "is a constant that is not finite"))
               : Status(Unit{});
  if (node.op == ExprOp::Param) {
    const auto count = static_cast<std::int32_t>(params.size());
    if (node.integer < 0 || node.integer >= count)
      return ruleError(index, "names a parameter that does not exist");
    if (params[static_cast<std::size_t>(node.integer)].type != node.type)
      return ruleError(index, "has another type than its parameter");
    return Unit{};
  }
  const ExprType type = node.op == ExprOp::Score ? ExprType::F32 : ExprType::I32;
  return node.type == type ? Status(Unit{}) : Status(ruleError(index, "has a wrong type"));
}

Status checkNode(const Rule& rule, std::size_t index, std::span<const RuleParam> params) {
  const ExprNode& node = rule[index];
  if (static_cast<std::size_t>(node.op) >= kExprOpCount || node.type > ExprType::F32)
    return ruleError(index, "is of an unknown kind");
  const int count = infoOf(node.op).operands;
  if (count == 0)
    return checkLeaf(node, index, params);
  std::array<ExprType, kMaxOperands> types{};
  for (int i = 0; i < count; ++i) {
    const std::int32_t operand = node.operands[static_cast<std::size_t>(i)];
    if (operand < 0 || operand >= static_cast<std::int32_t>(index))
      return ruleError(index, "has an operand that does not come before it");
    types[static_cast<std::size_t>(i)] = rule[static_cast<std::size_t>(operand)].type;
  }
  const auto type = resultType(node.op, std::span(types).first(static_cast<std::size_t>(count)));
  if (type != node.type)
    return ruleError(index, "has operands of wrong types");
  return Unit{};
}

} // namespace

const ExprInfo& infoOf(ExprOp op) {
  return kExprInfos[static_cast<std::size_t>(op)];
}

const ExprInfo* findFunction(std::string_view name) {
  for (const ExprInfo& info : kExprInfos)
    if (!info.example.empty() && info.spelling == name)
      return &info;
  return nullptr;
}

std::optional<ExprOp> findRuleArgument(std::string_view name) {
  for (const ExprInfo& info : std::span(kExprInfos).first(5))
    if (info.spelling == name)
      return info.op;
  return std::nullopt;
}

std::optional<ExprType> resultType(ExprOp op, std::span<const ExprType> operands) {
  using enum ExprOp;
  switch (op) {
  case Score:
    return ExprType::F32;
  case Head:
  case Query:
  case Key:
  case Token:
    return ExprType::I32;
  case Param:
  case Constant:
    return std::nullopt;
  case ToFloat:
    return onlyIf(operands[0] == ExprType::I32, ExprType::F32);
  case Not:
  case And:
  case Or:
    return onlyIf(areAll(operands, ExprType::Bool), ExprType::Bool);
  case Neg:
  case Abs:
  case Add:
  case Sub:
  case Mul:
  case Div:
  case Min:
  case Max:
    return numberOf(operands);
  case Mod:
    return onlyIf(areAll(operands, ExprType::I32), ExprType::I32);
  case Eq:
  case Ne:
  case Lt:
  case Le:
  case Gt:
  case Ge:
    return onlyIf(numberOf(operands).has_value(), ExprType::Bool);
  case Exp:
  case Log:
  case Tanh:
  case Sqrt:
  case Pow:
  case Softcap:
    return onlyIf(areAll(operands, ExprType::F32), ExprType::F32);
  case Select:
    return onlyIf(operands[0] == ExprType::Bool && operands[1] == operands[2], operands[1]);
  case Alibi:
    return onlyIf(areAll(operands.first(2), ExprType::F32) &&
                      areAll(operands.subspan(2), ExprType::I32),
                  ExprType::F32);
  case Causal:
  case SlidingWindow:
    return onlyIf(areAll(operands, ExprType::I32), ExprType::Bool);
  }
  return std::nullopt;
}

bool readsArgument(const Rule& rule, ExprOp op) {
  return std::any_of(rule.begin(), rule.end(), [&](const ExprNode& node) { return node.op == op; });
}

std::string paramFieldName(std::string_view param) {
  return fmt::format("param_{}", param);
}

bool readsParam(const Rule& rule, std::size_t index) {
  return std::any_of(rule.begin(), rule.end(), [&](const ExprNode& node) {
    return node.op == ExprOp::Param && static_cast<std::size_t>(node.integer) == index;
  });
}

Status checkRule(const Rule& rule, std::span<const RuleParam> params, ExprType result) {
  for (std::size_t index = 0; index < rule.size(); ++index)
    MLAC_CHECK(checkNode(rule, index, params));
  if (!rule.empty() && rule.back().type != result)
    return ruleError(rule.size() - 1, "gives a result of a wrong type");
  return Unit{};
}

Status checkParamValue(const RuleParam& param, double value) {
  const bool isWhole =
      std::trunc(value) == value && std::abs(value) <= 2147483648.0 && value != 2147483648.0;
  if (param.type == ExprType::I32 && !isWhole)
    return Error{ErrorCode::InvalidInput,
                 fmt::format("parameter `{}` is {}; an i32 is a whole number from -2147483648 to "
                             "2147483647",
                             param.name,
                             value)};
  if (param.type == ExprType::F32 && !(std::abs(value) <= std::numeric_limits<float>::max()))
    return Error{ErrorCode::InvalidInput,
                 fmt::format("parameter `{}` is {}; it must be a finite f32", param.name, value)};
  return Unit{};
}

Status checkRuleParams(std::span<const RuleParam> params) {
  if (params.size() > kMaxRuleParams)
    return Error{
        ErrorCode::InvalidInput,
        fmt::format("{} parameters; at most {} are possible", params.size(), kMaxRuleParams)};
  for (const RuleParam& param : params) {
    const bool isNumber = param.type == ExprType::I32 || param.type == ExprType::F32;
    if (!isNumber || (param.value && param.kind != ParamKind::Scalar))
      return Error{
          ErrorCode::InvalidInput,
          fmt::format("parameter `{}` has a type or a default that it cannot have", param.name)};
    if (param.value)
      MLAC_CHECK(checkParamValue(param, *param.value));
  }
  return Unit{};
}

Status overrideParam(std::vector<RuleParam>& params, std::string_view name, double value) {
  const auto found = std::find_if(
      params.begin(), params.end(), [&](const RuleParam& param) { return param.name == name; });
  if (found == params.end() || found->isArgument())
    return Error{ErrorCode::InvalidInput,
                 fmt::format("there is no parameter `{}` with a default", name)};
  MLAC_CHECK(checkParamValue(*found, value));
  found->value =
      found->type == ExprType::F32 ? static_cast<double>(static_cast<float>(value)) : value;
  return Unit{};
}

} // namespace mlac
