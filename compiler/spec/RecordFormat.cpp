#include "compiler/spec/RecordFormat.h"

#include "compiler/spec/RecordParser.h"

#include <fmt/format.h>

#include <algorithm>

namespace mlac {
namespace {

constexpr std::size_t kArgumentColumn = 7;

using Lines = std::vector<std::string>;

void appendComments(std::string& text, const Lines& lines, const std::string& indent) {
  for (const std::string& line : lines)
    text += line.empty() ? std::string("\n") : fmt::format("{}{}\n", indent, line);
}

std::string besideOf(const std::string& comment) {
  return comment.empty() ? std::string() : "  " + comment;
}

std::string lineText(const ast::RecordLine& line) {
  std::string text(spellingOf(line.word));
  if (line.arguments.empty())
    return text;
  text.resize(std::max(text.size() + 1, kArgumentColumn), ' ');
  bool isBound = true;
  for (const ast::Argument& argument : line.arguments) {
    text += (isBound ? "" : " ") + argument.text;
    isBound = argument.kind == ast::ArgumentKind::Symbol;
  }
  return text;
}

/// Comments of neighbouring lines stand in one column.
std::size_t commentColumn(const std::vector<ast::RecordLine>& lines) {
  std::size_t widest = 0;
  for (const ast::RecordLine& line : lines)
    if (!line.comments.beside.empty() && line.word != ast::RecordWord::PageTail)
      widest = std::max(widest, lineText(line).size());
  return widest;
}

void appendRecordLines(std::string& text,
                       const std::vector<ast::RecordLine>& lines,
                       const std::string& indent) {
  const std::size_t column = commentColumn(lines);
  for (const ast::RecordLine& line : lines) {
    appendComments(text, line.comments.above, indent);
    if (line.word == ast::RecordWord::PageTail) {
      text += fmt::format("{}page_tail {{{}\n", indent, besideOf(line.comments.beside));
      appendRecordLines(text, line.tail, indent + "  ");
      appendComments(text, line.lastLines, indent + "  ");
      text += fmt::format("{}}}{}\n", indent, besideOf(line.besideClose));
      continue;
    }
    std::string written = lineText(line);
    if (!line.comments.beside.empty())
      written.resize(std::max(written.size(), column), ' ');
    text += fmt::format("{}{}{}\n", indent, written, besideOf(line.comments.beside));
  }
}

} // namespace

std::string formatRecord(const ast::Record& record) {
  std::string text;
  appendComments(text, record.comments.above, "");
  text += fmt::format("record {} {{{}\n", record.name, besideOf(record.comments.beside));
  appendRecordLines(text, record.lines, "  ");
  appendComments(text, record.lastLines, "  ");
  return text + fmt::format("}}{}\n", besideOf(record.besideClose));
}

} // namespace mlac
