// Lexer: spec text to tokens. Comments and blank lines ride along, for the formatter.
#pragma once

#include "common/Diagnostic.h"
#include "common/SourceText.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mlac {

enum class TokenKind : std::uint8_t {
  Word,      ///< identifier or word of the language
  Number,    ///< starts with a digit; whether it is well formed is decided where it is read
  Symbol,    ///< `..`, `&&`, `||`, `<=`, `>=`, `==`, `!=` or one printable character
  OpenBrace, ///< `{`
  CloseBrace,
  Separator, ///< `;`
  Newline,   ///< end of a line that holds tokens; one stands before End at the latest
  End
};

struct Token {
  TokenKind kind = TokenKind::End;
  std::uint32_t offset = 0;
  std::uint32_t length = 0;
  std::uint32_t trivia = 0; ///< index into TokenList::trivia; 0 is empty

  Span span() const { return {offset, length}; }
};

/// Comment lines above a line's first token, "" for blank lines; for a Newline the one comment that
/// ends its line.
using Trivia = std::vector<std::string>;

struct TokenList {
  std::vector<Token> tokens; ///< ends in Newline (unless empty) and End
  std::vector<Trivia> trivia;
};

/// Largest spec text that is read, in bytes.
inline constexpr std::size_t kSpecLimitBytes = 4 << 20;

/// Never fails: what cannot be a token becomes a diagnostic. Text that is too large, binary or not
/// UTF-8 yields one diagnostic and no tokens but End. Linear in the text.
TokenList lex(const SourceText& source, DiagnosticList& diagnostics);

/// True for [A-Za-z_].
bool isWordStart(char character);

/// True for [A-Za-z0-9_].
bool isWordPart(char character);

} // namespace mlac
