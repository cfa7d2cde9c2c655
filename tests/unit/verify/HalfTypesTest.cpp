#include "verify/HalfTypes.h"

#include <gtest/gtest.h>

#include <limits>

namespace mlac::verify {
namespace {

TEST(HalfTypes, EveryBf16SurvivesTheRoundTrip) {
  for (std::uint32_t bits = 0; bits <= 0xffff; ++bits) {
    const float value = bf16ToFloat(static_cast<std::uint16_t>(bits));
    if (!std::isnan(value))
      ASSERT_EQ(floatToBf16(value), bits);
    else
      ASSERT_TRUE(std::isnan(bf16ToFloat(floatToBf16(value))));
  }
}

TEST(HalfTypes, EveryF16SurvivesTheRoundTrip) {
  for (std::uint32_t bits = 0; bits <= 0xffff; ++bits) {
    const float value = f16ToFloat(static_cast<std::uint16_t>(bits));
    if (!std::isnan(value))
      ASSERT_EQ(floatToF16(value), bits);
    else
      ASSERT_TRUE(std::isnan(f16ToFloat(floatToF16(value))));
  }
}

TEST(HalfTypes, RoundToTheNearestAndToEvenOnTies) {
  EXPECT_EQ(floatToBf16(1.0F + 1.0F / 256), 0x3f80); // tie, down to even
  EXPECT_EQ(floatToBf16(1.0F + 3.0F / 256), 0x3f82); // tie, up to even
  EXPECT_EQ(floatToBf16(1.0F + 1.1F / 256), 0x3f81);
  EXPECT_EQ(floatToF16(1.0F + 1.0F / 2048), 0x3c00);
  EXPECT_EQ(floatToF16(1.0F + 3.0F / 2048), 0x3c02);
  EXPECT_EQ(floatToF16(1.0F + 1.1F / 2048), 0x3c01);
}

TEST(HalfTypes, LimitsOfF16) {
  EXPECT_EQ(floatToF16(65504.0F), 0x7bff);
  EXPECT_EQ(floatToF16(65519.0F), 0x7bff);
  EXPECT_EQ(floatToF16(65520.0F), 0x7c00);
  EXPECT_EQ(floatToF16(-1e9F), 0xfc00);
  EXPECT_EQ(floatToF16(std::ldexp(1.0F, -24)), 0x0001);
  EXPECT_EQ(floatToF16(std::ldexp(1.0F, -25)), 0x0000); // tie with zero
  EXPECT_EQ(floatToF16(std::ldexp(1.5F, -25)), 0x0001);
  EXPECT_EQ(floatToF16(-0.0F), 0x8000);
}

TEST(HalfTypes, LimitsOfBf16) {
  EXPECT_EQ(floatToBf16(std::numeric_limits<float>::max()), 0x7f80);
  EXPECT_EQ(floatToBf16(-std::numeric_limits<float>::infinity()), 0xff80);
}

TEST(HalfTypes, FillPatternIsNanInEveryType) {
  const std::byte fill[4] = {std::byte{0xff}, std::byte{0xff}, std::byte{0xff}, std::byte{0xff}};
  for (const auto type : {ElementType::BF16, ElementType::F16, ElementType::F32})
    EXPECT_TRUE(std::isnan(loadElement(type, fill)));
}

} // namespace
} // namespace mlac::verify
