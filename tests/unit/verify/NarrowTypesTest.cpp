// Every code of the narrow types against tables written by hand, and rounding between all of them.
#include "verify/NarrowTypes.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

namespace mlac::verify {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

struct Narrow {
  FieldType type;
  std::vector<double> finite; ///< numbers of the finite codes without sign, in the order of codes
  std::uint32_t codes;        ///< how many codes there are
};

/// 0, then subnormals in steps of `least`, then `perOctave` equal steps in each octave, `count`
/// numbers in all. Doublings instead of exponents, so that nothing is shared with what is tested.
std::vector<double> ladder(double least, int perOctave, std::size_t count) {
  std::vector<double> numbers;
  for (int step = 0; step < perOctave; ++step)
    numbers.push_back(step * least);
  for (double unit = least; numbers.size() < count; unit *= 2)
    for (int step = 0; step < perOctave && numbers.size() < count; ++step)
      numbers.push_back((perOctave + step) * unit);
  return numbers;
}

std::vector<Narrow> allNarrow() {
  return {{FieldType::E4M3, ladder(1.0 / 512, 8, 127), 256},
          {FieldType::E5M2, ladder(1.0 / 65536, 4, 124), 256},
          {FieldType::E2M1, {0, 0.5, 1, 1.5, 2, 3, 4, 6}, 16}};
}

TEST(NarrowTypes, LaddersEndWhereTheFormatsDo) {
  EXPECT_EQ(allNarrow()[0].finite.back(), 448);
  EXPECT_EQ(allNarrow()[1].finite.back(), 57344);
  EXPECT_EQ(largestOf(FieldType::E4M3), 448);
  EXPECT_EQ(largestOf(FieldType::E5M2), 57344);
  EXPECT_EQ(largestOf(FieldType::E2M1), 6);
}

TEST(NarrowTypes, EveryFiniteCodeDecodesAndEncodesBack) {
  for (const auto& [type, finite, codes] : allNarrow())
    for (std::uint32_t code = 0; code < finite.size(); ++code) {
      SCOPED_TRACE(testing::Message() << fieldTypeName(type) << " code " << code);
      const std::uint32_t negative = code | codes / 2;
      EXPECT_EQ(decodeField(type, code), finite[code]);
      EXPECT_EQ(decodeField(type, negative), -finite[code]);
      EXPECT_TRUE(std::signbit(decodeField(type, negative)));
      EXPECT_EQ(encodeField(type, static_cast<float>(finite[code])), code);
      EXPECT_EQ(encodeField(type, -static_cast<float>(finite[code])), negative);
    }
}

TEST(NarrowTypes, CodesPastTheFiniteOnesAreNanAndInfinity) {
  for (const std::uint32_t code : {0x7fU, 0xffU})
    EXPECT_TRUE(std::isnan(decodeField(FieldType::E4M3, code)));
  EXPECT_EQ(decodeField(FieldType::E5M2, 0x7c), kInfinity);
  EXPECT_EQ(decodeField(FieldType::E5M2, 0xfc), -kInfinity);
  for (const std::uint32_t code : {0x7dU, 0x7eU, 0x7fU, 0xfdU, 0xfeU, 0xffU})
    EXPECT_TRUE(std::isnan(decodeField(FieldType::E5M2, code)));
}

TEST(NarrowTypes, BetweenNeighboursTheNearestIsTakenAndOfTiesTheEven) {
  for (const auto& [type, finite, codes] : allNarrow())
    for (std::uint32_t low = 0; low + 1 < finite.size(); ++low) {
      SCOPED_TRACE(testing::Message() << fieldTypeName(type) << " code " << low);
      const auto middle = static_cast<float>((finite[low] + finite[low + 1]) / 2);
      const std::uint32_t even = low % 2 == 0 ? low : low + 1;
      EXPECT_EQ(encodeField(type, middle), even);
      EXPECT_EQ(encodeField(type, std::nextafter(middle, 0.0F)), low);
      EXPECT_EQ(encodeField(type, std::nextafter(middle, kInfinity)), low + 1);
      EXPECT_EQ(encodeField(type, -middle), even | codes / 2);
    }
}

TEST(NarrowTypes, WhatLiesBeyondSaturates) {
  for (const auto& [type, finite, codes] : allNarrow()) {
    const auto largest = static_cast<std::uint32_t>(finite.size() - 1);
    const auto limit = static_cast<float>(finite.back());
    for (const float value : {limit * 1.01F, limit * 2, 1e30F, kInfinity}) {
      EXPECT_EQ(encodeField(type, value), largest);
      EXPECT_EQ(encodeField(type, -value), largest | codes / 2);
    }
  }
  EXPECT_EQ(encodeField(FieldType::F16, 1e30F), 0x7bffU);
  EXPECT_EQ(encodeField(FieldType::BF16, -kInfinity), 0xff7fU);
}

TEST(NarrowTypes, NanStaysNanWhereThereIsOne) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const FieldType type : {FieldType::E4M3, FieldType::E5M2, FieldType::E8M0, FieldType::F16})
    EXPECT_TRUE(std::isnan(decodeField(type, encodeField(type, nan)))) << fieldTypeName(type);
  EXPECT_EQ(encodeField(FieldType::E2M1, nan), 0U);
}

TEST(NarrowTypes, E8M0IsAPowerOfTwoAndRoundsUp) {
  double power = std::bit_cast<double>(std::uint64_t{1023 - 127} << 52);
  for (std::uint32_t code = 0; code < 255; ++code, power *= 2) {
    EXPECT_EQ(decodeField(FieldType::E8M0, code), power);
    EXPECT_EQ(encodeField(FieldType::E8M0, static_cast<float>(power)), code);
    if (code > 0) {
      const auto below = std::nextafter(static_cast<float>(power), 0.0F);
      EXPECT_EQ(encodeField(FieldType::E8M0, below), code);
    }
  }
  EXPECT_TRUE(std::isnan(decodeField(FieldType::E8M0, 255)));
  EXPECT_EQ(encodeField(FieldType::E8M0, 0), 0U);
  EXPECT_EQ(encodeField(FieldType::E8M0, kInfinity), 254U);
}

TEST(NarrowTypes, HalfBytesShareAByteTheEvenOneInItsLowHalf) {
  std::byte bytes[2] = {std::byte{0xff}, std::byte{0xff}};
  storeField(FieldType::E2M1, 1.5F, bytes, 0);
  EXPECT_EQ(bytes[0], std::byte{0xf3});
  storeField(FieldType::E2M1, -6, bytes, 1);
  storeField(FieldType::E2M1, 0.5F, bytes, 3);
  EXPECT_EQ(bytes[0], std::byte{0xf3});
  EXPECT_EQ(bytes[1], std::byte{0x1f});
  EXPECT_EQ(loadField(FieldType::E2M1, bytes, 0), 1.5F);
  EXPECT_EQ(loadField(FieldType::E2M1, bytes, 1), -6);
  EXPECT_EQ(loadField(FieldType::E2M1, bytes, 3), 0.5F);
}

} // namespace
} // namespace mlac::verify
