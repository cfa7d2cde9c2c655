#include "compiler/spec/Ast.h"

#include <tuple>

namespace mlac::ast {

bool operator==(const Argument& left, const Argument& right) {
  return std::tie(left.kind, left.text) == std::tie(right.kind, right.text);
}

bool operator==(const Setting& left, const Setting& right) {
  return std::tie(left.word, left.arguments, left.comments) ==
         std::tie(right.word, right.arguments, right.comments);
}

bool operator==(const Attention& left, const Attention& right) {
  return std::tie(left.name, left.settings, left.comments, left.lastLines, left.besideClose) ==
         std::tie(right.name, right.settings, right.comments, right.lastLines, right.besideClose);
}

} // namespace mlac::ast
