#include "compiler/spec/ExprBuilder.h"

#include "compiler/spec/FoldExpr.h"

#include <fmt/format.h>

#include <algorithm>

namespace mlac {
namespace {

const char* nameOf(ExprType type) {
  return type == ExprType::Bool ? "a condition" : type == ExprType::I32 ? "i32" : "f32";
}

/// What an operation takes, for a message.
const char* wantedBy(ExprOp op) {
  switch (op) {
  case ExprOp::Not:
  case ExprOp::And:
  case ExprOp::Or:
    return "conditions";
  case ExprOp::Mod:
    return "whole numbers (i32)";
  case ExprOp::Select:
    return "a condition and two values of one kind";
  case ExprOp::Alibi:
    return "a score, a slope and two positions (i32)";
  case ExprOp::Causal:
    return "two positions (i32)";
  case ExprOp::SlidingWindow:
    return "two positions and a width (i32)";
  default:
    return "numbers";
  }
}

const char* remedyFor(ExprOp op) {
  switch (op) {
  case ExprOp::Not:
  case ExprOp::And:
  case ExprOp::Or:
    return "compare numbers first: k <= q && q - k < 4096";
  case ExprOp::Mod:
    return "f32 has no remainder; write one of i32, such as q % 64";
  default:
    return "a condition becomes a number by select(c, 1, 0)";
  }
}

bool takesReals(ExprOp op) {
  return (op >= ExprOp::Exp && op <= ExprOp::Sqrt) || op == ExprOp::Pow || op == ExprOp::Softcap;
}

bool isMixable(ExprOp op) {
  return (op >= ExprOp::Add && op <= ExprOp::Div) || (op >= ExprOp::Eq && op <= ExprOp::Ge) ||
         op == ExprOp::Min || op == ExprOp::Max;
}

} // namespace

ExprBuilder::Place ExprBuilder::fail(Span span, std::string message, std::string help) {
  if (!hasFailed)
    diagnostics.add(errorAt(span, std::move(message)).withHelp(std::move(help)));
  hasFailed = true;
  return -1;
}

ExprBuilder::Place ExprBuilder::failWithNote(
    Span span, std::string message, Span note, std::string remark, std::string help) {
  if (!hasFailed)
    diagnostics.add(errorAt(span, std::move(message))
                        .withNote(note, std::move(remark))
                        .withHelp(std::move(help)));
  hasFailed = true;
  return -1;
}

ExprBuilder::Place
ExprBuilder::add(const ExprNode& node, Span span, const std::optional<ExprNode>& known) {
  rule.push_back(node);
  spans.push_back(span);
  values.push_back(known);
  return static_cast<Place>(rule.size()) - 1;
}

ExprBuilder::Place ExprBuilder::whole(std::int32_t value, Span span) {
  const ExprNode node{.op = ExprOp::Constant, .type = ExprType::I32, .integer = value};
  return add(node, span, node);
}

ExprBuilder::Place ExprBuilder::real(float value, Span span) {
  const ExprNode node{.op = ExprOp::Constant, .type = ExprType::F32, .real = value};
  return add(node, span, node);
}

ExprBuilder::Place ExprBuilder::argument(ExprOp op, Span span) {
  return add({.op = op, .type = *resultType(op, {})}, span, std::nullopt);
}

ExprBuilder::Place ExprBuilder::param(std::size_t index, Span span) {
  const RuleParam& named = params[index];
  std::optional<ExprNode> known;
  if (named.value) {
    known = ExprNode{.op = ExprOp::Constant, .type = named.type};
    if (named.type == ExprType::F32)
      known->real = static_cast<float>(*named.value);
    else
      known->integer = static_cast<std::int32_t>(*named.value);
  }
  const ExprNode node{
      .op = ExprOp::Param, .type = named.type, .integer = static_cast<std::int32_t>(index)};
  return add(node, span, known);
}

ExprBuilder::Place ExprBuilder::promoted(Place place) {
  if (typeOf(place) != ExprType::I32)
    return place;
  const auto known = foldKnown(ExprOp::ToFloat, ExprType::F32, std::span(&place, 1));
  return add({.op = ExprOp::ToFloat, .type = ExprType::F32, .operands = {place, -1, -1, -1}},
             spans[static_cast<std::size_t>(place)],
             known);
}

/// i32 becomes f32 where the operation takes f32 only, or its other operand is f32. Never back.
void ExprBuilder::promote(ExprOp op, std::vector<Place>& operands) {
  const bool isSelect = op == ExprOp::Select;
  const std::size_t first = isSelect ? 1 : 0;
  const std::size_t count = op == ExprOp::Alibi ? 2 : operands.size();
  const bool hasReal = std::any_of(operands.begin() + static_cast<std::ptrdiff_t>(first),
                                   operands.end(),
                                   [&](Place one) { return typeOf(one) == ExprType::F32; });
  const bool mixes = (isMixable(op) || isSelect) && hasReal;
  if (!takesReals(op) && op != ExprOp::Alibi && !mixes)
    return;
  for (std::size_t i = first; i < count; ++i)
    operands[i] = promoted(operands[i]);
}

ExprBuilder::Place ExprBuilder::failTypes(ExprOp op, Span span, std::span<const ExprType> types) {
  std::string found;
  for (const ExprType type : types)
    found += fmt::format("{}{}", found.empty() ? "" : ", ", nameOf(type));
  const ExprInfo& info = infoOf(op);
  return fail(span,
              fmt::format("`{}` takes {}, found {}", info.spelling, wantedBy(op), found),
              info.example.empty() ? std::string(remedyFor(op))
                                   : fmt::format("write: {}", info.example));
}

std::optional<ExprNode>
ExprBuilder::foldKnown(ExprOp op, ExprType type, std::span<const Place> operands) {
  std::vector<ExprNode> constants;
  for (const Place operand : operands) {
    const auto& value = values[static_cast<std::size_t>(operand)];
    if (!value)
      return std::nullopt;
    constants.push_back(*value);
  }
  const Folded folded = foldConstants(op, type, constants);
  tooLarge = folded.isTooLarge;
  return folded.constant;
}

bool ExprBuilder::isZero(Place place) const {
  const auto& value = values[static_cast<std::size_t>(place)];
  return value && (value->type == ExprType::F32 ? value->real == 0 : value->integer == 0);
}

ExprBuilder::Place ExprBuilder::make(ExprOp op, Span span, std::vector<Place> operands) {
  if (hasFailed)
    return -1;
  promote(op, operands);
  std::vector<ExprType> types;
  for (const Place operand : operands)
    types.push_back(typeOf(operand));
  const auto type = resultType(op, types);
  if (!type)
    return failTypes(op, span, types);
  const bool divides = op == ExprOp::Div || op == ExprOp::Mod || op == ExprOp::Softcap;
  if (divides && isZero(operands[1]))
    return fail(spans[static_cast<std::size_t>(operands[1])],
                fmt::format("`{}` divides by this, and it is always 0", infoOf(op).spelling),
                "divide by a number that is not 0");
  tooLarge = false;
  const auto known = foldKnown(op, *type, operands);
  if (tooLarge)
    return fail(span,
                fmt::format("`{}` of these numbers is beyond i32, -2147483648 to 2147483647",
                            infoOf(op).spelling),
                "write one of them with a point, such as 2.0, to compute in f32");
  ExprNode node{.op = op, .type = *type};
  std::copy(operands.begin(), operands.end(), node.operands.begin());
  return add(node, span, known);
}

std::optional<Rule>
ExprBuilder::finish(Place result, ExprType wanted, Span whole, std::string_view ruleName) {
  if (hasFailed)
    return std::nullopt;
  if (wanted == ExprType::F32)
    promoted(result); // what is made last is the result
  if (rule.back().type == wanted)
    return std::move(rule);
  fail(whole,
       fmt::format("`{}` must be {}, found {}",
                   ruleName,
                   wanted == ExprType::Bool ? "a condition" : "a number",
                   nameOf(rule.back().type)),
       wanted == ExprType::Bool ? "compare: k <= q"
                                : "choose between numbers: select(k < q, s, 0)");
  return std::nullopt;
}

} // namespace mlac
