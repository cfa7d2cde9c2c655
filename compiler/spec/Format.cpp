#include "compiler/spec/Format.h"

#include "compiler/spec/FormatRule.h"
#include "compiler/spec/RecordFormat.h"

#include <fmt/format.h>

#include <algorithm>

namespace mlac {
namespace {

constexpr std::size_t kArgumentColumn = 9;
/// Comments line up behind settings up to this wide; a wider setting does not push the others'
/// comments away.
constexpr std::size_t kWidestAligned = 60;
constexpr std::string_view kIndent = "  ";

void appendLines(std::string& text,
                 const std::vector<std::string>& lines,
                 std::string_view indent = {}) {
  for (const std::string& line : lines)
    text += line.empty() ? std::string("\n") : fmt::format("{}{}\n", indent, line);
}

bool bindsToPrevious(const ast::Argument& argument) {
  return argument.text == "..";
}

bool bindsToNext(const ast::Argument& argument) {
  return argument.kind == ast::ArgumentKind::Symbol;
}

std::string settingText(const ast::Setting& setting) {
  std::string text(infoOf(setting.word).spelling);
  if (setting.arguments.empty())
    return text;
  if (!followsTight(setting))
    text.resize(std::max(text.size() + 1, kArgumentColumn), ' ');
  if (isRuleWord(setting.word))
    return text + formatRuleArguments(setting);
  const ast::Argument* previous = nullptr;
  for (const ast::Argument& argument : setting.arguments) {
    if (previous != nullptr && !bindsToNext(*previous) && !bindsToPrevious(argument))
      text += ' ';
    text += argument.text;
    previous = &argument;
  }
  return text;
}

std::size_t commentColumn(const ast::Attention& attention, const std::vector<std::string>& texts) {
  std::size_t widest = 0;
  for (std::size_t index = 0; index < texts.size(); ++index)
    if (!attention.settings[index].comments.beside.empty() && texts[index].size() <= kWidestAligned)
      widest = std::max(widest, texts[index].size());
  return widest;
}

std::string besideOf(const std::string& comment) {
  return comment.empty() ? std::string() : fmt::format("  {}", comment);
}

void appendSettings(std::string& text, const ast::Attention& attention) {
  std::vector<std::string> texts;
  texts.reserve(attention.settings.size());
  for (const ast::Setting& setting : attention.settings)
    texts.push_back(settingText(setting));
  const std::size_t column = commentColumn(attention, texts);
  for (std::size_t index = 0; index < texts.size(); ++index) {
    const ast::Comments& comments = attention.settings[index].comments;
    appendLines(text, comments.above, kIndent);
    if (!comments.beside.empty())
      texts[index].resize(std::max(texts[index].size(), column), ' ');
    text += fmt::format("{}{}{}\n", kIndent, texts[index], besideOf(comments.beside));
  }
}

void appendAttention(std::string& text, const ast::Attention& attention) {
  appendLines(text, attention.comments.above);
  text += fmt::format("attention {} {{{}\n", attention.name, besideOf(attention.comments.beside));
  appendSettings(text, attention);
  appendLines(text, attention.lastLines, kIndent);
  text += fmt::format("}}{}\n", besideOf(attention.besideClose));
}

} // namespace

std::string formatSpec(const ParsedSpec& spec) {
  std::string text;
  auto record = spec.records.begin();
  const auto appendRecords = [&](std::size_t attentions) {
    for (; record != spec.records.end() && record->attentionsBefore <= attentions; ++record)
      text += (text.empty() ? "" : "\n") + formatRecord(*record);
  };
  for (std::size_t index = 0; index < spec.attentions.size(); ++index) {
    appendRecords(index);
    if (!text.empty())
      text += '\n';
    appendAttention(text, spec.attentions[index]);
  }
  appendRecords(spec.attentions.size());
  if (!spec.lastLines.empty() && !text.empty())
    text += '\n';
  appendLines(text, spec.lastLines);
  return text;
}

} // namespace mlac
