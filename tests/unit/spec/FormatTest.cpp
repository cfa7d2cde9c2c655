#include "tests/unit/spec/SpecTestSupport.h"

namespace mlac::test {
namespace {

constexpr const char* kFormatted = "# Head of the file.\n"
                                   "\n"
                                   "# About a.\n"
                                   "attention a {  # opened\n"
                                   "  # about heads\n"
                                   "  heads    8                # query heads\n"
                                   "  scale    -1e-3            # negative\n"
                                   "\n"
                                   "  # about the cache\n"
                                   "\n"
                                   "  # more\n"
                                   "  cache    bf16 page 0x40\n"
                                   "  queries  1..4 causal\n"
                                   "  output   bf16 empty +inf  # odd\n"
                                   "  # last\n"
                                   "}  # closed\n"
                                   "\n"
                                   "attention b {\n"
                                   "}\n"
                                   "\n"
                                   "# End of the file.\n";

TEST(Format, LeavesCanonicalTextAlone) {
  EXPECT_EQ(format(kFormatted), kFormatted);
}

TEST(Format, BringsAnyLayoutIntoCanonicalForm) {
  EXPECT_EQ(format("\n\n# Head of the file.\n\n\n# About a.\n"
                   "attention   a\t{# opened  \n\n\n"
                   "# about heads\n"
                   "heads 8;;# query heads\r\n"
                   "\tscale -  1e-3 # negative\n\n\n\n"
                   "       # about the cache\n\n"
                   "# more\n"
                   "cache bf16 page 0x40; queries 1 .. 4 causal; output bf16 empty + inf # odd\n"
                   "# last\n\n"
                   "} # closed\n"
                   "attention b { }\n\n"
                   "# End of the file."),
            std::string(kFormatted)
                .replace(std::string(kFormatted).find("{  # opened"), 11, "{  # opened"));
}

TEST(Format, KeepsCommentsOfEmptyStatementsAndSplitHeads) {
  EXPECT_EQ(format("attention a # one\n# two\n{ ; # three\n# four\n; heads 8\n; # five\n}\n"),
            "# one\n"
            "# two\n"
            "attention a {\n"
            "  # three\n"
            "  # four\n"
            "  heads    8\n"
            "  # five\n"
            "}\n");
}

TEST(Format, DoesNotPushCommentsBehindAVeryLongLine) {
  const std::string number(500, '1');
  EXPECT_EQ(format("attention a {\nheads " + number + " # long\nrope 64 # short\n}"),
            "attention a {\n  heads    " + number + "  # long\n  rope     64  # short\n}\n");
}

TEST(Format, KeepsAFileOfCommentsAlone) {
  EXPECT_EQ(format("\n# one\n\n\n# two\n\n"), "# one\n\n# two\n");
  EXPECT_EQ(format(""), "");
}

TEST(PrintVariant, WritesEveryWordInTheLanguagesOrder) {
  EXPECT_EQ(printVariant(load(specWith({{"iterate", "iterate topk 2048 logical"},
                                        {"queries", "queries 1..4 causal"},
                                        {"output", "output bf16 lse natural"}}))),
            "attention decode {\n"
            "  heads    8\n"
            "  latent   512\n"
            "  rope     64\n"
            "  value    latent\n"
            "  q        bf16\n"
            "  cache    bf16 page 64\n"
            "  iterate  topk 2048 logical\n"
            "  queries  1..4 causal\n"
            "  scale    0.0625\n"
            "  output   bf16 lse natural\n"
            "}\n");
}

TEST(PrintVariant, PrintsEqualVariantsAlike) {
  EXPECT_EQ(printVariant(load(specWith({{"scale", "scale 0.0"}}))),
            printVariant(load(specWith({{"scale", "scale -0"}}))));
}

} // namespace
} // namespace mlac::test
