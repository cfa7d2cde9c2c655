// Mistakes that concern a whole attention or file, and how they are shown.
#include "tests/unit/spec/SpecTestSupport.h"

namespace mlac::test {
namespace {

TEST(Diagnostics, ShowTheLineWithTheValueUnderlined) {
  EXPECT_EQ(diagnose(specWith({{"latent", "latent   501  # d_v"}})),
            "t.mlac:3:12: error: latent is `501`; it must be a multiple of 16 from 16 to 8192\n"
            "    latent   501  # d_v\n"
            "             ^~~\n"
            "  help: write: latent 496 or 512\n");
}

TEST(Diagnostics, ReportAWordWrittenTwiceAtTheSecond) {
  const std::string text = diagnose(specWith({{"q", "q bf16; heads 9"}}));
  EXPECT_EQ(text,
            "t.mlac:8:11: error: `heads` is written twice; each word stands once in an attention\n"
            "    q bf16; heads 9\n"
            "            ^~~~~\n"
            "t.mlac:2:3: note: first written here\n"
            "    heads 8\n"
            "    ^~~~~\n"
            "  help: keep one of the two lines\n");
}

TEST(Diagnostics, ReportEachMissingWordWithALineToWrite) {
  const std::string text = diagnose("attention decode {\n}\n");
  EXPECT_EQ(countOf(text, "t.mlac:1:11: error: attention `decode` lacks `"), 6u) << text;
  for (const char* help : {"write: heads 8",
                           "write: latent 512",
                           "write: rope 64 (or `rope 0` for a model without)",
                           "write: cache bf16 page 64",
                           "write: iterate topk 2048 logical",
                           "write: scale 0.0625 (or `scale runtime`)"})
    EXPECT_TRUE(contains(text, help)) << text;
}

TEST(Diagnostics, DoNotCallAMisspeltOrDamagedWordMissing) {
  const std::string misspelt = diagnose(specWith({{"heads", "haeds 8"}}));
  EXPECT_EQ(countOf(misspelt, "error: "), 1u) << misspelt;
  const std::string damaged = diagnose(specWith({{"heads", "heads * 8"}}));
  EXPECT_EQ(countOf(damaged, "error: "), 1u) << damaged;
}

TEST(Diagnostics, RefuseCausalWithPhysicalIndicesAtBothPlaces) {
  const std::string text = diagnose(
      specWith({{"iterate", "iterate topk 64 physical"}, {"queries", "queries 2 causal"}}));
  EXPECT_TRUE(contains(text, "t.mlac:8:13: error: `causal` compares positions")) << text;
  EXPECT_TRUE(contains(text, "t.mlac:6:19: note: the indices are physical here")) << text;
  EXPECT_TRUE(contains(text, "help: write `logical` indices, or drop `causal`")) << text;
  EXPECT_EQ(
      diagnose(specWith({{"iterate", "iterate topk 64 logical"}, {"queries", "queries 2 causal"}})),
      "");
}

TEST(Diagnostics, RefuseNamesThatGeneratedCodeCannotCarry) {
  for (const char* name : {"class", "mlac_decode", "a__b"}) {
    const std::string text = diagnose(specWith({}, name));
    EXPECT_TRUE(contains(text, "t.mlac:1:11: error: the name `")) << text;
    EXPECT_EQ(countOf(text, "error: "), 1u) << text;
  }
  EXPECT_TRUE(contains(diagnose(specWith({}, std::string(65, 'a'))), "has 65 characters"));
  EXPECT_EQ(diagnose(specWith({}, std::string(64, 'a'))), "");
}

TEST(Diagnostics, RefuseTheSameNameTwice) {
  const std::string text = diagnose(specWith() + specWith());
  EXPECT_TRUE(contains(text, "t.mlac:9:11: error: there is already an attention named `decode`"))
      << text;
  EXPECT_TRUE(contains(text, "t.mlac:1:11: note: the first one is here")) << text;
}

TEST(Diagnostics, RefuseAFileWithoutAttentions) {
  for (const char* text : {"", "\n\n", "# only a comment\n"})
    EXPECT_TRUE(contains(diagnose(text), "t.mlac:1:1: error: the file holds no attention")) << text;
}

TEST(Diagnostics, ComeInTheOrderOfTheText) {
  const std::string text =
      diagnose(specWith({{"scale", "scale inf"}, {"heads", "heads 0"}}) + "junk\n");
  const std::size_t heads = text.find(":2:9:");
  const std::size_t scale = text.find(":7:9:");
  const std::size_t junk = text.find(":9:1:");
  ASSERT_NE(junk, text.npos) << text;
  EXPECT_LT(heads, scale);
  EXPECT_LT(scale, junk);
}

} // namespace
} // namespace mlac::test
