// Records: what they mean, how they are printed, and that printing loses nothing.
#include "compiler/spec/RecordTable.h"
#include "tests/unit/spec/RandomSpec.h"
#include "tests/unit/spec/SpecTestSupport.h"

#include <algorithm>

namespace mlac::test {
namespace {

constexpr unsigned kSeed = 20261201;

/// A record of the given lines, and an attention whose cache it is.
std::string specOf(const std::string& lines, const std::string& latent = "latent 512") {
  return "record mine {\n" + lines + "}\n" +
         specWith({{"cache", "cache mine page 64"}, {"latent", latent}});
}

RecordLayout layoutIn(const Variant& variant) {
  return layoutOf(variant.record());
}

Variant libraryVariant(const std::string& name, int latent, int rope) {
  return load(specWith({{"cache", "cache " + name + " page 64"},
                        {"latent", "latent " + std::to_string(latent)},
                        {"rope", "rope " + std::to_string(rope)}}));
}

TEST(Records, TheLibrarysHaveTheBytesTheyAreKnownFor) {
  struct Known {
    const char* name;
    int latent, rope, tokenBytes, tailBytes, pageBytes;
  };

  for (const Known& known : {Known{"bf16", 512, 64, 1152, 0, 64 * 1152},
                             Known{"f16", 512, 64, 1152, 0, 64 * 1152},
                             Known{"fp8_per_tensor", 512, 64, 576, 0, 64 * 576},
                             Known{"fp8_ds_mla", 512, 64, 656, 0, 64 * 656},
                             Known{"fp8_ds_mla", 512, 0, 656, 0, 64 * 656},
                             Known{"nope_528", 512, 0, 528, 0, 64 * 528},
                             Known{"dsv4", 448, 64, 576, 8, 65 * 576},
                             Known{"nvfp4", 512, 64, 416, 0, 64 * 416}}) {
    SCOPED_TRACE(known.name);
    const Variant variant = libraryVariant(known.name, known.latent, known.rope);
    const RecordLayout layout = layoutIn(variant);
    EXPECT_EQ(layout.tokenBytes, known.tokenBytes);
    EXPECT_EQ(layout.tailBytes, known.tailBytes);
    EXPECT_EQ(layout.pageBytes(64), known.pageBytes);
    EXPECT_EQ(variant.recordBytes(), known.tokenBytes + known.tailBytes);
  }
}

TEST(Records, TheLibrarys16BitRecordsAreWhatAVariantHoldsByDefault) {
  EXPECT_EQ(*findLibraryRecord("bf16"), Record(ElementType::BF16));
  EXPECT_EQ(*findLibraryRecord("f16"), Record(ElementType::F16));
  EXPECT_EQ(load(specWith()).cache, Record(ElementType::BF16));
}

TEST(Records, OffsetsFollowTheLines) {
  const Variant variant = load(specOf("  rope f32 x 64\n  pad 8\n  latent e5m2\n"
                                      "  scale bf16 per 32 of latent\n  pad 4\n"));
  EXPECT_EQ(layoutIn(variant).offsets, (std::vector<int>{0, 256, 264, 776, 808}));
  EXPECT_EQ(layoutIn(variant).tokenBytes, 812);
  EXPECT_EQ(layoutIn(variant).alignment, 4);
}

TEST(Records, TailFieldsHaveOffsetsOfTheirOwn) {
  const Variant variant = load(specOf("  page_tail { pad 4; scale f32 per 256 of latent }\n"
                                      "  latent e4m3; rope bf16\n  page_align 100\n"));
  const Record record = variant.record();
  EXPECT_EQ(layoutOf(record).offsets, (std::vector<int>{0, 512, 0, 4}));
  EXPECT_EQ(layoutOf(record).tailBytes, 12);
  // 64 tokens of 640 and 12 bytes are 41728, rounded up to 100.
  EXPECT_EQ(layoutOf(record).pageBytes(64), 41800);
  const CachePages pages{.page = 64, .pageStrideBytes = 50000, .tokenStrideBytes = 640};
  EXPECT_EQ(pages.tokenAt(64 + 3), 50000 + 3 * 640);
  EXPECT_EQ(pages.tailAt(64 + 3, 12), 50000 + 64 * 640 + 3 * 12);
}

TEST(Records, AScalePerTensorScalesWhateverNeedsOne) {
  const Record both = load(specOf("latent e4m3; rope e5m2; scale f32 per tensor\n")).record();
  EXPECT_EQ(both.findScale(FieldKind::Latent)->group, 0);
  EXPECT_EQ(both.findScale(FieldKind::Rope)->group, 0);
  EXPECT_TRUE(both.hasTensorScale());
  const Record one = load(specOf("latent e4m3; rope bf16; scale f32 per tensor\n")).record();
  EXPECT_NE(one.findScale(FieldKind::Latent), nullptr);
  EXPECT_EQ(one.findScale(FieldKind::Rope), nullptr);
}

TEST(Records, ARecordOfTheFileHidesTheLibrarysOfItsName) {
  const Variant variant = load("record nvfp4 { latent f32; rope f32 }\n" +
                               specWith({{"cache", "cache nvfp4 page 64"}}));
  EXPECT_EQ(variant.recordBytes(), 4 * 576);
}

TEST(Records, RecordsMayStandBehindTheAttentionsThatNameThem) {
  const Variant variant =
      load(specWith({{"cache", "cache mine page 64"}}) + "record mine { latent f16; rope f16 }\n");
  EXPECT_EQ(variant.cache.name, "mine");
  EXPECT_EQ(variant.cacheElement(), ElementType::F16);
}

TEST(Records, FormattingKeepsCommentsAndOrder) {
  const std::string right = "# first\n"
                            "record mine {  # open\n"
                            "  latent e4m3 x 448\n"
                            "  # above\n"
                            "  rope   bf16 x 64  # beside\n"
                            "  page_tail {  # tail\n"
                            "    scale  e8m0 per 64 of latent\n"
                            "    pad    1\n"
                            "    # last of the tail\n"
                            "  }  # tail ends\n"
                            "  page_align 576\n"
                            "  # last\n"
                            "}  # close\n";
  EXPECT_EQ(format(right), right);
  EXPECT_EQ(format("# first\nrecord   mine{# open\nlatent e4m3   x 448\n# above\n"
                   "rope bf16 x 64# beside\npage_tail{# tail\nscale e8m0 per 64 of latent;pad 1\n"
                   "# last of the tail\n}# tail ends\npage_align  576\n# last\n}# close\n"),
            "# first\nrecord mine {  # open\n  latent e4m3 x 448\n  # above\n"
            "  rope   bf16 x 64  # beside\n  page_tail {  # tail\n"
            "    scale  e8m0 per 64 of latent\n    pad    1\n    # last of the tail\n"
            "  }  # tail ends\n  page_align 576\n  # last\n}  # close\n");
}

TEST(Records, FormattingKeepsRecordsBetweenAttentions) {
  const std::string attention = format(specWith());
  const std::string record = "record a {\n  latent bf16\n}\n";
  const std::string text = record + "\n" + attention + "\n" + format("record b { latent f16 }");
  EXPECT_EQ(format(text), text);
}

TEST(Records, AVariantPrintsItsRecordUnlessTheLanguageHasIt) {
  EXPECT_FALSE(contains(printVariant(load(specWith())), "record "));
  const std::string text = printVariant(libraryVariant("dsv4", 448, 64));
  EXPECT_TRUE(contains(text,
                       "record dsv4 {\n"
                       "  latent e4m3 x 448\n"
                       "  rope   bf16 x 64\n"
                       "  page_tail {\n"
                       "    scale  e8m0 per 64 of latent\n"
                       "    pad    1\n"
                       "  }\n"
                       "  page_align 576\n"
                       "}\n\nattention decode {\n"))
      << text;
  EXPECT_EQ(format(text), text);
}

TEST(Records, SeveralVariantsPrintASharedRecordOnceAndRenameAnother) {
  const std::string record = "record mine { latent bf16; rope bf16; pad 4 }\n";
  const auto loaded = loadVariants(
      SourceText("t.mlac",
                 record + specWith({{"cache", "cache mine page 64"}}, "a") +
                     specWith({{"cache", "cache mine page 64"}}, "b") +
                     specWith({{"cache", "cache mine page 64"}, {"latent", "latent 256"}}, "c")));
  ASSERT_TRUE(loaded) << loaded.error().message;
  const std::string text = printVariants(*loaded);
  EXPECT_EQ(countOf(text, "record mine {"), 1U) << text;
  EXPECT_EQ(countOf(text, "record mine_2 {"), 1U) << text;
  const auto again = loadVariants(SourceText("t.mlac", text));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ((*again)[1], (*loaded)[1]);
  EXPECT_EQ((*again)[2].record().fields, (*loaded)[2].record().fields);
}

int between(RandomEngine& random, int low, int high) {
  return std::uniform_int_distribution(low, high)(random);
}

RecordField randomField(RandomEngine& random) {
  RecordField field;
  field.kind = static_cast<FieldKind>(between(random, 0, 3));
  if (field.kind != FieldKind::Pad)
    field.type = static_cast<FieldType>(between(random, 0, 6));
  field.inTail = between(random, 0, 3) == 0;
  field.count = field.kind == FieldKind::Pad ? between(random, 1, 16) : 0;
  if (field.kind == FieldKind::Scale) {
    field.of = between(random, 0, 2) == 0 ? FieldKind::Rope : FieldKind::Latent;
    field.group = between(random, 0, 4) == 0 ? 0 : 1 << between(random, 0, 6);
    field.type = field.group == 0 ? FieldType::F32 : field.type;
  }
  return field;
}

/// A record that keeps every rule.
Record randomRecord(RandomEngine& random, int latent, int rope) {
  while (true) {
    Record record;
    record.name = "r" + std::to_string(between(random, 0, 99));
    record.pageAlign = between(random, 0, 1) == 0 ? 1 : between(random, 2, 1000);
    for (int count = between(random, 1, 7); count > 0; --count)
      record.fields.push_back(randomField(random));
    std::stable_sort(record.fields.begin(), record.fields.end(), [](const auto& a, const auto& b) {
      return a.inTail < b.inTail;
    });
    const Record sized = record.sized(latent, rope);
    const bool hasRope = rope == 0 || record.find(FieldKind::Rope) != nullptr;
    if (hasRope && !faultOf(record) && !faultOf(sized))
      return sized;
  }
}

TEST(Records, RandomOnesSurvivePrintingAndParsing) {
  RandomEngine random(kSeed);
  for (int round = 0; round < 300; ++round) {
    Variant variant = randomVariant(random);
    // Other sizes than these rarely fit groups and alignments.
    variant.latent = 64 * between(random, 1, 8);
    variant.rope = 64 * between(random, 0, 2);
    variant.cache = randomRecord(random, variant.latent, variant.rope);
    const std::string text = printVariant(variant);
    SCOPED_TRACE(text);
    EXPECT_EQ(load(text), variant);
    EXPECT_EQ(format(text), text);
    EXPECT_EQ(variant.recordBytes(), layoutIn(variant).tokenBytes + layoutIn(variant).tailBytes);
  }
}

} // namespace
} // namespace mlac::test
