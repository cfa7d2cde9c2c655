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

bool operator==(const RecordLine& left, const RecordLine& right) {
  const auto tied = [](const RecordLine& line) {
    return std::tie(
        line.word, line.arguments, line.comments, line.tail, line.lastLines, line.besideClose);
  };
  return tied(left) == tied(right);
}

bool operator==(const Record& left, const Record& right) {
  const auto tied = [](const Record& record) {
    return std::tie(record.name,
                    record.lines,
                    record.comments,
                    record.lastLines,
                    record.besideClose,
                    record.attentionsBefore);
  };
  return tied(left) == tied(right);
}

} // namespace mlac::ast
