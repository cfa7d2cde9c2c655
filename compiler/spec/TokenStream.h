// TokenStream: the parser's place in the tokens, and the comments that wait for the next line to
// belong to.
#pragma once

#include "compiler/spec/Lexer.h"

#include <string>
#include <vector>

namespace mlac {

class TokenStream {
public:
  TokenStream(const SourceText& source, DiagnosticList& diagnostics);

  const Token& peek() const { return list.tokens[at]; }

  bool isAt(TokenKind kind) const { return peek().kind == kind; }

  bool isAtWord(std::string_view spelling) const;

  /// Text of the current token.
  std::string_view text() const { return source.slice(peek().span()); }

  /// The current token as an error message names it.
  std::string describe() const;

  Token take();

  /// At the end of a setting: newline, `;`, `}` or end of file.
  bool isAtSettingEnd() const;

  /// At the first token of a line that begins `attention NAME` or `attention {`, or the same with
  /// `record`.
  bool isAtTopBlock() const;

  /// At a word that could begin a block: the next token is a word or `{`.
  bool isBeforeBlock() const;

  /// Moves over newlines and `;`, keeping their comments for `takeAbove`.
  void skipSeparators();

  /// Moves over newlines alone, keeping their comments.
  void skipNewlines();

  /// Moves to the end of the setting, over braces that are closed on the same line.
  void skipLine();

  /// Moves to the end of the setting, over whole blocks in braces, but never past the start of the
  /// next attention or record.
  void skipBlock();

  /// Moves to the first token of the next line that can begin something at the top level.
  void skipToTopLevel();

  /// Comments above the current token, with those kept since; blank lines in a row become one.
  std::vector<std::string> takeAbove();

  /// Moves past the `;` and newline that follow, and returns the comment that ends the line.
  std::string takeBeside();

private:
  const Trivia& triviaOf(const Token& token) const { return list.trivia[token.trivia]; }

  const Token& next() const;
  bool isAtLineStart() const;
  void keepComments();
  std::size_t depthAfter(std::size_t depth) const;

  const SourceText& source;
  TokenList list;
  std::size_t at = 0;
  Trivia kept;
};

/// Comment lines without the blank line, "", that they begin or end with.
std::vector<std::string> withoutFirstBlank(std::vector<std::string> lines);
std::vector<std::string> withoutLastBlank(std::vector<std::string> lines);

} // namespace mlac
