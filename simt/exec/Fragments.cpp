#include "simt/exec/Fragments.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace mlac::simt {
namespace {

/// A number as an adder of products sees it: value = significand * 2^(exponent - fraction bits).
/// Subnormals keep the smallest exponent and are not normalised.
struct Number {
  std::int32_t significand = 0; ///< with its sign
  std::int32_t exponent = 0;
  bool finite = true;
};

struct Format {
  int exponentBits;
  int fractionBits;
};

constexpr Format kBf16 = {8, 7};
constexpr Format kF16 = {5, 10};
constexpr Format kF32 = {8, 23};

Number decode(std::uint32_t bits, Format format) {
  const std::uint32_t exponentMask = (1U << format.exponentBits) - 1;
  const std::uint32_t exponent = bits >> format.fractionBits & exponentMask;
  const std::uint32_t fraction = bits & ((1U << format.fractionBits) - 1);
  const bool negative = (bits >> (format.exponentBits + format.fractionBits) & 1) != 0;
  const int bias = static_cast<int>(exponentMask >> 1);
  Number number;
  number.finite = exponent != exponentMask;
  number.exponent = std::max(static_cast<int>(exponent), 1) - bias;
  const auto magnitude =
      static_cast<std::int32_t>(fraction | (exponent != 0 ? 1U << format.fractionBits : 0U));
  number.significand = negative ? -magnitude : magnitude;
  return number;
}

/// f32 with the bits below its last cut off; infinity where it is too large.
float truncated(std::int64_t sum, int exponentOfUnit) {
  const auto magnitude = static_cast<std::uint64_t>(sum < 0 ? -sum : sum);
  if (magnitude == 0)
    return 0.0F;
  const int top = 63 - std::countl_zero(magnitude) + exponentOfUnit;
  const int lastBit =
      std::max(top - kF32.fractionBits, -149); // of the result; subnormals stop at 2^-149
  const int shift = lastBit - exponentOfUnit;
  const std::uint64_t kept = shift > 63 ? 0 : shift > 0 ? magnitude >> shift : magnitude << -shift;
  const float value = top > 127 ? INFINITY : std::ldexp(static_cast<float>(kept), lastBit);
  return sum < 0 ? -value : value;
}

constexpr int kDepth = 16;

struct Operands {
  std::array<std::array<Number, kDepth>, 16> a; ///< [m][k]
  std::array<std::array<Number, kDepth>, 8> b;  ///< [n][k]
  std::array<std::array<std::uint16_t, kDepth>, 16> aBits;
  std::array<std::array<std::uint16_t, kDepth>, 8> bBits;
};

void gather(const std::array<ProductOperands, 32>& lanes, Format format, Operands& operands) {
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    const std::uint32_t group = lane / 4;
    for (std::uint32_t half = 0; half < 2; ++half) {
      const std::uint32_t k = lane % 4 * 2 + half;
      for (std::uint32_t i = 0; i < 4; ++i) // registers: row, row + 8, then both with k + 8
        operands.aBits[group + i % 2 * 8][k + i / 2 * 8] =
            static_cast<std::uint16_t>(lanes[lane].a[i] >> half * 16);
      for (std::uint32_t i = 0; i < 2; ++i)
        operands.bBits[group][k + i * 8] =
            static_cast<std::uint16_t>(lanes[lane].b[i] >> half * 16);
    }
  }
  for (std::size_t k = 0; k < kDepth; ++k) {
    for (std::size_t m = 0; m < operands.a.size(); ++m)
      operands.a[m][k] = decode(operands.aBits[m][k], format);
    for (std::size_t n = 0; n < operands.b.size(); ++n)
      operands.b[n][k] = decode(operands.bBits[n][k], format);
  }
}

