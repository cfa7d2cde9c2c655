// Several errors a run: reading goes on behind each mistake.
#include "tests/unit/spec/SpecTestSupport.h"

namespace mlac::test {
namespace {

TEST(Recovery, ReportsOneErrorForEachWrongLine) {
  const std::string text = diagnose("attention a {\n"
                                    "  heads 0\n"
                                    "  latent 501\n"
                                    "  7 rope\n"
                                    "  rope 64 * 2\n"
                                    "  cache bf16 page 0; iterate topk 0 logical\n"
                                    "  scale inf\n"
                                    "}\n");
  for (const char* place : {":2:9:", ":3:10:", ":4:3:", ":5:11:", ":6:19:", ":6:35:", ":7:9:"})
    EXPECT_TRUE(contains(text, place)) << place << "\n" << text;
  EXPECT_EQ(countOf(text, "error: "), 7u) << text;
}

TEST(Recovery, ReadsTheNextAttentionAfterAMissingBrace) {
  const std::string text =
      diagnose("attention a {\n  heads 0\n" + specWith({{"heads", "heads 0"}}));
  EXPECT_TRUE(contains(text, "t.mlac:3:1: error: expected `}`, found `attention`")) << text;
  EXPECT_TRUE(contains(text, "t.mlac:1:13: note: the attention was opened here")) << text;
  EXPECT_TRUE(contains(text, "t.mlac:4:9: error: heads is `0`")) << text;
}

TEST(Recovery, ReportsAnUnclosedAttentionAtTheEndOfTheFile) {
  std::string spec = specWith();
  spec.resize(spec.size() - 2);
  const std::string text = diagnose(spec);
  EXPECT_TRUE(contains(text, "t.mlac:8:1: error: expected `}`, found the end of the file")) << text;
  EXPECT_EQ(countOf(text, "error: "), 1u) << text;
}

TEST(Recovery, ReadsTheBodyOfAMisspeltAttention) {
  std::string spec = specWith({{"heads", "heads 0"}});
  spec.replace(0, 9, "atention");
  const std::string text = diagnose(spec);
  EXPECT_TRUE(contains(text, "t.mlac:1:1: error: expected an attention, found `atention`")) << text;
  EXPECT_TRUE(contains(text, "help: did you mean `attention`?")) << text;
  EXPECT_TRUE(contains(text, "t.mlac:2:9: error: heads is `0`")) << text;
  EXPECT_EQ(countOf(text, "error: "), 2u) << text;
}

TEST(Recovery, ReadsTheBodyOfAnAttentionWithoutAName) {
  const std::string text = diagnose(specWith({{"heads", "heads 0"}}, ""));
  EXPECT_TRUE(contains(text, "t.mlac:1:12: error: expected the attention's name, found `{`"))
      << text;
  EXPECT_TRUE(contains(text, "t.mlac:2:9: error: heads is `0`")) << text;
}

TEST(Recovery, ReadsTheBodyOfAnAttentionWithoutItsBrace) {
  const std::string text = diagnose("attention a\n  heads 0\n}\n");
  EXPECT_TRUE(contains(text, "t.mlac:2:3: error: expected `{`, found `heads`")) << text;
  EXPECT_TRUE(contains(text, "t.mlac:2:9: error: heads is `0`")) << text;
  EXPECT_EQ(countOf(text, "error: "), 2u) << text;
}

TEST(Recovery, SkipsAWholeBlockBehindAReservedOrUnknownWord) {
  const std::string text = diagnose(specWith({{"x1", "extra {\n cache dsv4 page 64\n {\n}\n }"},
                                              {"x2", "blocks { a { b } c }"},
                                              {"x3", "q f32"}}));
  EXPECT_EQ(countOf(text, "error: "), 3u) << text;
  EXPECT_TRUE(contains(text, "`extra`")) << text;
  EXPECT_TRUE(contains(text, "unknown word `blocks`")) << text;
  EXPECT_TRUE(contains(text, "q must be")) << text;
}

TEST(Recovery, AnUnclosedBlockDoesNotSwallowTheNextAttention) {
  const std::string text =
      diagnose("attention a {\n  extra {\n" + specWith({{"heads", "heads 0"}}));
  EXPECT_TRUE(contains(text, "t.mlac:4:9: error: heads is `0`")) << text;
}

TEST(Recovery, AStrayBraceCostsItsOwnLineOnly) {
  const std::string open = diagnose(specWith({{"heads", "heads { 8"}, {"q", "q f32"}}));
  EXPECT_EQ(countOf(open, "error: "), 2u) << open;
  EXPECT_TRUE(contains(open, "t.mlac:2:9: error: `{` has no meaning after `heads`")) << open;
  const std::string closed = diagnose(specWith({{"heads", "heads { 8; 9 }"}, {"q", "q f32"}}));
  EXPECT_EQ(countOf(closed, "error: "), 2u) << closed;
}

TEST(Recovery, TellsSettingsAndBracesOutsideAnAttention) {
  const std::string outside = diagnose("heads 8\n" + specWith());
  EXPECT_TRUE(contains(outside, "t.mlac:1:1: error: `heads` stands outside an attention"))
      << outside;
  const std::string brace = diagnose(specWith() + "}\n");
  EXPECT_TRUE(contains(brace, "t.mlac:9:1: error: this `}` closes nothing")) << brace;
}

TEST(Recovery, ReportsRunsOfJunkBetweenAttentionsOnce) {
  const std::string junk = "1 2 3\n( a b\n{ } { }\n";
  const std::string text = diagnose(junk + specWith({}, "a") + junk + specWith({}, "b"));
  EXPECT_EQ(countOf(text, "error: "), 2u) << text;
}

} // namespace
} // namespace mlac::test
