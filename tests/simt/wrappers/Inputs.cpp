#include "tests/simt/wrappers/Inputs.h"

#include "verify/HalfTypes.h"
#include "verify/Random.h"

#include <array>
#include <bit>
#include <cmath>

namespace mlac::probes {
namespace {

using verify::Random;

template <class One>
Words drawEach(std::uint64_t seed, std::size_t words, One one) {
  Random random(seed, 0);
  Words drawn(words);
  for (std::uint32_t& word : drawn)
    word = one(random);
  return drawn;
}

std::uint32_t anyWord(Random& random) {
  return static_cast<std::uint32_t>(random.bits() >> 32);
}

std::uint32_t bitsOf(float value) {
  return std::bit_cast<std::uint32_t>(value);
}

/// ±0, the smallest and largest subnormals, the smallest normal, ±1, the largest, ±inf, NaNs.
std::uint32_t specialFloat(Random& random) {
  constexpr std::array<std::uint32_t, 11> kMagnitudes = {0x00000000,
                                                         0x00000001,
                                                         0x00400000,
                                                         0x007fffff,
                                                         0x00800000,
                                                         0x3f800000,
                                                         0x7f7fffff,
                                                         0x7f800000,
                                                         0x7f800001,
                                                         0x7fc00000,
                                                         0x7fffffff};
  const auto index = static_cast<std::size_t>(random.below(kMagnitudes.size()));
  return kMagnitudes.at(index) | (random.oneIn(2) ? 0x80000000U : 0U);
}

/// A few steps of the last place up or down.
std::uint32_t beside(Random& random, float value) {
  return bitsOf(value) + static_cast<std::uint32_t>(random.between(-2, 2));
}

/// Uniform in [low, high) on a grid of 2^-24 of its width.
float uniform(Random& random, float low, float high) {
  return low + (high - low) * static_cast<float>(random.below(1 << 24)) * 0x1p-24F;
}

/// One of the values that a format with `dropped` fewer mantissa bits rounds up or down by its tie
/// rule, or a step beside it.
std::uint32_t halfway(Random& random, int dropped) {
  const std::uint32_t tie = 1U << (dropped - 1);
  const std::uint32_t word = (anyWord(random) & ~(2 * tie - 1)) | tie;
  return word + static_cast<std::uint32_t>(random.between(-1, 1));
}

std::uint32_t withSign(Random& random, float magnitude) {
  return bitsOf(random.oneIn(2) ? -magnitude : magnitude);
}

constexpr int kBf16Dropped = 16;
constexpr int kF16Dropped = 13;

std::uint32_t f16Input(Random& random) {
  switch (random.below(8)) {
  case 0:
    return specialFloat(random);
  case 1: // multiples of half the smallest subnormal
    return withSign(random, static_cast<float>(random.below(2100)) * 0x1p-25F);
  case 2: // the largest is 65504; half way to the next power of two is 65520
    return beside(random, random.oneIn(2) ? 65520.0F : -65504.0F);
  case 3:
  case 4: { // ties in the normal range
    const auto exponent = static_cast<std::uint32_t>(random.between(127 - 14, 127 + 15));
    return (halfway(random, kF16Dropped) & 0x807fffffU) | exponent << 23;
  }
  case 5:
    return anyWord(random);
  default:
    return bitsOf(random.normal());
  }
}

std::uint32_t bf16Input(Random& random) {
  switch (random.below(6)) {
  case 0:
    return specialFloat(random);
  case 1: // the largest bf16, and half way from it to infinity
    return (random.oneIn(2) ? 0x7f7f8000U : 0xff7f7fffU) +
           static_cast<std::uint32_t>(random.between(-1, 1));
  case 2:
  case 3:
    return halfway(random, kBf16Dropped);
  case 4:
    return anyWord(random);
  default:
    return bitsOf(random.normal());
  }
}

std::uint32_t exp2Input(Random& random) {
  switch (random.below(8)) {
  case 0:
    return specialFloat(random);
  case 1:
    return anyWord(random);
  case 2: // beside whole numbers
    return beside(random, static_cast<float>(random.between(-130, 130)));
  case 3: // where results become zero, and infinite
    return beside(random, random.oneIn(2) ? -126.0F : 128.0F);
  case 4:
    return bitsOf(uniform(random, -1.0F, 1.0F));
  default:
    return bitsOf(uniform(random, -140.0F, 140.0F));
  }
}

std::uint32_t log2Input(Random& random) {
  switch (random.below(8)) {
  case 0:
    return specialFloat(random);
  case 1: // any positive number, subnormals and infinity included
    return static_cast<std::uint32_t>(random.below(0x7f800001));
  case 2:
    return static_cast<std::uint32_t>(random.between(1, 0x7fffff));
  case 3:
    return beside(random, 1.0F);
  case 4:
    return anyWord(random);
  default:
    return bitsOf(uniform(random, 0.25F, 4.0F));
  }
}

} // namespace

Words anyWords(std::uint64_t seed, std::size_t words) {
  return drawEach(seed, words, anyWord);
}

Words voteWords(std::uint64_t seed, std::size_t words) {
  Random random(seed, 0);
  Words drawn(words);
  for (std::size_t first = 0; first < words; first += 32) {
    const std::int64_t mode = random.below(5);
    const auto odd = static_cast<std::size_t>(random.below(32));
    for (std::size_t lane = 0; lane < 32 && first + lane < words; ++lane) {
      const bool any = random.oneIn(2);
      const std::array<bool, 5> votes = {true, false, lane != odd, lane == odd, any};
      drawn[first + lane] =
          (anyWord(random) & ~1U) | (votes.at(static_cast<std::size_t>(mode)) ? 1U : 0U);
    }
  }
  return drawn;
}

Words exp2Inputs(std::uint64_t seed, std::size_t words) {
  return drawEach(seed, words, exp2Input);
}

Words log2Inputs(std::uint64_t seed, std::size_t words) {
  return drawEach(seed, words, log2Input);
}

Words bf16Inputs(std::uint64_t seed, std::size_t words) {
  return drawEach(seed, words, bf16Input);
}

Words f16Inputs(std::uint64_t seed, std::size_t words) {
  return drawEach(seed, words, f16Input);
}

} // namespace mlac::probes
