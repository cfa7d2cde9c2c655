// Matrices across a warp's registers, and products of them computed by hand.
#include "simt/exec/Fragments.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

namespace mlac::simt {
namespace {

Matrix8x8 numbered() {
  Matrix8x8 matrix;
  for (std::size_t row = 0; row < 8; ++row)
    for (std::size_t column = 0; column < 8; ++column)
      matrix[row][column] = static_cast<std::uint16_t>(row * 256 + column);
  return matrix;
}

TEST(Fragment, LaneHoldsTwoNeighboursOfItsRowTheLeftOneBelow) {
  const Matrix8x8 matrix = numbered();
  EXPECT_EQ(fragmentOf(matrix, 0), 0x0001'0000U);
  EXPECT_EQ(fragmentOf(matrix, 3), 0x0007'0006U);
  EXPECT_EQ(fragmentOf(matrix, 4), 0x0101'0100U);
  EXPECT_EQ(fragmentOf(matrix, 31), 0x0707'0706U);
}

TEST(Fragment, SetPutsBackWhatFragmentOfTook) {
  const Matrix8x8 matrix = numbered();
  Matrix8x8 copy{};
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    setFragment(copy, lane, fragmentOf(matrix, lane));
  EXPECT_EQ(copy, matrix);
}

TEST(Fragment, TransposedSwapsRowsAndColumns) {
  const Matrix8x8 matrix = numbered();
  const Matrix8x8 turned = transposed(matrix);
  EXPECT_EQ(turned[2][5], matrix[5][2]);
  EXPECT_NE(turned, matrix);
  EXPECT_EQ(transposed(turned), matrix);
}

/// 16x16 times 16x8; elements as bits.
struct Product {
  explicit Product(bool f16 = false) : f16(f16) {}

  void run();

  bool f16;
  std::array<std::array<std::uint16_t, 16>, 16> a{};
  std::array<std::array<std::uint16_t, 8>, 16> b{};
  std::array<std::array<float, 8>, 16> c{};
};

/// Registers of one lane, filled as the PTX ISA's figures of mma.m16n8k16 say.
class LaneRegisters {
public:
  LaneRegisters(const Product& product, std::size_t lane) : group(lane / 4), inGroup(lane % 4) {
    for (std::size_t i = 0; i < 8; ++i) {
      const std::size_t row = i < 2 || (i >= 4 && i < 6) ? group : group + 8;
      const std::size_t k = inGroup * 2 + i % 2 + (i >= 4 ? 8 : 0);
      a[i / 2] |= std::uint32_t{product.a[row][k]} << i % 2 * 16;
    }
    for (std::size_t i = 0; i < 4; ++i) {
      const std::size_t k = inGroup * 2 + i % 2 + (i >= 2 ? 8 : 0);
      b[i / 2] |= std::uint32_t{product.b[k][group]} << i % 2 * 16;
      d[i] = product.c[rowOfSum(i)][columnOfSum(i)];
    }
  }

  void putBack(Product& product) const {
    for (std::size_t i = 0; i < 4; ++i)
      product.c[rowOfSum(i)][columnOfSum(i)] = d[i];
  }

  ProductOperands operands() { return {d.data(), a.data(), b.data()}; }

private:
  std::size_t rowOfSum(std::size_t i) const { return group + (i >= 2 ? 8 : 0); }

  std::size_t columnOfSum(std::size_t i) const { return inGroup * 2 + i % 2; }

  std::size_t group;
  std::size_t inGroup;
  std::array<std::uint32_t, 4> a{};
  std::array<std::uint32_t, 2> b{};
  std::array<float, 4> d{};
};

void Product::run() {
  std::vector<LaneRegisters> registers;
  std::array<ProductOperands, 32> lanes;
  for (std::size_t lane = 0; lane < lanes.size(); ++lane)
    registers.emplace_back(*this, lane);
  for (std::size_t lane = 0; lane < lanes.size(); ++lane)
    lanes[lane] = registers[lane].operands();
  multiply(f16, lanes);
  for (const LaneRegisters& lane : registers)
    lane.putBack(*this);
}

/// Bits of a number that bf16 holds exactly.
std::uint16_t bf16(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  EXPECT_EQ(bits & 0xffff, 0U) << x << " is no bf16";
  return static_cast<std::uint16_t>(bits >> 16);
}

struct Addend {
  float a;
  float b;
};

/// One element: `c` and a_k b_k for each k given, zeros besides.
float sumOf(float c, const std::vector<Addend>& products) {
  Product product;
  product.c[3][5] = c;
  for (std::size_t k = 0; k < products.size(); ++k) {
    product.a[3][k] = bf16(products[k].a);
    product.b[k][5] = bf16(products[k].b);
  }
  product.run();
  return product.c[3][5];
}

std::uint32_t bitsOf(float x) {
  return std::bit_cast<std::uint32_t>(x);
}

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr std::uint32_t kTheNan = 0x7fffffff;

TEST(Multiply, SmallIntegersAreExactAndEveryElementHasItsPlace) {
  Product product;
  for (std::size_t m = 0; m < 16; ++m)
    for (std::size_t k = 0; k < 16; ++k)
      product.a[m][k] = bf16(static_cast<float>(m) - static_cast<float>(k));
  for (std::size_t k = 0; k < 16; ++k)
    for (std::size_t n = 0; n < 8; ++n)
      product.b[k][n] = bf16(static_cast<float>(3 * k + n));
  for (std::size_t m = 0; m < 16; ++m)
    for (std::size_t n = 0; n < 8; ++n)
      product.c[m][n] = static_cast<float>(100 * m + n);
  product.run();
  for (int m = 0; m < 16; ++m)
    for (int n = 0; n < 8; ++n) {
      int wanted = 100 * m + n;
      for (int k = 0; k < 16; ++k)
        wanted += (m - k) * (3 * k + n);
      EXPECT_EQ(product.c[static_cast<std::size_t>(m)][static_cast<std::size_t>(n)],
                static_cast<float>(wanted))
          << m << ", " << n;
    }
}

TEST(Multiply, ReadsF16AsF16) {
  Product product(true);
  product.a[0][0] = 0x3e00; // 1.5
  product.b[0][0] = 0x4100; // 2.5
  product.c[0][0] = 0.25F;
  product.run();
  EXPECT_EQ(product.c[0][0], 4.0F);
}

TEST(Multiply, CutsTheSumWhereAnFmaWouldRoundIt) {
  EXPECT_EQ(sumOf(1.0F, {{0x1p-12F, 0x1p-11F}}), 1.0F + 0x1p-23F) << "the last place of 1";
  EXPECT_EQ(sumOf(1.0F, {{0x1.8p-12F, 0x1p-12F}}), 1.0F) << "1 + 1.5 * 2^-24 would round up";
  EXPECT_EQ(sumOf(-1.0F, {{-0x1.8p-12F, 0x1p-12F}}), -1.0F) << "towards zero";
}

TEST(Multiply, KeepsTwentyFiveBitsOfAnAddendBelowTheLargest) {
  const std::vector<Addend> kept(16, {0x1p-12F, 0x1p-13F}); // 2^-25 each
  EXPECT_EQ(sumOf(1.0F, kept), 1.0F + 0x1p-21F);
  const std::vector<Addend> lost(16, {0x1p-13F, 0x1p-13F}); // 2^-26 each
  EXPECT_EQ(sumOf(1.0F, lost), 1.0F) << "each alone is cut off, though together they are 2^-22";
  EXPECT_EQ(sumOf(0.0F, lost), 0x1p-22F) << "nothing larger cuts them off";
}

TEST(Multiply, CutsOffByTheLargestProductToo) {
  EXPECT_EQ(sumOf(0x1p-26F, {{1.0F, 1.0F}, {-1.0F, 1.0F}}), 0.0F);
  EXPECT_EQ(sumOf(0x1p-25F, {{1.0F, 1.0F}, {-1.0F, 1.0F}}), 0x1p-25F);
}

TEST(Multiply, AlignsByExponentsNotByValues) {
  // 1.5 * 1.5 = 2.25 counts with exponent 0, so 2^-25 is kept beside it.
  EXPECT_EQ(sumOf(0x1p-25F, {{1.5F, 1.5F}, {-1.5F, 1.5F}}), 0x1p-25F);
}

TEST(Multiply, AZeroSumIsPositive) {
  EXPECT_EQ(bitsOf(sumOf(-0.0F, {})), 0U);
  EXPECT_EQ(bitsOf(sumOf(-0.0F, {{-0.0F, 1.0F}})), 0U);
  EXPECT_EQ(bitsOf(sumOf(1.0F, {{-1.0F, 1.0F}})), 0U);
}

TEST(Multiply, ZerosDoNotSetTheScale) {
  EXPECT_EQ(sumOf(0x1p-100F, {{0.0F, 0x1p100F}}), 0x1p-100F);
  EXPECT_EQ(sumOf(0.0F, {{0x1p-50F, 0x1p-50F}, {0.0F, 0x1p100F}}), 0x1p-100F);
}

TEST(Multiply, InfinitiesGoThrough) {
  EXPECT_EQ(sumOf(1.0F, {{kInfinity, 2.0F}}), kInfinity);
  EXPECT_EQ(sumOf(1.0F, {{kInfinity, -2.0F}}), -kInfinity);
  EXPECT_EQ(sumOf(-kInfinity, {{3.0F, 2.0F}}), -kInfinity);
  EXPECT_EQ(sumOf(0x1.fffffep127F, {{kInfinity, 1.0F}, {0x1p127F, 0x1p127F}}), kInfinity);
}

TEST(Multiply, WhatHasNoValueIsTheOneNan) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(bitsOf(sumOf(1.0F, {{kInfinity, 0.0F}})), kTheNan);
  EXPECT_EQ(bitsOf(sumOf(kInfinity, {{kInfinity, -1.0F}})), kTheNan);
  EXPECT_EQ(bitsOf(sumOf(0.0F, {{kInfinity, 1.0F}, {kInfinity, -1.0F}})), kTheNan);
  EXPECT_EQ(bitsOf(sumOf(0.0F, {{nan, 1.0F}})), kTheNan);
  EXPECT_EQ(bitsOf(sumOf(0.0F, {{1.0F, -nan}})), kTheNan);
  EXPECT_EQ(bitsOf(sumOf(nan, {})), kTheNan);
}

TEST(Multiply, ASpecialElementTouchesItsRowAndColumnOnly) {
  Product product;
  product.a[2][7] = bf16(kInfinity);
  for (std::size_t n = 0; n < 8; ++n)
    product.b[7][n] = bf16(1.0F);
  product.run();
  for (std::size_t m = 0; m < 16; ++m)
    for (std::size_t n = 0; n < 8; ++n)
      EXPECT_EQ(product.c[m][n], m == 2 ? kInfinity : 0.0F) << m << ", " << n;
}

TEST(Multiply, TooLargeASumIsInfinite) {
  EXPECT_EQ(sumOf(0.0F, {{0x1p100F, 0x1p28F}}), kInfinity);
  EXPECT_EQ(sumOf(0.0F, {{-0x1p100F, 0x1p28F}}), -kInfinity);
  EXPECT_EQ(sumOf(0.0F, {{0x1p100F, 0x1p27F}}), 0x1p127F);
  EXPECT_EQ(sumOf(-0x1p127F, {{0x1p100F, 0x1p28F}}), 0x1p127F) << "only the sum must fit";
}

TEST(Multiply, SubnormalSumsAreCutToMultiplesOfTheLeast) {
  EXPECT_EQ(sumOf(0.0F, {{0x1p-74F, 0x1p-75F}}), 0x1p-149F);
  EXPECT_EQ(sumOf(0.0F, {{0x1.8p-74F, 0x1p-75F}}), 0x1p-149F);
  EXPECT_EQ(bitsOf(sumOf(0.0F, {{0x1p-75F, 0x1p-75F}})), 0U);
  EXPECT_EQ(sumOf(0x1p-149F, {}), 0x1p-149F);
  EXPECT_EQ(sumOf(0x1p-149F, {{0x1p-74F, 0x1p-75F}}), 0x1p-148F);
}

TEST(Multiply, SubnormalOperandsCountWithTheSmallestExponent) {
  EXPECT_EQ(sumOf(0.0F, {{0x1p-133F, 1.0F}}), 0x1p-133F) << "the least bf16";
  EXPECT_EQ(sumOf(0.0F, {{0x1p-133F, 0x1p120F}}), 0x1p-13F);
  // As 2^-7 at exponent -126 + 120 = -6 it cuts off what is below 2^-31; normalised it would not.
  EXPECT_EQ(sumOf(0x1p-32F, {{0x1p-133F, 0x1p120F}, {-0x1p-133F, 0x1p120F}}), 0.0F);
  EXPECT_EQ(sumOf(0x1p-31F, {{0x1p-133F, 0x1p120F}, {-0x1p-133F, 0x1p120F}}), 0x1p-31F);
}

TEST(Multiply, F16SubnormalsHaveTheirValue) {
  Product product(true);
  product.a[9][15] = 0x0001; // 2^-24
  product.b[15][7] = 0x8001; // -2^-24
  product.run();
  EXPECT_EQ(product.c[9][7], -0x1p-48F);
}

} // namespace
} // namespace mlac::simt