/// The sum where an operand is infinite or NaN: as IEEE has it, with the one NaN the GPU writes.
float sumOfSpecials(const std::array<Number, kDepth>& a,
                    const std::array<Number, kDepth>& b,
                    const std::array<std::uint16_t, kDepth>& aBits,
                    const std::array<std::uint16_t, kDepth>& bBits,
                    Format format,
                    float c) {
  const auto valueOf = [&](const Number& number, std::uint16_t bits) {
    const bool isNan = (bits & ((1U << format.fractionBits) - 1)) != 0;
    if (!number.finite)
      return isNan ? NAN : number.significand < 0 ? -INFINITY : INFINITY;
    return static_cast<float>((number.significand > 0) - (number.significand < 0));
  };
  float sum = std::isfinite(c) ? 0.0F : c;
  for (std::size_t k = 0; k < kDepth; ++k) {
    const float product = valueOf(a[k], aBits[k]) * valueOf(b[k], bBits[k]);
    if (!std::isfinite(product))
      sum += product;
  }
  return std::isnan(sum) ? std::bit_cast<float>(0x7fffffffU) : sum;
}

/// One element: all 17 addends are aligned to the largest exponent among them, cut off 25 bits
/// below it, summed exactly, and cut to f32. Found on an H200 and exact for it.
float sumOfProducts(const std::array<Number, kDepth>& a,
                    const std::array<Number, kDepth>& b,
                    Format format,
                    const Number& c) {
  constexpr int kKeptBits = 25;
  std::array<std::int32_t, kDepth> products;
  std::array<std::int32_t, kDepth> exponents;
  int largest = c.significand != 0 ? c.exponent : std::numeric_limits<int>::min();
  for (std::size_t k = 0; k < kDepth; ++k) {
    products[k] = a[k].significand * b[k].significand;
    exponents[k] = a[k].exponent + b[k].exponent;
    if (products[k] != 0)
      largest = std::max(largest, exponents[k]);
  }
  if (largest == std::numeric_limits<int>::min())
    return 0.0F;
  const auto aligned = [&](std::int32_t significand, int exponent, int fractionBits) {
    const std::int64_t scaled = std::int64_t{std::abs(significand)} << (kKeptBits - fractionBits);
    const std::int64_t cut = scaled >> std::min(largest - exponent, 63);
    return significand < 0 ? -cut : cut;
  };
  std::int64_t sum = c.significand != 0 ? aligned(c.significand, c.exponent, kF32.fractionBits) : 0;
  for (std::size_t k = 0; k < kDepth; ++k)
    if (products[k] != 0)
      sum += aligned(products[k], exponents[k], 2 * format.fractionBits);
  return truncated(sum, largest - kKeptBits);
}

} // namespace

std::uint32_t fragmentOf(const Matrix8x8& matrix, std::uint32_t lane) {
  const auto& row = matrix[lane / 4];
  const std::size_t column = std::size_t{lane % 4} * 2;
  return row[column] | std::uint32_t{row[column + 1]} << 16;
}

void setFragment(Matrix8x8& matrix, std::uint32_t lane, std::uint32_t fragment) {
  auto& row = matrix[lane / 4];
  const std::size_t column = std::size_t{lane % 4} * 2;
  row[column] = static_cast<std::uint16_t>(fragment);
  row[column + 1] = static_cast<std::uint16_t>(fragment >> 16);
}

Matrix8x8 transposed(const Matrix8x8& matrix) {
  Matrix8x8 result;
  for (std::size_t row = 0; row < 8; ++row)
    for (std::size_t column = 0; column < 8; ++column)
      result[column][row] = matrix[row][column];
  return result;
}

void multiply(bool f16, const std::array<ProductOperands, 32>& lanes) {
  const Format format = f16 ? kF16 : kBf16;
  Operands operands;
  gather(lanes, format, operands);
  const auto special = [](const auto& numbers) {
    return std::any_of(
        numbers.begin(), numbers.end(), [](const Number& number) { return !number.finite; });
  };
  for (std::size_t lane = 0; lane < lanes.size(); ++lane)
    for (std::size_t i = 0; i < 4; ++i) {
      const std::size_t m = lane / 4 + i / 2 * 8;
      const std::size_t n = lane % 4 * 2 + i % 2;
      float& d = lanes[lane].d[i];
      const Number c = decode(std::bit_cast<std::uint32_t>(d), kF32);
      if (!c.finite || special(operands.a[m]) || special(operands.b[n]))
        d = sumOfSpecials(
            operands.a[m], operands.b[n], operands.aBits[m], operands.bBits[n], format, d);
      else
        d = sumOfProducts(operands.a[m], operands.b[n], format, c);
    }
}

} // namespace mlac::simt
