// What must hold for every spec, tried on seeded random ones.
#include "tests/fuzz/SpecProperties.h"
#include "tests/unit/spec/RandomSpec.h"
#include "tests/unit/spec/SpecTestSupport.h"

namespace mlac::test {
namespace {

constexpr unsigned kSeed = 20240501;
constexpr int kRounds = 2000;

TEST(Property, APrintedVariantLoadsAsItself) {
  RandomEngine random(kSeed);
  for (int round = 0; round < kRounds; ++round) {
    const Variant variant = randomVariant(random);
    const std::string printed = printVariant(variant);
    ASSERT_EQ(load(printed), variant) << printed;
    ASSERT_EQ(format(printed), printed);
  }
}

TEST(Property, LayoutOrderAndCommentsDoNotChangeTheVariant) {
  RandomEngine random(kSeed);
  for (int round = 0; round < kRounds; ++round) {
    const Variant variant = randomVariant(random);
    const std::string text = carelessText(variant, random);
    ASSERT_EQ(load(text), variant) << text;
  }
}

TEST(Property, FormattingKeepsTheSpecAndEveryComment) {
  RandomEngine random(kSeed);
  for (int round = 0; round < kRounds; ++round) {
    const std::string text = carelessText(randomVariant(random), random) + "\n" +
                             carelessText(randomVariant(random), random);
    const auto broken = brokenSpecProperty(text);
    ASSERT_EQ(broken, std::nullopt) << *broken << "\nfrom:\n" << text;
    for (const char* comment : {"# plain", "## \"#\"", "# 1..4", "attention x {", "\xE2\x82\xAC"})
      ASSERT_EQ(countOf(format(text), comment), countOf(text, comment)) << text;
  }
}

TEST(Property, HoldsForDamagedSpecs) {
  RandomEngine random(kSeed);
  for (int round = 0; round < 5 * kRounds; ++round) {
    const std::string text = mutated(carelessText(randomVariant(random), random), random);
    const auto broken = brokenSpecProperty(text);
    ASSERT_EQ(broken, std::nullopt) << *broken << "\nfrom:\n" << text;
  }
}

} // namespace
} // namespace mlac::test
