#include "tests/unit/spec/RandomSpec.h"

#include "common/SourceText.h"
#include "compiler/spec/PrintVariant.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string_view>
#include <vector>

namespace mlac::test {
namespace {

int between(RandomEngine& random, int low, int high) {
  return std::uniform_int_distribution(low, high)(random);
}

bool flip(RandomEngine& random) {
  return between(random, 0, 1) == 1;
}

/// Any finite f32, all magnitudes alike.
float randomScale(RandomEngine& random) {
  while (true) {
    const auto scale = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    if (std::isfinite(scale))
      return scale;
  }
}

void drawIteration(Variant& variant, RandomEngine& random) {
  variant.iterate = static_cast<IterateKind>(between(random, 0, 3));
  if (variant.isTopk())
    variant.topk = between(random, 1, 65536);
  if (variant.iterate == IterateKind::Window)
    variant.window = between(random, 1, 1 << 30);
  variant.causal = variant.isLogical() && flip(random);
}

void drawQueries(Variant& variant, RandomEngine& random) {
  if (between(random, 0, 3) == 0) {
    variant.maxQueries = 0;
    return;
  }
  variant.minQueries = between(random, 1, 8);
  variant.maxQueries = variant.minQueries + between(random, 0, 8);
}

void drawOutput(Variant& variant, RandomEngine& random) {
  variant.output = static_cast<ElementType>(between(random, 0, 2));
  variant.lse = static_cast<LseMode>(between(random, 0, 2));
  variant.emptyLsePositive = variant.lse != LseMode::None && flip(random);
  variant.maxLogit = flip(random);
  variant.sink = flip(random);
}

std::string randomComment(RandomEngine& random) {
  constexpr std::array<std::string_view, 6> kComments = {"#",
                                                         "# plain",
                                                         "#   ; } { attention x {",
                                                         "# \xC3\xA4\xE2\x82\xAC \t ",
                                                         "## \"#\"",
                                                         "# 1..4"};
  return std::string(kComments[static_cast<std::size_t>(between(random, 0, 5))]);
}

std::string randomBlanks(RandomEngine& random, bool mayBeNone) {
  constexpr std::array<std::string_view, 5> kBlanks = {"", " ", "  ", "\t", " \t "};
  return std::string(kBlanks[static_cast<std::size_t>(between(random, mayBeNone ? 0 : 1, 4))]);
}

std::string lineEnd(RandomEngine& random) {
  std::string text = randomBlanks(random, true);
  if (between(random, 0, 2) == 0)
    text += randomComment(random);
  text += flip(random) ? "\n" : "\r\n";
  while (between(random, 0, 3) == 0)
    text += randomBlanks(random, true) + (flip(random) ? randomComment(random) : "") + "\n";
  return text;
}

/// A setting as the printer writes it, with its gaps drawn anew.
std::string carelessLine(std::string_view line, RandomEngine& random) {
  std::string text = randomBlanks(random, true);
  std::size_t at = 0;
  while (at < line.size()) {
    const std::size_t gap = std::min(line.find(' ', at), line.size());
    text += line.substr(at, gap - at);
    at = std::min(line.find_first_not_of(' ', gap), line.size());
    if (at < line.size())
      text += randomBlanks(random, false);
  }
  if (const std::size_t range = text.find(".."); range != text.npos && flip(random))
    text.replace(range, 2, " .. ");
  return text;
}

} // namespace

Variant randomVariant(RandomEngine& random) {
  Variant variant;
  variant.name = fmt::format("v{}", between(random, 0, 1 << 30));
  variant.heads = between(random, 1, 128);
  variant.latent = 16 * between(random, 1, 512);
  variant.rope = 16 * between(random, 0, 64);
  variant.valueIsRecord = flip(random);
  variant.query = flip(random) ? ElementType::BF16 : ElementType::F16;
  variant.cache = flip(random) ? ElementType::BF16 : ElementType::F16;
  variant.page = between(random, 1, 2304);
  drawIteration(variant, random);
  drawQueries(variant, random);
  if (flip(random))
    variant.scale = randomScale(random);
  drawOutput(variant, random);
  return variant;
}

std::string carelessText(const Variant& variant, RandomEngine& random) {
  const SourceText printed("", printVariant(variant));
  std::vector<std::string> lines;
  for (std::size_t line = 2; !printed.lineText(line).starts_with('}'); ++line)
    lines.push_back(carelessLine(printed.lineText(line).substr(2), random));
  std::shuffle(lines.begin(), lines.end(), random);
  std::string text = flip(random) ? randomComment(random) + "\n" : "";
  text += "attention " + variant.name + (flip(random) ? lineEnd(random) : " ") + "{";
  text += flip(random) ? lineEnd(random) : " ";
  for (const std::string& line : lines)
    text += line + (flip(random) ? ";" : "") + (flip(random) ? " ; " : lineEnd(random));
  text += "}";
  return text + (flip(random) ? lineEnd(random) : "");
}

std::string mutated(std::string text, RandomEngine& random) {
  const int count = between(random, 1, 6);
  for (int step = 0; step < count && !text.empty(); ++step) {
    const auto place = [&] {
      return static_cast<std::size_t>(between(random, 0, static_cast<int>(text.size()) - 1));
    };
    const std::size_t at = place();
    switch (between(random, 0, 3)) {
    case 0:
      text[at] = static_cast<char>(between(random, 0, 3) == 0 ? between(random, 0, 255)
                                                              : between(random, 32, 126));
      break;
    case 1:
      text.erase(at, static_cast<std::size_t>(between(random, 1, 12)));
      break;
    case 2:
      text.insert(at, 1, ";{}#.\n-+ 0"[between(random, 0, 9)]);
      break;
    default:
      text.insert(place(), text.substr(at, static_cast<std::size_t>(between(random, 1, 20))));
    }
  }
  return text;
}

} // namespace mlac::test
