#include "compiler/spec/Lexer.h"

#include <gtest/gtest.h>

namespace mlac {
namespace {

/// Tokens as text between bars; newline tokens as `$`.
std::string tokensOf(const std::string& text) {
  const SourceText source("t.mlac", text);
  DiagnosticList diagnostics;
  std::string shown;
  for (const Token& token : lex(source, diagnostics).tokens)
    if (token.kind != TokenKind::End)
      shown +=
          (token.kind == TokenKind::Newline ? "$" : std::string(source.slice(token.span()))) + "|";
  EXPECT_FALSE(diagnostics.hasErrors()) << renderDiagnostics(source, diagnostics);
  return shown;
}

std::string errorsOf(const std::string& text) {
  const SourceText source("t.mlac", text);
  DiagnosticList diagnostics;
  lex(source, diagnostics);
  return renderDiagnostics(source, diagnostics);
}

TEST(Lexer, SeparatesRangesFromDecimals) {
  EXPECT_EQ(tokensOf("1..4"), "1|..|4|$|");
  EXPECT_EQ(tokensOf("1.5..2.5"), "1.5|..|2.5|$|");
  EXPECT_EQ(tokensOf("0x1F..2"), "0x1F|..|2|$|");
}

TEST(Lexer, KeepsTheExponentsSignInTheNumber) {
  EXPECT_EQ(tokensOf("1e-3 1E+3 1e3"), "1e-3|1E+3|1e3|$|");
  EXPECT_EQ(tokensOf("0x1e-3"), "0x1e|-|3|$|");
  EXPECT_EQ(tokensOf("1e - 3"), "1e|-|3|$|");
}

TEST(Lexer, TakesLettersThatTouchANumberIntoIt) {
  EXPECT_EQ(tokensOf("64k 1_000"), "64k|1_000|$|");
}

TEST(Lexer, MakesOneNewlineOfALineWithTokensAndNoneOfOthers) {
  EXPECT_EQ(tokensOf("\n\n# only a comment\na\r\n\n b # c"), "a|$|b|$|");
  EXPECT_EQ(tokensOf(""), "");
}

TEST(Lexer, ReadsPunctuationOneByOne) {
  EXPECT_EQ(tokensOf("a{b;}<=(+inf)"), "a|{|b|;|}|<=|(|+|inf|)|$|");
}

TEST(Lexer, HandsCommentsToTheLineTheyBelongTo) {
  const SourceText source("t.mlac", "# above \n\na # beside\n# end\n");
  DiagnosticList diagnostics;
  const TokenList list = lex(source, diagnostics);
  ASSERT_EQ(list.tokens.size(), 3u);
  EXPECT_EQ(list.trivia[list.tokens[0].trivia], (Trivia{"# above", ""}));
  EXPECT_EQ(list.trivia[list.tokens[1].trivia], (Trivia{"# beside"}));
  EXPECT_EQ(list.trivia[list.tokens[2].trivia], (Trivia{"# end"}));
}

TEST(Lexer, SkipsAByteOrderMark) {
  EXPECT_EQ(tokensOf("\xEF\xBB\xBF"
                     "a"),
            "a|$|");
}

TEST(Lexer, NamesTheByteThatIsNotUtf8AndItsPlace) {
  EXPECT_EQ(errorsOf("heads 8\n# \xC3\xA4\xFF"),
            "t.mlac:2:4: error: byte 12 (0xff) is not UTF-8\n"
            "  # \xC3\xA4\xEF\xBF\xBD\n"
            "     ^\n"
            "  help: save the file as UTF-8, and check that it is a spec file\n");
}

TEST(Lexer, RefusesNulEvenInComments) {
  const std::string errors = errorsOf(std::string("a # b\0c", 7));
  EXPECT_NE(errors.find("t.mlac:1:6: error: byte 5 is NUL; a spec is text"), std::string::npos)
      << errors;
}

TEST(Lexer, RefusesTextOverItsLimitAndReadsOneAtTheLimit) {
  EXPECT_EQ(errorsOf(std::string(kSpecLimitBytes, ' ')), "");
  const std::string errors = errorsOf(std::string(kSpecLimitBytes + 1, ' '));
  EXPECT_NE(errors.find("the text is 4194305 bytes; at most 4194304 are read"), std::string::npos)
      << errors;
}

TEST(Lexer, ReportsARunOfForeignLettersOnceAndReadsOn) {
  const SourceText source("t.mlac", "heads \xC3\xA4\xC3\xB6\x01 8");
  DiagnosticList diagnostics;
  const TokenList list = lex(source, diagnostics);
  EXPECT_EQ(diagnostics.errorCount(), 1u);
  EXPECT_EQ(list.tokens.size(), 4u);
  const std::string text = renderDiagnostics(source, diagnostics);
  EXPECT_NE(text.find("t.mlac:1:7: error: `\xC3\xA4\xC3\xB6\xEF\xBF\xBD` has no meaning"),
            std::string::npos)
      << text;
}

} // namespace
} // namespace mlac
