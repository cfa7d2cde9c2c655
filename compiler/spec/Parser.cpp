#include "compiler/spec/Parser.h"

#include "compiler/spec/RecordParser.h"
#include "compiler/spec/TokenStream.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace mlac {
namespace {

using Lines = std::vector<std::string>;

constexpr std::string_view kHeaderExample = "attention glm5_decode {";

Lines withoutBlanks(Lines lines) {
  std::erase(lines, std::string());
  return lines;
}

/// What expressions and declarations of parameters are written with, beside names and numbers.
bool isRuleSymbol(std::string_view text) {
  constexpr std::array<std::string_view, 19> kSymbols = {"(",
                                                         ")",
                                                         "[",
                                                         "]",
                                                         ",",
                                                         ":",
                                                         "=",
                                                         "*",
                                                         "/",
                                                         "%",
                                                         "<",
                                                         "<=",
                                                         ">",
                                                         ">=",
                                                         "==",
                                                         "!=",
                                                         "&&",
                                                         "||",
                                                         "!"};
  return std::find(kSymbols.begin(), kSymbols.end(), text) != kSymbols.end();
}

class Parser {
public:
  Parser(const SourceText& source, DiagnosticList& diagnostics)
      : stream(source, diagnostics), diagnostics(diagnostics) {}

  ParsedSpec run() {
    while (true) {
      stream.skipSeparators();
      if (stream.isAt(TokenKind::End))
        break;
      parseTopLevel();
    }
    spec.lastLines = withoutLastBlank(withoutFirstBlank(stream.takeAbove()));
    return std::move(spec);
  }

private:
  void parseTopLevel() {
    if (stream.isAtWord("attention"))
      return parseAttention();
    if (stream.isAtWord("record")) {
      spec.records.push_back(parseRecord(stream, diagnostics));
      spec.records.back().attentionsBefore = spec.attentions.size();
      return;
    }
    if (const ReservedWord* reserved = reservedHere()) {
      reportReserved(*reserved);
      return stream.skipBlock();
    }
    const bool wasMeant = reportTopLevelNoise();
    if (wasMeant)
      return parseAttention();
    stream.skipToTopLevel();
  }

  const ReservedWord* reservedHere() const {
    return stream.isAt(TokenKind::Word) ? findReservedWord(stream.text()) : nullptr;
  }

  void reportReserved(const ReservedWord& reserved) {
    diagnostics.add(errorAt(stream.take().span(),
                            fmt::format("`{}`: {} is not supported yet by this version",
                                        reserved.spelling,
                                        reserved.meaning))
                        .withHelp(std::string(reserved.remedy)));
  }

  /// Says what is wrong outside an attention. True when it is `attention` misspelt.
  bool reportTopLevelNoise() {
    const Span span = stream.peek().span();
    const bool isWord = stream.isAt(TokenKind::Word);
    if (isWord && findWord(stream.text())) {
      diagnostics.add(
          errorAt(span, fmt::format("{} stands outside an attention", stream.describe()))
              .withHelp(fmt::format("write it between `{}` and `}}`", kHeaderExample)));
      return false;
    }
    if (stream.isAt(TokenKind::CloseBrace)) {
      diagnostics.add(errorAt(span, "this `}` closes nothing").withHelp("remove it"));
      return false;
    }
    constexpr std::array<std::string_view, 1> kBlocks = {"attention"};
    const bool isMisspelt =
        isWord && stream.isBeforeBlock() && nearest(stream.text(), kBlocks).has_value();
    diagnostics.add(errorAt(span, fmt::format("expected an attention, found {}", stream.describe()))
                        .withHelp(isMisspelt ? std::string("did you mean `attention`?")
                                             : fmt::format("write: {}", kHeaderExample)));
    return isMisspelt;
  }

  void parseAttention() {
    ast::Attention attention;
    attention.comments.above = withoutFirstBlank(stream.takeAbove());
    const Span keyword = stream.take().span();
    attention.nameSpan = keyword;
    if (stream.isAt(TokenKind::Word)) {
      attention.name = stream.text();
      attention.nameSpan = stream.take().span();
    } else {
      diagnostics.add(
          errorAt(stream.peek().span(),
                  fmt::format("expected the attention's name, found {}", stream.describe()))
              .withHelp(fmt::format("write: {}", kHeaderExample)));
    }
    if (parseOpenBrace(attention))
      parseBody(attention);
    spec.attentions.push_back(std::move(attention));
  }

  /// False when there is no body to read; the rest of the line is then skipped.
  bool parseOpenBrace(ast::Attention& attention) {
    stream.skipNewlines();
    if (stream.isAt(TokenKind::OpenBrace)) {
      const Lines between = withoutBlanks(stream.takeAbove());
      Lines& above = attention.comments.above;
      above.insert(above.end(), between.begin(), between.end());
      openBrace = stream.take().span();
      if (stream.isAt(TokenKind::Newline))
        attention.comments.beside = stream.takeBeside();
      return true;
    }
    diagnostics.add(
        errorAt(stream.peek().span(), fmt::format("expected `{{`, found {}", stream.describe()))
            .withHelp(fmt::format("write: {}", kHeaderExample)));
    attention.damaged.set();
    openBrace = attention.nameSpan;
    const bool bodyFollows = stream.isAt(TokenKind::Word) && findWord(stream.text()).has_value();
    if (!bodyFollows)
      stream.skipToTopLevel();
    return bodyFollows;
  }

