#include "compiler/spec/TokenStream.h"

namespace mlac {

TokenStream::TokenStream(const SourceText& source, DiagnosticList& diagnostics)
    : source(source), list(lex(source, diagnostics)) {}

bool TokenStream::isAtWord(std::string_view spelling) const {
  return isAt(TokenKind::Word) && text() == spelling;
}

std::string TokenStream::describe() const {
  switch (peek().kind) {
  case TokenKind::Newline:
    return "the end of the line";
  case TokenKind::End:
    return "the end of the file";
  default:
    return quoteForMessage(text());
  }
}

Token TokenStream::take() {
  const Token token = peek();
  if (token.kind != TokenKind::End)
    ++at;
  return token;
}

const Token& TokenStream::next() const {
  return list.tokens[std::min(at + 1, list.tokens.size() - 1)];
}

bool TokenStream::isAtSettingEnd() const {
  return isAt(TokenKind::Newline) || isAt(TokenKind::Separator) || isAt(TokenKind::CloseBrace) ||
         isAt(TokenKind::End);
}

bool TokenStream::isAtLineStart() const {
  return at == 0 || list.tokens[at - 1].kind == TokenKind::Newline;
}

bool TokenStream::isBeforeBlock() const {
  return next().kind == TokenKind::Word || next().kind == TokenKind::OpenBrace;
}

bool TokenStream::isAtTopBlock() const {
  return (isAtWord("attention") || isAtWord("record")) && isAtLineStart() && isBeforeBlock();
}

void TokenStream::keepComments() {
  const Trivia& trivia = triviaOf(peek());
  kept.insert(kept.end(), trivia.begin(), trivia.end());
}

void TokenStream::skipSeparators() {
  while (isAt(TokenKind::Newline) || isAt(TokenKind::Separator)) {
    keepComments();
    take();
  }
}

void TokenStream::skipNewlines() {
  while (isAt(TokenKind::Newline)) {
    keepComments();
    take();
  }
}

void TokenStream::skipLine() {
  std::size_t depth = 0;
  while (!isAt(TokenKind::End) && !isAt(TokenKind::Newline)) {
    if (depth == 0 && isAtSettingEnd())
      return;
    depth = depthAfter(depth);
    take();
  }
}

void TokenStream::skipBlock() {
  std::size_t depth = 0;
  while (!isAt(TokenKind::End) && !isAtTopBlock()) {
    if (depth == 0 && isAtSettingEnd())
      return;
    depth = depthAfter(depth);
    take();
  }
}

std::size_t TokenStream::depthAfter(std::size_t depth) const {
  return isAt(TokenKind::OpenBrace) ? depth + 1 : isAt(TokenKind::CloseBrace) ? depth - 1 : depth;
}

void TokenStream::skipToTopLevel() {
  while (!isAt(TokenKind::End)) {
    take();
    if (isAtLineStart() && (isAtWord("attention") || isAtWord("record")))
      return;
  }
}

std::vector<std::string> TokenStream::takeAbove() {
  keepComments();
  Trivia lines;
  for (std::string& line : kept)
    if (!line.empty() || lines.empty() || !lines.back().empty())
      lines.push_back(std::move(line));
  kept.clear();
  return lines;
}

std::string TokenStream::takeBeside() {
  while (isAt(TokenKind::Separator))
    take();
  if (!isAt(TokenKind::Newline))
    return {};
  const Trivia& trivia = triviaOf(take());
  return trivia.empty() ? std::string() : trivia.front();
}

std::vector<std::string> withoutFirstBlank(std::vector<std::string> lines) {
  if (!lines.empty() && lines.front().empty())
    lines.erase(lines.begin());
  return lines;
}

std::vector<std::string> withoutLastBlank(std::vector<std::string> lines) {
  if (!lines.empty() && lines.back().empty())
    lines.pop_back();
  return lines;
}

} // namespace mlac
