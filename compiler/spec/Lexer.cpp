#include "compiler/spec/Lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace mlac {
namespace {

bool isDigit(char character) {
  return character >= '0' && character <= '9';
}

bool isBlank(char character) {
  return character == ' ' || character == '\t' || character == '\r';
}

bool isPrintableAscii(char character) {
  return character > ' ' && character < 0x7F;
}

class Lexer {
public:
  Lexer(const SourceText& source, DiagnosticList& diagnostics)
      : text(source.text()), diagnostics(diagnostics) {
    list.trivia.emplace_back();
  }

  TokenList run() {
    if (text.starts_with("\xEF\xBB\xBF"))
      at = 3;
    while (at < text.size())
      readOne();
    endLine();
    add(TokenKind::End, at, above);
    return std::move(list);
  }

private:
  void readOne() {
    const char character = text[at];
    if (character == '\n') {
      endLine();
      ++at;
    } else if (isBlank(character)) {
      ++at;
    } else if (character == '#') {
      readComment();
    } else if (isWordStart(character)) {
      readToken(TokenKind::Word, wordEnd());
    } else if (isDigit(character)) {
      readToken(TokenKind::Number, numberEnd());
    } else if (isPrintableAscii(character)) {
      readSymbol();
    } else {
      readNoise();
    }
  }

  void readComment() {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::size_t last = end;
    while (isBlank(text[last - 1]))
      --last;
    Trivia& place = lineHasTokens ? beside : above;
    place.emplace_back(text.substr(at, last - at));
    lineHasComment = true;
    at = end;
  }

  std::size_t wordEnd() const {
    std::size_t end = at;
    while (end < text.size() && isWordPart(text[end]))
      ++end;
    return end;
  }

  /// Takes in every letter that touches the number, so that `64k` is one bad number and not a
  /// number and a word.
  std::size_t numberEnd() const {
    const bool isHex = text.substr(at, 2) == "0x" || text.substr(at, 2) == "0X";
    std::size_t end = at + 1;
    while (end < text.size()) {
      const char previous = text[end - 1];
      const bool afterExponent = !isHex && (previous == 'e' || previous == 'E');
      const bool beforeDigit = end + 1 < text.size() && isDigit(text[end + 1]);
      const bool isSign = afterExponent && (text[end] == '+' || text[end] == '-');
      if (!isWordPart(text[end]) && !(beforeDigit && (text[end] == '.' || isSign)))
        break;
      ++end;
    }
    return end;
  }

  void readSymbol() {
    switch (text[at]) {
    case '{':
      return readToken(TokenKind::OpenBrace, at + 1);
    case '}':
      return readToken(TokenKind::CloseBrace, at + 1);
    case ';':
      return readToken(TokenKind::Separator, at + 1);
    default:
      return readToken(TokenKind::Symbol, isPair(text.substr(at, 2)) ? at + 2 : at + 1);
    }
  }

  static bool isPair(std::string_view symbols) {
    constexpr std::array<std::string_view, 7> kPairs = {"..", "&&", "||", "<=", ">=", "==", "!="};
    return std::find(kPairs.begin(), kPairs.end(), symbols) != kPairs.end();
  }

  /// Control characters and letters beyond ASCII: one diagnostic for a whole run of them.
  void readNoise() {
    const std::size_t begin = at;
    while (at < text.size() && text[at] != '\n' && !isBlank(text[at]) &&
           !isPrintableAscii(text[at]))
      ++at;
    const Span span{begin, at - begin};
    diagnostics.add(errorAt(span,
                            fmt::format("{} has no meaning outside a comment",
                                        quoteForMessage(text.substr(begin, span.length))))
                        .withHelp("names and words are ASCII; write other letters after a `#`"));
  }

  void readToken(TokenKind kind, std::size_t end) {
    add(kind, end, above);
    lineHasTokens = true;
    at = end;
  }

  void endLine() {
    if (lineHasTokens)
      add(TokenKind::Newline, at, beside);
    else if (!lineHasComment && at < text.size())
      above.emplace_back();
    lineHasTokens = false;
    lineHasComment = false;
  }

  void add(TokenKind kind, std::size_t end, Trivia& trivia) {
    Token token{kind, static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end - at), 0};
    if (!trivia.empty()) {
      token.trivia = static_cast<std::uint32_t>(list.trivia.size());
      list.trivia.push_back(std::move(trivia));
      trivia.clear();
    }
    list.tokens.push_back(token);
  }

  std::string_view text;
  DiagnosticList& diagnostics;
  TokenList list;
  std::size_t at = 0;
  Trivia above;
  Trivia beside;
  bool lineHasTokens = false;
  bool lineHasComment = false;
};

/// True when the text can be lexed at all; else says why it cannot.
bool isReadable(std::string_view text, DiagnosticList& diagnostics) {
  if (text.size() > kSpecLimitBytes) {
    diagnostics.add(
        errorAt(
            {0, 0},
            fmt::format("the text is {} bytes; at most {} are read", text.size(), kSpecLimitBytes))
            .withHelp("check that this is a spec file, or divide it"));
    return false;
  }
  if (const auto offset = firstInvalidUtf8(text)) {
    const auto byte = static_cast<unsigned char>(text[*offset]);
    diagnostics.add(
        errorAt({*offset, 1}, fmt::format("byte {} (0x{:02x}) is not UTF-8", *offset, byte))
            .withHelp("save the file as UTF-8, and check that it is a spec file"));
    return false;
  }
  if (const std::size_t offset = text.find('\0'); offset != text.npos) {
    diagnostics.add(errorAt({offset, 1}, fmt::format("byte {} is NUL; a spec is text", offset))
                        .withHelp("check that this is a spec file"));
    return false;
  }
  return true;
}

} // namespace

TokenList lex(const SourceText& source, DiagnosticList& diagnostics) {
  if (!isReadable(source.text(), diagnostics))
    return {{Token{}}, {Trivia{}}};
  return Lexer(source, diagnostics).run();
}

bool isWordStart(char character) {
  return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
         character == '_';
}

bool isWordPart(char character) {
  return isWordStart(character) || isDigit(character);
}

} // namespace mlac
