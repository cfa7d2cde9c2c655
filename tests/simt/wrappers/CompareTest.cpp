// The rules by which a probe's words are judged notice what they must, and records survive a file.
#include "tests/simt/wrappers/Compare.h"

#include "tests/simt/wrappers/Record.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

namespace mlac::probes {
namespace {

std::uint32_t bitsOf(float value) {
  return std::bit_cast<std::uint32_t>(value);
}

Probe probeOf(Rule rule, std::size_t words) {
  Probe probe;
  probe.name = "a_probe";
  probe.rule = rule;
  probe.outWords = words;
  return probe;
}

/// Of one f32 that both sides have in common, but for `gpu`.
std::size_t wrong(Rule rule, float input, float gpu, float simt) {
  return compare(probeOf(rule, 1), {bitsOf(input)}, {bitsOf(gpu)}, {bitsOf(simt)}).wrong;
}

TEST(WrapperRules, BitEqualNoticesOneBit) {
  const Probe probe = probeOf(Rule::BitEqual, 2);
  EXPECT_EQ(compare(probe, {}, {1, 2}, {1, 2}).wrong, 0U);
  const Comparison one = compare(probe, {}, {1, 2}, {1, 3});
  EXPECT_EQ(one.wrong, 1U);
  EXPECT_NE(one.first.find("word 1"), std::string::npos);
}

TEST(WrapperRules, Exp2AllowsTwoUnitsAndNoMore) {
  const float exact = std::exp2(0.3F);
  const float ulp = std::nextafter(exact, 4.0F) - exact;
  EXPECT_EQ(wrong(Rule::Exp2, 0.3F, exact + 2 * ulp, exact), 0U);
  EXPECT_EQ(wrong(Rule::Exp2, 0.3F, exact + 4 * ulp, exact), 1U);
  EXPECT_EQ(wrong(Rule::Exp2, 0.3F, exact, exact - 4 * ulp), 1U);
}

TEST(WrapperRules, Exp2IsExactAtZerosInfinitiesAndNan) {
  EXPECT_EQ(wrong(Rule::Exp2, 0x1p-130F, 1.0F, 1.0F), 0U);
  EXPECT_EQ(wrong(Rule::Exp2, 0.0F, std::nextafter(1.0F, 2.0F), 1.0F), 1U);
  EXPECT_EQ(wrong(Rule::Exp2, -127.0F, 0.0F, 0.0F), 0U);
  EXPECT_EQ(wrong(Rule::Exp2, -127.0F, 0x1p-127F, 0.0F), 1U);
  EXPECT_EQ(wrong(Rule::Exp2, 200.0F, INFINITY, INFINITY), 0U);
  EXPECT_EQ(wrong(Rule::Exp2, 200.0F, 0x1.fffffep127F, INFINITY), 1U);
  EXPECT_EQ(wrong(Rule::Exp2, NAN, NAN, -NAN), 0U);
  EXPECT_EQ(wrong(Rule::Exp2, NAN, 1.0F, NAN), 1U);
}

TEST(WrapperRules, Log2IsAbsoluteBesideOneAndRelativeElsewhere) {
  const float nearOne = 1.001F;
  const float small = std::log2(nearOne);
  EXPECT_EQ(wrong(Rule::Log2, nearOne, small + 0x1p-23F, small), 0U);
  EXPECT_EQ(wrong(Rule::Log2, nearOne, small + 0x1p-21F, small), 1U);
  EXPECT_EQ(wrong(Rule::Log2, 1024.0F, 10.0F + 0x1p-20F, 10.0F), 0U);
  EXPECT_EQ(wrong(Rule::Log2, 1024.0F, 10.0F + 0x1p-18F, 10.0F), 1U);
}

TEST(WrapperRules, Log2IsExactAtZerosInfinitiesAndNan) {
  EXPECT_EQ(wrong(Rule::Log2, -0.0F, -INFINITY, -INFINITY), 0U);
  EXPECT_EQ(wrong(Rule::Log2, 0.0F, -150.0F, -INFINITY), 1U);
  EXPECT_EQ(wrong(Rule::Log2, -0x1p-140F, NAN, NAN), 0U);
  EXPECT_EQ(wrong(Rule::Log2, -1.0F, 0.0F, NAN), 1U);
  EXPECT_EQ(wrong(Rule::Log2, 1.0F, 0x1p-30F, 0.0F), 1U);
}

TEST(WrapperInputs, DependOnTheSeedAlone) {
  for (const Probe& probe : allProbes()) {
    EXPECT_EQ(inputOf(probe, 1), inputOf(probe, 1)) << probe.name;
    EXPECT_NE(inputOf(probe, 1), inputOf(probe, 2)) << probe.name;
  }
}

TEST(WrapperRecords, SurviveTheirText) {
  const Record record{
      "a_probe", 7, digestOf({1}), "A GPU 9000", {0, 1, 2, 3, 4, 5, 6, 7, 0xdeadbeef}};
  const auto read = recordFrom(textOf(record));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->probe, record.probe);
  EXPECT_EQ(read->seed, record.seed);
  EXPECT_EQ(read->input, record.input);
  EXPECT_EQ(read->gpu, record.gpu);
  EXPECT_EQ(read->words, record.words);
}

TEST(WrapperRecords, DamagedOnesAreRefused) {
  EXPECT_FALSE(recordFrom(""));
  EXPECT_FALSE(recordFrom("probe=a seed=x input=0 gpu=b\n"));
  EXPECT_FALSE(recordFrom("probe=a seed=1 input=0 gpu=b\n0000000g\n"));
  EXPECT_FALSE(recordFrom("probe=a seed=1 input=0 gpu=b\n00000001 02\n"));
}

} // namespace
} // namespace mlac::probes
