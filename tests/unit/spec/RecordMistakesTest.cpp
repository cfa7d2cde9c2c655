// Each mistake that a record can hold: its place, the value found, the limit, the remedy.
#include "tests/unit/spec/SpecTestSupport.h"

#include <ostream>

namespace mlac::test {
namespace {

struct RecordMistake {
  const char* name;
  const char* lines; ///< of the record, from line 2 on
  const char* place; ///< line:column of the error in the spec
  const char* message;
  const char* help;
};

std::ostream& operator<<(std::ostream& stream, const RecordMistake& mistake) {
  return stream << mistake.lines;
}

class DiagnoseRecord : public testing::TestWithParam<RecordMistake> {};

TEST_P(DiagnoseRecord, NamesPlaceValueLimitAndRemedyOnce) {
  const RecordMistake& mistake = GetParam();
  const std::string text = diagnose("record mine {\n" + std::string(mistake.lines) + "\n}\n" +
                                    specWith({{"cache", "cache mine page 64"}}));
  expectOneError(text, mistake.place, mistake.message, mistake.help);
}

constexpr RecordMistake kMistakes[] = {
    {"UnknownType",
     "latent int8 x 512",
     "2:8",
     "an element type must be `e4m3`, `e5m2`, `e2m1`, `e8m0`, `bf16`, `f16` or `f32`, found `int8`",
     "write: latent e4m3 x 512"},
    {"PowerOfTwoLatent",
     "latent e8m0 x 512",
     "2:1",
     "`latent` may not be e8m0, which holds powers of two only",
     "write e4m3, e5m2"},
    {"NoLatent", "rope bf16", "1:8", "a record needs a `latent` field", "write: latent bf16"},
    {"Empty", "", "1:8", "a record needs a `latent` field", "write: latent bf16"},
    {"LatentTwice",
     "latent bf16\nlatent f16",
     "3:1",
     "a record has one `latent` field, this is the second",
     "keep one of the two lines"},
    {"LatentOdd",
     "latent e2m1 x 511; scale f32 per tensor",
     "2:15",
     "latent is `511`; it must be a multiple of 16 from 16 to 8192",
     "write: latent 496 or 512"},
    {"RopeWide",
     "latent bf16; rope bf16 x 2048",
     "2:14",
     "`rope` has 2048 elements; it must be a multiple of 16 from 16 to 1024",
     "write: rope bf16 x 1024"},
    {"NarrowWithoutScale",
     "latent e4m3; rope bf16",
     "2:1",
     "`latent` is e4m3 and has no scale",
     "write: scale f32 per tensor of latent, or scale f32 per N of latent"},
    {"NarrowRopeWithoutScale",
     "latent bf16; rope e5m2",
     "2:14",
     "`rope` is e5m2 and has no scale",
     "write: scale f32 per tensor of rope"},
    {"ScaleTwice",
     "latent e4m3; scale f32 per 128 of latent; scale f32 per tensor of latent; rope bf16",
     "2:43",
     "`latent` has a scale already, this is its second",
     "keep one of the two lines"},
    {"ScaleOfNothing",
     "latent bf16; scale f32 per 16 of rope",
     "2:14",
     "a scale of `rope`, which this record does not have",
     "scale a field that is there"},
    {"ScaleOfPad",
     "latent bf16; scale f32 per 16 of pad; rope bf16",
     "2:34",
     "what a scale multiplies must be `latent` or `rope`, found `pad`",
     "write: scale f32 per 128 of latent"},
    {"ScaleNarrow",
     "latent e4m3 x 512; scale e2m1 per 16 of latent; rope bf16",
     "2:20",
     "a scale may not be e2m1",
     "write f32, bf16, f16, e8m0 or e4m3"},
    {"ScaleGroup",
     "latent e4m3 x 512; scale f32 per 96 of latent; rope bf16",
     "2:20",
     "groups of 96 do not divide the 512 elements of `latent`",
     "write a divisor of 512, such as 128"},
    {"ScaleGroupZero",
     "latent e4m3; scale f32 per 0 of latent",
     "2:28",
     "a group is `0`; it must be a whole number from 1 to 8192",
     "write: a group 1"},
    {"ScaleUngrouped",
     "latent e4m3; scale f32",
     "2:23",
     "expected `per`, found the end of the line",
     "write: scale f32 per 128 of latent"},
    {"TensorScaleType",
     "latent e4m3; scale e8m0 per tensor of latent; rope bf16",
     "2:14",
     "a scale per tensor is f32, found e8m0",
     "write: scale f32 per tensor of latent"},
    {"TensorScaleInTail",
     "latent e4m3; rope bf16; page_tail { scale f32 per tensor of latent }",
     "2:37",
     "a scale per tensor is an argument of the launch and lies in no tail",
     "write the line outside `page_tail`"},
    {"Unaligned",
     "latent e4m3 x 512; pad 2; scale f32 per 128 of latent; rope bf16 x 64",
     "2:27",
     "`scale` begins at byte 514; f32 must begin at a multiple of 4",
     "write `pad 2` before it"},
    {"UnalignedEnd",
     "latent bf16 x 512; rope bf16 x 64; pad 1",
     "1:8",
     "a token takes 1153 bytes; the next one must begin at a multiple of 2",
     "write `pad 1` at the end of record mine"},
    {"UnalignedTail",
     "latent e4m3 x 512; rope bf16 x 64; page_tail { scale f32 per 128 of latent; pad 1 }",
     "1:8",
     "a token takes 17 bytes of the page tail; the next must begin at a multiple of 4",
     "write `pad 3` at the end of `page_tail`"},
    {"TooLarge",
     "latent f32 x 512; rope bf16 x 64; pad 32768",
     "1:8",
     "a token takes 34944 bytes; at most 32768 are possible",
     "use narrower types or less padding"},
    {"PadZero", "latent bf16; pad 0", "2:18", "pad is `0`; it must be", "write: pad 1"},
    {"PageAlign", "latent bf16; page_align 0", "2:25", "page_align is `0`", "write: page_align 1"},
    {"PageAlignTwice",
     "latent bf16; page_align 64; page_align 576",
     "2:29",
     "`page_align` is written twice",
     "keep one of the two"},
    {"LatentInTail",
     "page_tail { latent bf16 }",
     "2:13",
     "expected `scale` or `pad` in a page tail, found `latent`",
     "write the `latent` line outside `page_tail`"},
    {"UnknownLine",
     "latent bf16; padding 4",
     "2:14",
     "expected a word of a record, found `padding`",
     "the words are latent rope scale pad page_tail page_align"},
    {"MisspeltLine", "latnet bf16", "2:1", "found `latnet`", "did you mean `latent`?"},
    {"Junk", "latent bf16 x 512 64", "2:19", "`64` has no meaning here", "remove it"},
    {"Symbol", "latent bf16 * 512", "2:13", "expected a word or a number", "write: latent e4m3 x"},
    {"RopeMissing",
     "latent bf16",
     "8:9",
     "`rope` is 64, and record mine holds 0 such elements",
     "write `rope 0`, or use a record with a `rope` field"},
    {"LatentOther",
     "latent bf16 x 256; rope bf16",
     "8:9",
     "`latent` is 512, and record mine holds 256 such elements",
     "write `latent 256`, or use a record that fits"},
    {"RopeOther",
     "latent bf16; rope bf16 x 32",
     "8:9",
     "`rope` is 64, and record mine holds 32 such elements",
     "write `rope 32`, or use a record that fits"},
    {"GroupOfTheAttention",
     "latent e4m3; scale f32 per 96 of latent; rope bf16",
     "8:9",
     "record mine with latent 512 and rope 64: groups of 96 do not divide the 512 elements",
     "write a divisor of 512, such as 128"},
};

INSTANTIATE_TEST_SUITE_P(Spec, DiagnoseRecord, testing::ValuesIn(kMistakes), [](const auto& info) {
  return std::string(info.param.name);
});

TEST(DiagnoseRecords, NamesTakenTwiceAndNamesOfTheLanguage) {
  const std::string twice =
      diagnose("record a { latent bf16 }\nrecord a { latent f16 }\n" + specWith());
  EXPECT_TRUE(contains(twice, "t.mlac:2:8: error: there is already a record named `a`")) << twice;
  EXPECT_TRUE(contains(twice, "give each record of a file its own name")) << twice;
  const std::string taken = diagnose("record bf16 { latent f16 }\n" + specWith());
  EXPECT_TRUE(contains(taken, "t.mlac:1:8: error: the name `bf16` belongs to the language"))
      << taken;
  const std::string keyword = diagnose("record union { latent f16 }\n" + specWith());
  EXPECT_TRUE(contains(keyword, "the name `union` is a C++ keyword")) << keyword;
}

TEST(DiagnoseRecords, WhatIsLeftOpen) {
  const std::string open = diagnose("record a { latent bf16; page_tail { pad 1\n" + specWith());
  EXPECT_TRUE(contains(open, "expected `}`, found `attention`")) << open;
  EXPECT_EQ(countOf(open, "error: "), 1U) << open;
  const std::string nameless = diagnose("record { latent bf16 }\n" + specWith());
  EXPECT_TRUE(contains(nameless, "t.mlac:1:8: error: expected the record's name, found `{`"))
      << nameless;
  const std::string bare = diagnose("record a\n" + specWith());
  EXPECT_TRUE(contains(bare, "t.mlac:2:1: error: expected `{`, found `attention`")) << bare;
  EXPECT_EQ(countOf(bare, "error: "), 1U) << bare;
}

TEST(DiagnoseRecords, AFaultyRecordIsReportedOnceHoweverOftenItIsNamed) {
  const std::string text =
      diagnose("record a { latent e4m3 }\n" + specWith({{"cache", "cache a page 64"}}, "x") +
               specWith({{"cache", "cache a page 64"}}, "y"));
  EXPECT_EQ(countOf(text, "error: "), 1U) << text;
}

TEST(DiagnoseRecords, TooManyFields) {
  std::string pads;
  for (int i = 0; i < 64; ++i)
    pads += "pad 1;";
  const std::string text = diagnose("record a { latent bf16;" + pads + "}\n" + specWith());
  EXPECT_TRUE(contains(text, "a record has at most 64 fields, this one has 65")) << text;
}

} // namespace
} // namespace mlac::test
