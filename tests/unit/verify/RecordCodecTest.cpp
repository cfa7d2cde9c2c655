// Records to the byte, by the rules of the engines that write them.
#include "verify/RecordCodec.h"

#include "tests/unit/verify/TestRecords.h"
#include "verify/NarrowTypes.h"
#include "verify/Random.h"

#include <gtest/gtest.h>

#include <cfloat>
#include <cmath>
#include <cstring>
#include <vector>

namespace mlac::verify {
namespace {

constexpr std::byte kUntouched{0xa5};

/// One token of a record: its bytes, and behind them its share of the tail.
struct Token {
  explicit Token(const Record& record)
      : codec(record), bytes(codec.layout().tokenBytes + codec.layout().tailBytes, kUntouched) {}

  std::byte* tail() { return bytes.data() + codec.layout().tokenBytes; }

  void pack(FieldKind part, const std::vector<float>& values, const PackOptions& options = {}) {
    codec.pack(part, values, options, bytes.data(), tail());
  }

  std::vector<double> unpack(FieldKind part, float cacheScale = 1) {
    std::vector<double> values(codec.count(part));
    codec.unpack(part, bytes.data(), tail(), cacheScale, values);
    return values;
  }

  float floatAt(int offset) const {
    float value = 0;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
  }

  int byteAt(int offset) const { return std::to_integer<int>(bytes[offset]); }

