#include "compiler/spec/FormatRule.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace mlac {
namespace {

using ast::Argument;
using ast::ArgumentKind;

bool isOneOf(const Argument& argument, std::string_view symbols) {
  return argument.kind == ArgumentKind::Symbol && argument.text.size() == 1 &&
         symbols.find(argument.text.front()) != symbols.npos;
}

/// A sign or `!` in front of its operand, judged by what stands before it.
bool isPrefix(const Argument* before, const Argument& argument) {
  return isOneOf(argument, "!-+") &&
         (before == nullptr || (before->kind == ArgumentKind::Symbol && !isOneOf(*before, ")]")));
}

bool isTight(const Argument* before, const Argument& left, const Argument& right) {
  if (isOneOf(left, "([") || isOneOf(right, ")],"))
    return true;
  if (isOneOf(right, "(["))
    return left.kind == ArgumentKind::Word || isPrefix(before, left);
  // `! =` must not become `!=`.
  const bool mayTouch = right.kind != ArgumentKind::Symbol || isOneOf(right, "!-+");
  return isPrefix(before, left) && mayTouch;
}

} // namespace

std::string formatRuleArguments(const ast::Setting& setting) {
  std::string text;
  const Argument* before = nullptr;
  const Argument* left = nullptr;
  for (const Argument& right : setting.arguments) {
    if (left != nullptr && !isTight(before, *left, right))
      text += ' ';
    text += right.text;
    before = left;
    left = &right;
  }
  return text;
}

bool followsTight(const ast::Setting& setting) {
  return !setting.arguments.empty() && setting.arguments.front().text == "(";
}

} // namespace mlac
