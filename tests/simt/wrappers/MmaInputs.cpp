// The operands of matrix products.
#include "tests/simt/wrappers/Inputs.h"
#include "verify/HalfTypes.h"
#include "verify/Random.h"

#include <array>
#include <bit>
#include <cassert>
#include <cmath>

namespace mlac::probes {
namespace {

using verify::Random;

/// Draws one element of A, B or C.
using Element = float (*)(Random& random);

struct Operands {
  Element a, b, c;
};

std::uint16_t bf16Of(float value) {
  return verify::floatToBf16(value);
}

std::uint16_t f16Of(float value) {
  return verify::floatToF16(value);
}

Words draw(std::uint64_t seed,
           std::size_t words,
           const Operands& operands,
           std::uint16_t (*rounded)(float)) {
  assert(words % kMmaInWords == 0);
  Random random(seed, 0);
  Words drawn;
  const auto halves = [&](std::size_t count, Element element) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t low = rounded(element(random));
      const std::uint32_t high = rounded(element(random));
      drawn.push_back(high << 16 | low);
    }
  };
  while (drawn.size() < words) {
    halves(kMmaAWords, operands.a);
    halves(kMmaBWords, operands.b);
    for (std::size_t i = 0; i < kMmaCWords; ++i)
      drawn.push_back(std::bit_cast<std::uint32_t>(operands.c(random)));
  }
  return drawn;
}

float normal(Random& random) {
  return random.normal();
}

float zero(Random& /*random*/) {
  return 0.0F;
}

template <int kLow, int kHigh>
float spread(Random& random) {
  return std::ldexp(random.normal(), static_cast<int>(random.between(kLow, kHigh)));
}

/// A subnormal bf16 (below 2^-126) or f16 (below 2^-14), any of them.
float subnormalBf16(Random& random) {
  return std::ldexp(static_cast<float>(random.between(-127, 127)), -133);
}

float subnormalF16(Random& random) {
  return std::ldexp(static_cast<float>(random.between(-1023, 1023)), -24);
}

/// Mostly numbers around 1; `others` of them special.
template <int kOthers>
float special(Random& random) {
  if (!random.oneIn(kOthers))
    return random.normal();
  constexpr std::array<float, 5> kValues = {INFINITY, -INFINITY, NAN, 0.0F, -0.0F};
  return kValues.at(static_cast<std::size_t>(random.below(kValues.size())));
}

// Rare enough that a row of 16 products often has one, sometimes two, and often none.
constexpr int kRare = 40;

} // namespace

Words mmaBf16Normal(std::uint64_t seed, std::size_t words) {
  return draw(seed, words, {normal, normal, normal}, bf16Of);
}

Words mmaF16Normal(std::uint64_t seed, std::size_t words) {
  return draw(seed, words, {normal, normal, normal}, f16Of);
}

Words mmaBf16Spread(std::uint64_t seed, std::size_t words) {
  return draw(seed, words, {spread<-30, 30>, spread<-30, 30>, spread<-60, 60>}, bf16Of);
}

Words mmaF16Spread(std::uint64_t seed, std::size_t words) {
  return draw(seed, words, {spread<-13, 13>, spread<-13, 13>, spread<-26, 26>}, f16Of);
}

Words mmaBf16Subnormal(std::uint64_t seed, std::size_t words) {
  return draw(seed, words, {subnormalBf16, spread<-20, 120>, zero}, bf16Of);
}

Words mmaF16Subnormal(std::uint64_t seed, std::size_t words) {
  return draw(seed, words, {subnormalF16, spread<-16, 14>, zero}, f16Of);
}

Words mmaBf16Tiny(std::uint64_t seed, std::size_t words) {
  return draw(seed, words, {subnormalBf16, normal, zero}, bf16Of);
}

Words mmaBf16Special(std::uint64_t seed, std::size_t words) {
  return draw(seed, words, {special<kRare>, special<kRare>, special<kRare>}, bf16Of);
}

Words mmaF16Special(std::uint64_t seed, std::size_t words) {
  return draw(seed, words, {special<kRare>, special<kRare>, special<kRare>}, f16Of);
}

} // namespace mlac::probes
