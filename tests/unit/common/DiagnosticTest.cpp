#include "common/Diagnostic.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace mlac {
namespace {

std::size_t longestLine(const std::string& text) {
  const SourceText lines("", text);
  std::size_t longest = 0;
  for (std::size_t line = 1; line <= lines.lineCount(); ++line)
    longest = std::max(longest, lines.lineText(line).size());
  return longest;
}

TEST(Diagnostic, RendersPlaceLineCaretAndHelp) {
  const SourceText source("a.mlac", "attention a {\n  latent 501\n}\n");
  const Diagnostic diagnostic =
      errorAt({23, 3}, "latent is 501").withHelp("write: latent 496 or 512");
  EXPECT_EQ(renderDiagnostic(source, diagnostic),
            "a.mlac:2:10: error: latent is 501\n"
            "    latent 501\n"
            "           ^~~\n"
            "  help: write: latent 496 or 512\n");
}

TEST(Diagnostic, RendersNotesWithTheirOwnPlaces) {
  const SourceText source("a.mlac", "heads 8\nheads 9");
  const Diagnostic diagnostic =
      errorAt({8, 5}, "twice").withNote(Span{0, 5}, "first here").withNote({}, "a remark");
  EXPECT_EQ(renderDiagnostic(source, diagnostic),
            "a.mlac:2:1: error: twice\n"
            "  heads 9\n"
            "  ^~~~~\n"
            "a.mlac:1:1: note: first here\n"
            "  heads 8\n"
            "  ^~~~~\n"
            "  note: a remark\n");
}

TEST(Diagnostic, PointsBehindTheLastCharacterAtTheEnd) {
  const SourceText source("a.mlac", "ab");
  EXPECT_EQ(renderDiagnostic(source, errorAt({2, 0}, "more is missing")),
            "a.mlac:1:3: error: more is missing\n"
            "  ab\n"
            "    ^\n");
}

TEST(Diagnostic, UnderlinesNoFurtherThanItsLine) {
  const SourceText source("a.mlac", "abc\ndef\n");
  EXPECT_EQ(renderDiagnostic(source, errorAt({1, 6}, "long")),
            "a.mlac:1:2: error: long\n"
            "  abc\n"
            "   ^~\n");
}

TEST(Diagnostic, KeepsTheCaretUnderTabsControlCharactersAndWideText) {
  const SourceText source("a.mlac", "\t\x1B\xC3\xA4\xFFx");
  EXPECT_EQ(renderDiagnostic(source, errorAt({5, 1}, "here")),
            "a.mlac:1:5: error: here\n"
            "   \xEF\xBF\xBD\xC3\xA4\xEF\xBF\xBDx\n"
            "      ^\n");
}

TEST(Diagnostic, ShowsAWindowOfALongLine) {
  const std::string line = std::string(500'000, 'a') + "!" + std::string(500'000, 'b');
  const SourceText source("a.mlac", line);
  const std::string text = renderDiagnostic(source, errorAt({500'000, 1}, "here"));
  EXPECT_NE(text.find("a.mlac:1:500001: error"), std::string::npos);
  EXPECT_NE(text.find("...aaa"), std::string::npos);
  EXPECT_NE(text.find("bbb..."), std::string::npos);
  EXPECT_LT(longestLine(text), 120u);
  const SourceText rendered("", text);
  EXPECT_EQ(rendered.lineText(2).find('!'), rendered.lineText(3).find('^'));
}

TEST(Diagnostic, TellsWarningsFromErrors) {
  DiagnosticList list;
  list.add({Severity::Warning, {0, 1}, "odd", {}, {}});
  EXPECT_FALSE(list.hasErrors());
  list.add(errorAt({0, 1}, "wrong"));
  EXPECT_EQ(list.errorCount(), 1u);
  const std::string text = renderDiagnostics(SourceText("a", "x"), list);
  EXPECT_NE(text.find("a:1:1: warning: odd"), std::string::npos);
  EXPECT_NE(text.find("a:1:1: error: wrong"), std::string::npos);
}

TEST(DiagnosticList, ShowsTheFirstByPlaceAndCountsTheRest) {
  DiagnosticList list;
  for (std::size_t offset = 1000; offset > 0; --offset)
    list.add(errorAt({offset, 1}, "wrong"));
  EXPECT_EQ(list.errorCount(), 1000u);
  const auto shown = list.shown();
  ASSERT_EQ(shown.size(), DiagnosticList::kShown);
  for (std::size_t index = 0; index < shown.size(); ++index)
    EXPECT_EQ(shown[index].span.offset, index + 1);
  EXPECT_EQ(list.hiddenCount(), 980u);
  const std::string text = renderDiagnostics(SourceText("a", std::string(1001, 'x')), list);
  EXPECT_NE(text.find("a: 980 more not shown\n"), std::string::npos);
}

TEST(DiagnosticList, KeepsTheOrderInWhichOnePlaceWasReported) {
  DiagnosticList list;
  for (const char* message : {"one", "two", "three"})
    list.add(errorAt({5, 1}, message));
  const auto shown = list.shown();
  ASSERT_EQ(shown.size(), 3u);
  EXPECT_EQ(shown[0].message, "one");
  EXPECT_EQ(shown[2].message, "three");
}

TEST(QuoteForMessage, ClipsAndCleansWhatItQuotes) {
  EXPECT_EQ(quoteForMessage("heads"), "`heads`");
  EXPECT_EQ(quoteForMessage("a\nb"),
            "`a\xEF\xBF\xBD"
            "b`");
  const std::string clipped = quoteForMessage(std::string(1'000'000, 'x'));
  EXPECT_EQ(clipped, "`" + std::string(40, 'x') + "...`");
}

} // namespace
} // namespace mlac
