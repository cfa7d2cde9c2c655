#include "compiler/spec/PrintRule.h"

#include <fmt/format.h>

#include <utility>

namespace mlac {
namespace {

struct Text {
  std::string text;
  ExprLevel level = ExprLevel::Primary;
};

/// A literal that reads back as f32, and not as i32.
std::string realLiteral(float value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == text.npos)
    text += ".0";
  return text;
}

std::string paramText(const RuleParam& param) {
  switch (param.kind) {
  case ParamKind::PerHead:
    return param.name + "[h]";
  case ParamKind::PerToken:
    return param.name + "[t]";
  case ParamKind::Scalar:
    break;
  }
  return param.name;
}

std::string within(Text&& operand, ExprLevel least) {
  if (operand.level < least)
    return fmt::format("({})", operand.text);
  return std::move(operand.text);
}

ExprLevel tighter(ExprLevel level) {
  return static_cast<ExprLevel>(static_cast<int>(level) + 1);
}

class RulePrinter {
public:
  explicit RulePrinter(std::span<const RuleParam> params) : params(params) {}

  std::string run(const Rule& rule) {
    texts.reserve(rule.size());
    for (const ExprNode& node : rule)
      texts.push_back(textOf(node));
    return std::move(texts.back().text);
  }

private:
  Text& operand(const ExprNode& node, std::size_t i) {
    return texts[static_cast<std::size_t>(node.operands[i])];
  }

  Text textOf(const ExprNode& node) {
    const ExprInfo& info = infoOf(node.op);
    switch (node.op) {
    case ExprOp::Constant:
      return {node.type == ExprType::F32 ? realLiteral(node.real)
                                         : fmt::format("{}", node.integer)};
    case ExprOp::Param:
      return {paramText(params[static_cast<std::size_t>(node.integer)])};
    case ExprOp::ToFloat:
      return std::move(operand(node, 0));
    default:
      break;
    }
    if (info.operands == 0)
      return {std::string(info.spelling)};
    return info.level == ExprLevel::Primary ? call(node, info) : operation(node, info);
  }

  /// The left operand's text grows: a sum of many terms is never copied.
  Text operation(const ExprNode& node, const ExprInfo& info) {
    if (info.operands == 1)
      return {std::string(info.spelling) + within(std::move(operand(node, 0)), info.level),
              info.level};
    // Comparisons do not chain, so both sides bind tighter.
    const bool chains = info.level != ExprLevel::Comparison;
    std::string text =
        within(std::move(operand(node, 0)), chains ? info.level : tighter(info.level));
    text += ' ';
    text += info.spelling;
    text += ' ';
    text += within(std::move(operand(node, 1)), tighter(info.level));
    return {std::move(text), info.level};
  }

  Text call(const ExprNode& node, const ExprInfo& info) {
    std::string text(info.spelling);
    for (std::size_t i = 0; i < static_cast<std::size_t>(info.operands); ++i)
      text += (i == 0 ? "(" : ", ") + operand(node, i).text;
    return {text + ")"};
  }

  std::span<const RuleParam> params;
  std::vector<Text> texts;
};

bool readsIndex(const Rule& rule, std::span<const RuleParam> params, ParamKind kind) {
  for (std::size_t index = 0; index < params.size(); ++index)
    if (params[index].kind == kind && readsParam(rule, index))
      return true;
  return false;
}

} // namespace

std::string printExpression(const Rule& rule, std::span<const RuleParam> params) {
  return RulePrinter(params).run(rule);
}

std::string printRule(std::string_view name, const Rule& rule, std::span<const RuleParam> params) {
  std::string arguments;
  for (const ExprOp op : {ExprOp::Score, ExprOp::Head, ExprOp::Query, ExprOp::Key, ExprOp::Token}) {
    const bool isRead = readsArgument(rule, op) ||
                        (op == ExprOp::Head && readsIndex(rule, params, ParamKind::PerHead)) ||
                        (op == ExprOp::Token && readsIndex(rule, params, ParamKind::PerToken));
    if (isRead)
      arguments += fmt::format("{}{}", arguments.empty() ? "" : ", ", infoOf(op).spelling);
  }
  return fmt::format("{}({}) = {}", name, arguments, printExpression(rule, params));
}

std::string printParam(const RuleParam& param) {
  std::string text =
      fmt::format("{} : {}", param.name, param.type == ExprType::F32 ? "f32" : "i32");
  if (param.kind != ParamKind::Scalar)
    text += param.kind == ParamKind::PerHead ? " per head" : " per token";
  if (!param.value)
    return text;
  return param.type == ExprType::F32
             ? fmt::format("{} = {}", text, static_cast<float>(*param.value))
             : fmt::format("{} = {}", text, static_cast<std::int32_t>(*param.value));
}

} // namespace mlac