  RecordCodec codec;
  std::vector<std::byte> bytes;
};

std::vector<float> normals(int count, float factor, std::uint64_t seed) {
  Random random(seed, 0);
  std::vector<float> values(count);
  for (float& value : values)
    value = random.normal() * factor;
  return values;
}

// vllm#47527: four tiles of 128, each with its f32 scale max(amax / 448, FLT_MIN) behind all codes,
// then the rotary part as it is.
TEST(RecordCodec, Writes656BytesAsVllmDoes) {
  std::vector<float> latent = normals(512, 1, 1);
  latent[3] = 300;    // tile 0: scale 300 / 448
  latent[128] = -448; // tile 1: scale 1
  for (int d = 256; d < 384; ++d)
    latent[d] = 0; // tile 2: nothing but zeros
  for (int d = 384; d < 512; ++d)
    latent[d] = 1e-39F; // tile 3: subnormal
  Token token(fp8DsMla());
  token.pack(FieldKind::Latent, latent);
  token.pack(FieldKind::Rope, std::vector<float>(64, 1.5F));
  ASSERT_EQ(token.bytes.size(), 656U);
  EXPECT_EQ(token.floatAt(512), 300.0F / 448.0F);
  EXPECT_EQ(token.floatAt(516), 1);
  EXPECT_EQ(token.floatAt(520), FLT_MIN);
  EXPECT_EQ(token.floatAt(524), FLT_MIN);
  EXPECT_EQ(token.byteAt(3), 0x7e);
  EXPECT_EQ(token.byteAt(128), 0xfe);
  for (int d = 0; d < 256; ++d) {
    const float scale = d < 128 ? 300.0F / 448.0F : 1.0F;
    EXPECT_EQ(token.byteAt(d), static_cast<int>(encodeField(FieldType::E4M3, latent[d] / scale)));
  }
  for (int d = 256; d < 384; ++d)
    EXPECT_EQ(token.byteAt(d), 0);
  // 1e-39 / FLT_MIN = 0.0851 lies between 0.0859375 (5.5 / 64) and 0.078125 (5 / 64).
  for (int d = 384; d < 512; ++d)
    EXPECT_EQ(decodeField(FieldType::E4M3, token.byteAt(d)), 5.5F / 64);
  for (int at = 528; at < 656; at += 2) {
    EXPECT_EQ(token.byteAt(at), 0xc0);
    EXPECT_EQ(token.byteAt(at + 1), 0x3f);
  }
}

TEST(RecordCodec, FlashMlasRuleRoundsScalesUpToPowersOfTwo) {
  std::vector<float> latent(512);
  latent[0] = 300;   // 0.67 -> 1
  latent[128] = 448; // exactly 1
  latent[256] = 449; // 1.002 -> 2
  Token token(fp8DsMla());
  token.pack(FieldKind::Latent, latent, {.rule = ScaleRule::PowerOfTwo});
  EXPECT_EQ(token.floatAt(512), 1);
  EXPECT_EQ(token.floatAt(516), 1);
  EXPECT_EQ(token.floatAt(520), 2);
  EXPECT_EQ(token.floatAt(524), std::ldexp(1.0F, -13)) << "1e-4 rounded up";
  EXPECT_EQ(decodeField(FieldType::E4M3, token.byteAt(0)), 288) << "300 between 288 and 320";
}

// integration of DeepSeek-V4: scales of a page behind its tokens, always powers of two.
TEST(RecordCodec, Writes584BytesWithTheScalesInTheTail) {
  std::vector<float> latent(448);
  for (std::size_t group = 0; group < 7; ++group)
    latent[64 * group] = 448 * std::ldexp(1.0F, static_cast<int>(group) - 3);
  Token token(dsv4());
  token.pack(FieldKind::Latent, latent);
  token.pack(FieldKind::Rope, std::vector<float>(64, -2));
  ASSERT_EQ(token.bytes.size(), 584U);
  for (int group = 0; group < 7; ++group) {
    EXPECT_EQ(token.byteAt(576 + group), 127 + group - 3);
    EXPECT_EQ(token.byteAt(64 * group), 0x7e);
  }
  EXPECT_EQ(token.bytes[583], kUntouched) << "padding is not written";
  EXPECT_EQ(token.byteAt(449), 0xc0);
}

TEST(RecordCodec, WhatIsUnpackedLiesWithinHalfAStepOfWhatWasPacked) {
  for (const auto& [type, step] : {std::pair(FieldType::E4M3, 1.0 / 16),
                                   std::pair(FieldType::E5M2, 1.0 / 8),
                                   std::pair(FieldType::E2M1, 1.0 / 4)})
    for (const FieldType scale :
         {FieldType::F32, FieldType::BF16, FieldType::F16, FieldType::E8M0}) {
      SCOPED_TRACE(testing::Message() << fieldTypeName(type) << " by " << fieldTypeName(scale));
      Token token(recordOf(
          {dataField(FieldKind::Latent, type, 64), scaleField(scale, 16, FieldKind::Latent)}));
      const std::vector<float> values = normals(64, 0.1F, 2);
      token.pack(FieldKind::Latent, values);
      const std::vector<double> read = token.unpack(FieldKind::Latent);
      for (int group = 0; group < 64; group += 16) {
        double amax = 0;
        for (int d = group; d < group + 16; ++d)
          amax = std::max(amax, std::abs(double{values[d]}));
        for (int d = group; d < group + 16; ++d)
          EXPECT_NEAR(read[d], values[d], 1.02 * step * amax);
      }
    }
}

TEST(RecordCodec, NarrowScalesNeverBecomeZero) {
  Token token(recordOf({dataField(FieldKind::Latent, FieldType::E2M1, 16),
                        scaleField(FieldType::E4M3, 16, FieldKind::Latent)}));
  token.pack(FieldKind::Latent, std::vector<float>(16, 1e-6F));
  EXPECT_EQ(token.byteAt(8), 1);
  for (const double value : token.unpack(FieldKind::Latent))
    EXPECT_EQ(value, 0);
}

TEST(RecordCodec, ScalesPerTensorComeFromTheCaller) {
  Token token(recordOf({dataField(FieldKind::Latent, FieldType::E4M3, 16),
                        scaleField(FieldType::F32, 0, FieldKind::Latent)}));
  ASSERT_EQ(token.bytes.size(), 16U);
  token.pack(FieldKind::Latent, std::vector<float>(16, 3), {.cacheScale = 0.75F});
  EXPECT_EQ(token.byteAt(0), static_cast<int>(encodeField(FieldType::E4M3, 4)));
  EXPECT_EQ(token.unpack(FieldKind::Latent, 0.75F)[5], 3);
}

TEST(RecordCodec, ValuesBeyondAScalePerTensorSaturate) {
  Token token(recordOf({dataField(FieldKind::Latent, FieldType::E4M3, 16),
                        scaleField(FieldType::F32, 0, FieldKind::Latent)}));
  token.pack(FieldKind::Latent, std::vector<float>(16, -1000));
  EXPECT_EQ(token.byteAt(7), 0xfe);
}

} // namespace
} // namespace mlac::verify
