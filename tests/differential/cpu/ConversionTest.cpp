// Element conversions of the CPU kernel, bit by bit: queries are 0, so a row returns its keys' mean
// value.
#include "compiler/cpu/CpuKernel.h"
#include "verify/HalfTypes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

namespace mlac {
namespace {

constexpr int kLatent = 512;

/// A variant whose rows have `keys` keys each.
Variant meanOf(int keys, const char* name, ElementType cache, ElementType output) {
  Variant variant;
  variant.name = name;
  variant.heads = 1;
  variant.latent = kLatent;
  variant.query = ElementType::BF16;
  variant.cache = cache;
  variant.output = output;
  variant.page = 1;
  variant.iterate = IterateKind::TopkPhysical;
  variant.topk = keys;
  variant.scale = 1.0F;
  return variant;
}

float widen(ElementType type, std::uint16_t pattern) {
  std::byte bytes[4] = {};
  std::memcpy(bytes, &pattern, 2);
  return verify::loadElement(type, bytes);
}

/// All 16-bit patterns from `first` up, 128 rows of 512; 0 instead of those that are not finite.
std::vector<std::uint16_t> finitePatterns(ElementType type, int first) {
  std::vector<std::uint16_t> patterns;
  for (int i = 0; i < 1 << 16; ++i) {
    const auto pattern = static_cast<std::uint16_t>(first + i);
    patterns.push_back(std::isfinite(widen(type, pattern)) ? pattern : 0);
  }
  return patterns;
}

/// Row t of the result is the mean of rows t, t + T, ... of `cache`, converted.
std::vector<std::byte> meanRows(const Variant& variant, const std::vector<std::uint16_t>& cache) {
  auto kernel = compileForCpu(variant);
  EXPECT_TRUE(kernel) << kernel.error().message;
  const int keys = variant.topk;
  const int rows = static_cast<int>(cache.size()) / kLatent / keys;
  const std::vector<std::uint16_t> query(rows * kLatent);
  std::vector<std::int32_t> indices;
  for (int row = 0; row < rows; ++row)
    for (int key = 0; key < keys; ++key)
      indices.push_back(row + key * rows);
  std::vector<std::byte> out(query.size() * elementBytes(variant.output));
  CpuArgs args;
  args.qLatent = query.data();
  args.qLatentTokenStride = args.qLatentHeadStride = kLatent;
  args.cache = cache.data();
  args.pageStrideBytes = args.tokenStrideBytes = kLatent * 2;
  args.slots = rows * keys;
  args.tokens = rows;
  args.indices = indices.data();
  args.indicesStride = keys;
  args.out = out.data();
  args.outTokenStride = args.outHeadStride = kLatent;
  const Status status = kernel->run(args, 1);
  EXPECT_TRUE(status) << status.error().message;
  return out;
}

void expectBits(const Variant& variant,
                const std::vector<std::byte>& out,
                const std::vector<float>& values) {
  const int bytes = elementBytes(variant.output);
  int wrong = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::byte want[4] = {};
    verify::storeElement(variant.output, values[i], want);
    if (std::memcmp(want, &out[i * bytes], bytes) != 0 && ++wrong < 5)
      ADD_FAILURE() << "element " << i << ", value " << values[i];
  }
  EXPECT_EQ(wrong, 0);
}

void expectEveryPatternConverts(const Variant& variant) {
  const std::vector<std::uint16_t> cache = finitePatterns(*variant.cacheElement(), 0);
  std::vector<float> values;
  // 0 + -0 is +0, so a sum of weighted values never is -0.
  for (const std::uint16_t pattern : cache)
    values.push_back(0.0F + widen(*variant.cacheElement(), pattern));
  expectBits(variant, meanRows(variant, cache), values);
}

/// The mean of neighbouring patterns lies half way between them.
void expectTiesRoundToEven(const Variant& variant) {
  std::vector<std::uint16_t> cache = finitePatterns(*variant.cacheElement(), 0);
  const std::vector<std::uint16_t> next = finitePatterns(*variant.cacheElement(), 1);
  std::vector<float> values;
  for (std::size_t i = 0; i < next.size(); ++i)
    values.push_back((0.0F + widen(*variant.cacheElement(), cache[i]) +
                      widen(*variant.cacheElement(), next[i])) *
                     0.5F);
  cache.insert(cache.end(), next.begin(), next.end());
  expectBits(variant, meanRows(variant, cache), values);
}

TEST(Conversion, EveryF16PatternWidensExactly) {
  expectEveryPatternConverts(meanOf(1, "f16_f32", ElementType::F16, ElementType::F32));
}

TEST(Conversion, EveryBf16PatternWidensExactly) {
  expectEveryPatternConverts(meanOf(1, "bf16_f32", ElementType::BF16, ElementType::F32));
}

TEST(Conversion, Bf16RoundsToF16WithSubnormalsAndOverflow) {
  expectEveryPatternConverts(meanOf(1, "bf16_f16", ElementType::BF16, ElementType::F16));
}

TEST(Conversion, F16RoundsToBf16) {
  expectEveryPatternConverts(meanOf(1, "f16_bf16", ElementType::F16, ElementType::BF16));
}

TEST(Conversion, F16TiesRoundToEven) {
  expectTiesRoundToEven(meanOf(2, "ties_f16", ElementType::F16, ElementType::F16));
}

TEST(Conversion, Bf16TiesRoundToEven) {
  expectTiesRoundToEven(meanOf(2, "ties_bf16", ElementType::BF16, ElementType::BF16));
}

} // namespace
} // namespace mlac