  void parseBody(ast::Attention& attention) {
    while (true) {
      stream.skipSeparators();
      if (stream.isAt(TokenKind::CloseBrace))
        return closeBody(attention);
      const bool nextBegins =
          (stream.isAtWord("attention") || stream.isAtWord("record")) && stream.isBeforeBlock();
      if (nextBegins || stream.isAt(TokenKind::End))
        return reportUnclosed(attention);
      parseLine(attention);
    }
  }

  void closeBody(ast::Attention& attention) {
    Lines lines = withoutLastBlank(stream.takeAbove());
    attention.lastLines =
        attention.settings.empty() ? withoutFirstBlank(std::move(lines)) : std::move(lines);
    stream.take();
    attention.besideClose = stream.takeBeside();
  }

  void reportUnclosed(ast::Attention& attention) {
    // What looks missing may stand in the text that could not be read.
    attention.damaged.set();
    diagnostics.add(
        errorAt(stream.peek().span(), fmt::format("expected `}}`, found {}", stream.describe()))
            .withNote(openBrace, "the attention was opened here")
            .withHelp("close the attention with `}`"));
  }

  void parseLine(ast::Attention& attention) {
    if (!stream.isAt(TokenKind::Word)) {
      diagnostics.add(
          errorAt(stream.peek().span(),
                  fmt::format("expected a word such as `heads`, found {}", stream.describe()))
              .withHelp(fmt::format("write: {}", infoOf(Word::Heads).example)));
      return stream.skipLine();
    }
    if (const auto word = findWord(stream.text()))
      return parseSetting(*word, attention);
    if (const ReservedWord* reserved = reservedHere())
      reportReserved(*reserved);
    else
      reportUnknownWord(attention);
    stream.skipBlock();
  }

  void reportUnknownWord(ast::Attention& attention) {
    const auto meant = nearestWord(stream.text());
    std::string help = "the words are";
    for (const WordInfo& info : allWords())
      help += fmt::format(" {}", info.spelling);
    if (meant) {
      attention.damaged.set(static_cast<std::size_t>(*meant));
      help = fmt::format(
          "did you mean `{}`? write: {}", infoOf(*meant).spelling, infoOf(*meant).example);
    }
    diagnostics.add(errorAt(stream.peek().span(), fmt::format("unknown word {}", stream.describe()))
                        .withHelp(std::move(help)));
  }

  void parseSetting(Word word, ast::Attention& attention) {
    ast::Setting setting;
    setting.word = word;
    setting.comments.above = stream.takeAbove();
    if (attention.settings.empty())
      setting.comments.above = withoutFirstBlank(std::move(setting.comments.above));
    setting.wordSpan = setting.span = stream.take().span();
    while (!stream.isAtSettingEnd()) {
      if (!parseArgument(setting)) {
        attention.damaged.set(static_cast<std::size_t>(word));
        return stream.skipLine();
      }
    }
    setting.comments.beside = stream.takeBeside();
    attention.settings.push_back(std::move(setting));
  }

  bool parseArgument(ast::Setting& setting) {
    const std::string_view text = stream.text();
    const bool isKnownSymbol = text == ".." || text == "+" || text == "-" ||
                               (isRuleWord(setting.word) && isRuleSymbol(text));
    ast::ArgumentKind kind = ast::ArgumentKind::Symbol;
    if (stream.isAt(TokenKind::Word))
      kind = ast::ArgumentKind::Word;
    else if (stream.isAt(TokenKind::Number))
      kind = ast::ArgumentKind::Number;
    else if (!isKnownSymbol) {
      reportBadSymbol(infoOf(setting.word));
      return false;
    }
    const Span span = stream.take().span();
    setting.arguments.push_back({kind, std::string(text), span});
    setting.span.length = span.end() - setting.span.offset;
    return true;
  }

  void reportBadSymbol(const WordInfo& info) {
    const bool isPoint = stream.text() == ".";
    diagnostics.add(
        errorAt(stream.peek().span(),
                fmt::format("{} has no meaning after `{}`", stream.describe(), info.spelling))
            .withHelp(isPoint ? std::string("a number has digits on both sides of its point: 0.5")
                              : fmt::format("write: {}", info.example)));
  }

  TokenStream stream;
  DiagnosticList& diagnostics;
  ParsedSpec spec;
  Span openBrace; ///< of the attention being read
};

} // namespace

ParsedSpec parseSpec(const SourceText& source, DiagnosticList& diagnostics) {
  return Parser(source, diagnostics).run();
}

} // namespace mlac
