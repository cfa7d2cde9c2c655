#include "common/Diagnostic.h"

#include <fmt/format.h>

#include <algorithm>

namespace mlac {
namespace {

constexpr std::size_t kWindowColumns = 100;
constexpr std::size_t kColumnsBeforeCaret = 40;
constexpr std::size_t kQuotedColumns = 40;
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
constexpr std::string_view kCut = "...";

/// One code point as a terminal may show it in exactly one column.
struct Cell {
  std::string_view shown;
  std::size_t bytes = 1;
};

Cell cellAt(std::string_view text, std::size_t offset) {
  const std::size_t length = utf8LengthAt(text, offset);
  if (length == 0)
    return {kReplacement, 1};
  if (text[offset] == '\t')
    return {" ", 1};
  const auto lead = static_cast<unsigned char>(text[offset]);
  const bool isC1Control =
      length == 2 && lead == 0xC2 && static_cast<unsigned char>(text[offset + 1]) < 0xA0;
  if (lead < 0x20 || lead == 0x7F || isC1Control)
    return {kReplacement, length};
  return {text.substr(offset, length), length};
}

bool hasMoreColumnsThan(std::string_view text, std::size_t columns) {
  std::size_t count = 0;
  for (std::size_t offset = 0; offset < text.size(); offset += cellAt(text, offset).bytes)
    if (++count > columns)
      return true;
  return false;
}

/// The line's part round the caret, and below it the caret with its underline.
std::string renderLine(const SourceText& source, Span span) {
  const Place place = source.placeOf(span.offset);
  const std::string_view line = source.lineText(place.line);
  const std::size_t lineStart = source.lineStart(place.line);
  const std::size_t caretColumn = place.column - 1;
  const bool isLong = hasMoreColumnsThan(line, kWindowColumns);
  const std::size_t firstColumn =
      isLong && caretColumn > kColumnsBeforeCaret ? caretColumn - kColumnsBeforeCaret : 0;

  std::string shown(firstColumn > 0 ? kCut : "");
  std::string marks(shown.size(), ' ');
  std::size_t column = 0;
  std::size_t offset = 0;
  while (offset < line.size() && column < firstColumn + kWindowColumns) {
    const Cell cell = cellAt(line, offset);
    if (column >= firstColumn) {
      shown += cell.shown;
      if (column <= caretColumn)
        marks += column < caretColumn ? ' ' : '^';
      else if (lineStart + offset < span.end())
        marks += '~';
    }
    ++column;
    offset += cell.bytes;
  }
  if (offset < line.size())
    shown += kCut;
  if (caretColumn >= column)
    marks += '^';
  return fmt::format("  {}\n  {}\n", shown, marks);
}

std::string
renderHead(const SourceText& source, Span span, std::string_view kind, std::string_view message) {
  const Place place = source.placeOf(span.offset);
  return fmt::format("{}:{}:{}: {}: {}\n", source.name(), place.line, place.column, kind, message);
}

bool isBefore(const Diagnostic& left, const Diagnostic& right) {
  return left.span.offset < right.span.offset;
}

} // namespace

Diagnostic Diagnostic::withNote(std::optional<Span> where, std::string text) && {
  notes.push_back({where, std::move(text)});
  return std::move(*this);
}

Diagnostic Diagnostic::withHelp(std::string text) && {
  help = std::move(text);
  return std::move(*this);
}

Diagnostic errorAt(Span span, std::string message) {
  return {Severity::Error, span, std::move(message), {}, {}};
}

void DiagnosticList::add(Diagnostic diagnostic) {
  ++added;
  errors += diagnostic.severity == Severity::Error;
  const auto place = std::upper_bound(kept.begin(), kept.end(), diagnostic, isBefore);
  if (place == kept.end() && kept.size() == kShown)
    return;
  kept.insert(place, std::move(diagnostic));
  if (kept.size() > kShown)
    kept.pop_back();
}

std::string renderDiagnostic(const SourceText& source, const Diagnostic& diagnostic) {
  const std::string_view kind = diagnostic.severity == Severity::Error ? "error" : "warning";
  std::string text = renderHead(source, diagnostic.span, kind, diagnostic.message);
  text += renderLine(source, diagnostic.span);
  for (const DiagnosticNote& note : diagnostic.notes) {
    if (!note.span) {
      text += fmt::format("  note: {}\n", note.message);
      continue;
    }
    text += renderHead(source, *note.span, "note", note.message);
    text += renderLine(source, *note.span);
  }
  if (!diagnostic.help.empty())
    text += fmt::format("  help: {}\n", diagnostic.help);
  return text;
}

std::string renderDiagnostics(const SourceText& source, const DiagnosticList& list) {
  std::string text;
  for (const Diagnostic& diagnostic : list.shown())
    text += renderDiagnostic(source, diagnostic);
  if (list.hiddenCount() > 0)
    text += fmt::format("{}: {} more not shown\n", source.name(), list.hiddenCount());
  return text;
}

std::string quoteForMessage(std::string_view text) {
  std::string quoted = "`";
  std::size_t offset = 0;
  for (std::size_t column = 0; offset < text.size() && column < kQuotedColumns; ++column) {
    const Cell cell = cellAt(text, offset);
    quoted += cell.shown;
    offset += cell.bytes;
  }
  if (offset < text.size())
    quoted += kCut;
  return quoted + "`";
}

} // namespace mlac
