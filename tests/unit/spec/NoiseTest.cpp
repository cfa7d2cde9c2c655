// Bad input of every kind: a clear error, in bounded time and with bounded output.
#include "tests/fuzz/SpecProperties.h"
#include "tests/unit/spec/RandomSpec.h"
#include "tests/unit/spec/SpecTestSupport.h"

#include <ctime>

namespace mlac::test {
namespace {

constexpr std::size_t kMiB = 1 << 20;

std::string repeated(const std::string& part, std::size_t bytes) {
  std::string text;
  while (text.size() < bytes)
    text += part;
  return text;
}

/// Diagnoses `text` and holds the promises that no input may break.
std::string diagnoseNoise(const std::string& text) {
  const std::string errors = diagnose(text);
  EXPECT_FALSE(errors.empty());
  EXPECT_LT(errors.size(), 64u << 10);
  EXPECT_FALSE(firstInvalidUtf8(errors));
  EXPECT_EQ(brokenSpecProperty(text), std::nullopt);
  return errors;
}

TEST(Noise, RandomBytesAreRefusedAtTheFirstThatIsNotText) {
  RandomEngine random(7);
  std::string text(kMiB, '\0');
  for (char& byte : text)
    byte = static_cast<char>(random());
  const std::string errors = diagnoseNoise(text);
  EXPECT_EQ(countOf(errors, "error: "), 1u) << errors;
  EXPECT_TRUE(contains(errors, "is not UTF-8")) << errors;
}

TEST(Noise, RandomPrintableTextGivesTwentyErrorsAndACount) {
  RandomEngine random(7);
  std::string text = " ";
  while (text.size() < kMiB)
    text += static_cast<char>(random() % 20 == 0 ? '\n' : 32 + random() % 95);
  for (char& character : text)
    if (character == '{' || character == '}')
      character = ' ';
  const std::string errors = diagnoseNoise("attention a {\n" + text);
  EXPECT_EQ(countOf(errors, ": error: "), DiagnosticList::kShown) << errors;
  EXPECT_TRUE(contains(errors, "more not shown\n")) << errors;
}

TEST(Noise, OneLineOfAMegabyteIsShownThroughAWindow) {
  const std::string errors = diagnoseNoise(repeated("x", kMiB));
  EXPECT_TRUE(contains(errors, "t.mlac:1:1: error: expected an attention, found `xxx")) << errors;
  EXPECT_LT(errors.size(), 1000u);
}

TEST(Noise, DeepNestingEndsWithoutRecursion) {
  diagnoseNoise(repeated("{", kMiB));
  diagnoseNoise("attention a { extra " + repeated("{", kMiB));
  diagnoseNoise("attention a { extra " + repeated("{", kMiB) + repeated("}", kMiB));
  diagnoseNoise("record r " + repeated("{ a ", kMiB));
}

TEST(Noise, HugeNumbersNamesAndArgumentListsAreClipped) {
  const std::string digits = repeated("9", kMiB);
  EXPECT_LT(diagnoseNoise(specWith({{"heads", "heads " + digits}})).size(), 1000u);
  EXPECT_LT(diagnoseNoise(specWith({{"scale", "scale " + digits}})).size(), 1000u);
  EXPECT_LT(diagnoseNoise(specWith({}, repeated("n", kMiB))).size(), 1000u);
  EXPECT_LT(diagnoseNoise(specWith({{"heads", "heads 8" + repeated(" 1", kMiB)}})).size(), 1000u);
  EXPECT_LT(diagnoseNoise(specWith({{"queries", "queries 1" + repeated("..", kMiB)}})).size(),
            1000u);
}

/// Processor seconds for diagnosing `text`, so that other processes do not count.
double secondsFor(const std::string& text) {
  const std::clock_t begin = std::clock();
  diagnose(text);
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

/// Eight times the text may take 24 times as long, which linear work (8) keeps and quadratic work
/// (64) does not.
void expectLinear(const std::string& head, const std::string& part) {
  constexpr std::size_t kSmall = 32 << 10;
  constexpr double kNoiseSeconds = 0.05;
  const double small = secondsFor(head + repeated(part, kSmall));
  const double large = secondsFor(head + repeated(part, 8 * kSmall));
  EXPECT_LT(large, 24 * small + kNoiseSeconds) << part;
}

TEST(Noise, ManySmallMistakesTakeLinearTime) {
  for (const char* line : {"x\n", "q f16\n", "8;", "extra {\n", "{ ", "heads 8 # c\n"})
    expectLinear("attention a {\n", line);
  for (const char* part : {"attention a {}\n", "} ", "\xC3\xA4 ", "#\n\n", "attention "})
    expectLinear("", part);
}

} // namespace
} // namespace mlac::test
