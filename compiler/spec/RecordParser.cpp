#include "compiler/spec/RecordParser.h"

#include "compiler/spec/TokenStream.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <utility>

namespace mlac {
namespace {

using ast::RecordWord;
using Lines = std::vector<std::string>;

constexpr std::string_view kHeaderExample = "record fp8_ds_mla {";

constexpr std::array<std::string_view, 6> kSpellings = {
    "latent", "rope", "scale", "pad", "page_tail", "page_align"};
constexpr std::array<std::string_view, 6> kExamples = {
    "latent e4m3 x 512",
    "rope bf16 x 64",
    "scale f32 per 128 of latent",
    "pad 4",
    "page_tail { scale e8m0 per 64 of latent; pad 1 }",
    "page_align 576"};

std::optional<RecordWord> findRecordWord(std::string_view spelling) {
  for (std::size_t index = 0; index < kSpellings.size(); ++index)
    if (kSpellings[index] == spelling)
      return static_cast<RecordWord>(index);
  return std::nullopt;
}

class RecordParser {
public:
  RecordParser(TokenStream& stream, DiagnosticList& diagnostics)
      : stream(stream), diagnostics(diagnostics) {}

  ast::Record run() {
    record.comments.above = withoutFirstBlank(stream.takeAbove());
    record.nameSpan = stream.take().span();
    if (stream.isAt(TokenKind::Word)) {
      record.name = stream.text();
      record.nameSpan = stream.take().span();
    } else {
      fail("the record's name", fmt::format("write: {}", kHeaderExample));
    }
    if (parseOpenBrace(record.comments, kHeaderExample))
      parseLines(record.lines, record.lastLines, record.besideClose, false);
    else if (!stream.isAtTopBlock())
      stream.skipToTopLevel();
    return std::move(record);
  }

private:
  void fail(std::string_view expected, std::string help) {
    record.isDamaged = true;
    diagnostics.add(errorAt(stream.peek().span(),
                            fmt::format("expected {}, found {}", expected, stream.describe()))
                        .withHelp(std::move(help)));
  }

  bool parseOpenBrace(ast::Comments& comments, std::string_view example) {
    stream.skipNewlines();
    if (!stream.isAt(TokenKind::OpenBrace)) {
      fail("`{`", fmt::format("write: {}", example));
      return false;
    }
    Lines between = stream.takeAbove();
    std::erase(between, std::string());
    comments.above.insert(comments.above.end(), between.begin(), between.end());
    openBrace = stream.take().span();
    if (stream.isAt(TokenKind::Newline))
      comments.beside = stream.takeBeside();
    return true;
  }

  /// The lines up to `}`, which is taken, too.
  void parseLines(std::vector<ast::RecordLine>& lines,
                  Lines& lastLines,
                  std::string& besideClose,
                  bool isTail) {
    const Span opened = openBrace;
    while (true) {
      stream.skipSeparators();
      if (stream.isAt(TokenKind::CloseBrace)) {
        Lines left = withoutLastBlank(stream.takeAbove());
        lastLines = lines.empty() ? withoutFirstBlank(std::move(left)) : std::move(left);
        stream.take();
        besideClose = stream.takeBeside();
        return;
      }
      if (stream.isAt(TokenKind::End) || stream.isAtTopBlock())
        return reportUnclosed(opened);
      parseLine(lines, isTail);
    }
  }

  void reportUnclosed(Span opened) {
    // An open page tail leaves its record open as well; one of them is reported.
    if (std::exchange(isUnclosed, true))
      return;
    record.isDamaged = true;
    diagnostics.add(
        errorAt(stream.peek().span(), fmt::format("expected `}}`, found {}", stream.describe()))
            .withNote(opened, "the block was opened here")
            .withHelp("close the block with `}`"));
  }

  void parseLine(std::vector<ast::RecordLine>& lines, bool isTail) {
    const auto word = stream.isAt(TokenKind::Word) ? findRecordWord(stream.text()) : std::nullopt;
    if (!word) {
      const auto meant = stream.isAt(TokenKind::Word) ? nearest(stream.text(), kSpellings)
                                                      : std::optional<std::string_view>();
      fail("a word of a record",
           meant ? fmt::format("did you mean `{}`?", *meant)
                 : "the words are latent rope scale pad page_tail page_align");
      return stream.skipBlock();
    }
    const bool isAllowed = !isTail || *word == RecordWord::Scale || *word == RecordWord::Pad;
    if (!isAllowed) {
      fail("`scale` or `pad` in a page tail",
           fmt::format("write the `{}` line outside `page_tail`", spellingOf(*word)));
      return stream.skipBlock();
    }
    ast::RecordLine line;
    line.word = *word;
    line.comments.above = stream.takeAbove();
    if (lines.empty())
      line.comments.above = withoutFirstBlank(std::move(line.comments.above));
    line.wordSpan = line.span = stream.take().span();
    if (*word == RecordWord::PageTail ? !parseTail(line) : !parseArguments(line))
      return;
    lines.push_back(std::move(line));
  }

  bool parseTail(ast::RecordLine& line) {
    if (!parseOpenBrace(line.comments, kExamples[static_cast<std::size_t>(RecordWord::PageTail)])) {
      stream.skipBlock();
      return false;
    }
    parseLines(line.tail, line.lastLines, line.besideClose, true);
    return true;
  }

  bool parseArguments(ast::RecordLine& line) {
    while (!stream.isAtSettingEnd()) {
      const std::string_view text = stream.text();
      const bool isSign = text == "+" || text == "-";
      ast::ArgumentKind kind = ast::ArgumentKind::Symbol;
      if (stream.isAt(TokenKind::Word))
        kind = ast::ArgumentKind::Word;
      else if (stream.isAt(TokenKind::Number))
        kind = ast::ArgumentKind::Number;
      else if (!isSign) {
        fail("a word or a number", exampleOf(line.word));
        stream.skipLine();
        return false;
      }
      const Span span = stream.take().span();
      line.arguments.push_back({kind, std::string(text), span});
      line.span.length = span.end() - line.span.offset;
    }
    line.comments.beside = stream.takeBeside();
    return true;
  }

  TokenStream& stream;
  DiagnosticList& diagnostics;
  ast::Record record;
  Span openBrace; ///< of the block being read
  bool isUnclosed = false;
};

} // namespace

ast::Record parseRecord(TokenStream& stream, DiagnosticList& diagnostics) {
  return RecordParser(stream, diagnostics).run();
}

std::string_view spellingOf(ast::RecordWord word) {
  return kSpellings[static_cast<std::size_t>(word)];
}

std::string exampleOf(ast::RecordWord word) {
  return fmt::format("write: {}", kExamples[static_cast<std::size_t>(word)]);
}

} // namespace mlac
