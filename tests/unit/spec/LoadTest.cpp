#include "tests/unit/spec/SpecTestSupport.h"

#include <filesystem>

namespace mlac::test {
namespace {

TEST(LoadVariants, FailsAsInvalidSpecWithTheRenderedDiagnostics) {
  const auto loaded = loadVariants(SourceText("t.mlac", specWith({{"heads", "heads 0"}})));
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code, ErrorCode::InvalidSpec);
  EXPECT_TRUE(loaded.error().message.starts_with("t.mlac:2:9: error: heads is `0`"));
}

TEST(SplitSpecReference, TakesAnIdentifierBehindTheLastColonAsTheName) {
  const auto split = [](const char* reference) {
    const SpecReference parts = splitSpecReference(reference);
    return parts.file + "|" + parts.name.value_or("-");
  };
  EXPECT_EQ(split("a.mlac"), "a.mlac|-");
  EXPECT_EQ(split("a.mlac:decode"), "a.mlac|decode");
  EXPECT_EQ(split("x:y/a.mlac"), "x:y/a.mlac|-");
  EXPECT_EQ(split("x:y:z"), "x:y|z");
  EXPECT_EQ(split("a.mlac:"), "a.mlac:|-");
  EXPECT_EQ(split(":decode"), ":decode|-");
  EXPECT_EQ(split("a.mlac:8"), "a.mlac:8|-");
}

class SelectVariant : public testing::Test {
protected:
  std::vector<Variant> one = {load(specWith())};
  std::vector<Variant> two = {load(specWith()), load(specWith({}, "prefill"))};
};

TEST_F(SelectVariant, GivesTheOnlyOneOrTheNamedOne) {
  EXPECT_EQ(selectVariant(one, std::nullopt, "a.mlac")->name, "decode");
  EXPECT_EQ(selectVariant(two, "prefill", "a.mlac")->name, "prefill");
}

TEST_F(SelectVariant, ListsTheNamesWhenNoneOfSeveralWasChosen) {
  const auto selected = selectVariant(two, std::nullopt, "a.mlac");
  ASSERT_FALSE(selected);
  EXPECT_EQ(selected.error().code, ErrorCode::InvalidInput);
  EXPECT_EQ(selected.error().message,
            "a.mlac holds 2 attentions: decode prefill; write a.mlac:NAME to choose one");
}

TEST_F(SelectVariant, SuggestsTheNearestName) {
  const auto selected = selectVariant(two, "prefil", "a.mlac");
  ASSERT_FALSE(selected);
  EXPECT_EQ(selected.error().message,
            "a.mlac holds no attention named 'prefil', only decode prefill; did you mean prefill?");
}

TEST(Examples, OfTheDocumentationAreRightAndFormatted) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(MLAC_SOURCE_DIR "/docs/examples")) {
    if (entry.path().extension() != ".mlac")
      continue;
    const auto source = readSource(entry.path().string(), 1 << 20);
    ASSERT_TRUE(source) << source.error().message;
    EXPECT_EQ(diagnose(source->text()), "") << entry.path();
    EXPECT_EQ(format(source->text()), source->text()) << entry.path();
    ++count;
  }
  EXPECT_GE(count, 3u);
}

TEST(Examples, InsideTheLanguageReferenceAreRight) {
  const auto page = readSource(MLAC_SOURCE_DIR "/docs/language.md", 1 << 20);
  ASSERT_TRUE(page) << page.error().message;
  const std::string& text = page->text();
  const std::string fence = "```mlac\n";
  std::size_t count = 0;
  for (std::size_t at = text.find(fence); at != text.npos; at = text.find(fence, at + 1)) {
    const std::size_t begin = at + fence.size();
    const std::string block = text.substr(begin, text.find("```", begin) - begin);
    EXPECT_EQ(diagnose(block), "") << block;
    ++count;
  }
  EXPECT_GE(count, 1u);
}

} // namespace
} // namespace mlac::test
