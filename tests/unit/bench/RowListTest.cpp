// The rows a gather is told, against the cache as it lies in memory.
#include "tools/bench/RowList.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>

namespace mlac {
namespace {

Variant smallVariant(IterateKind iterate) {
  Variant variant;
  variant.name = "small";
  variant.heads = 2;
  variant.latent = 16;
  variant.rope = 8;
  variant.page = 4;
  variant.iterate = iterate;
  variant.topk = iterate == IterateKind::Dense ? 0 : 8;
  variant.maxQueries = 0;
  return variant;
}

verify::Problem draw(const Variant& variant, verify::ProblemOptions options) {
  auto problem = verify::makeProblem(variant, options);
  EXPECT_TRUE(problem) << problem.error().message;
  return std::move(*problem);
}

/// The xor of the words that the list's rows have in a copy of the whole cache.
std::uint32_t xorOfListed(const verify::Problem& problem, const RowList& list) {
  std::vector<std::byte> cache(static_cast<std::size_t>(problem.cacheBytes()), std::byte{0xff});
  problem.writePages(problem.cache.firstPage,
                     problem.cache.heldPages,
                     cache.data() + problem.cache.firstPage * problem.cache.pageStrideBytes);
  std::uint32_t mixed = 0;
  for (const std::uint32_t start : list.starts)
    for (int at = 0; at < problem.variant.recordBytes(); at += 4) {
      std::uint32_t word = 0;
      std::memcpy(&word, cache.data() + std::size_t{start} * kPieceBytes + at, sizeof word);
      mixed ^= word;
    }
  return mixed;
}

void expectEveryRowOnce(const verify::Problem& problem) {
  const auto list = rowsOf(problem);
  ASSERT_TRUE(list) << list.error().message;
  EXPECT_EQ(std::set(list->starts.begin(), list->starts.end()).size(), list->starts.size());
  EXPECT_EQ(list->starts.size() * problem.variant.recordBytes(), problem.cache.rows.size());
  EXPECT_EQ(xorOfListed(problem, *list), list->contentXor);
  EXPECT_NE(list->contentXor, 0U);
}

TEST(RowList, HoldsEveryRowThatIsAttendedToOnce) {
  for (const IterateKind iterate :
       {IterateKind::Dense, IterateKind::TopkLogical, IterateKind::TopkPhysical})
    expectEveryRowOnce(
        draw(smallVariant(iterate), {.tokens = 6, .requests = 3, .context = 21, .seed = 3}));
}

TEST(RowList, FollowsPaddedStridesAndDuplicates) {
  verify::ProblemOptions options{.tokens = 4, .requests = 2, .context = 19};
  options.duplicates = options.padStrides = options.scatteredInvalid = true;
  options.pageBias = 5;
  expectEveryRowOnce(draw(smallVariant(IterateKind::TopkPhysical), options));
}

TEST(RowList, RefusesRecordsThatAreNoWholePieces) {
  Variant variant = smallVariant(IterateKind::Dense);
  variant.rope = 4;
  const auto list = rowsOf(draw(variant, {.tokens = 1, .requests = 1, .context = 5}));
  ASSERT_FALSE(list);
  EXPECT_EQ(list.error().code, ErrorCode::Unsupported);
}

TEST(Flops, CountBothProductsForEveryKeyAndHead) {
  // 2 tokens over 5 keys each, 2 heads, 24 + 16 dims.
  const auto problem =
      draw(smallVariant(IterateKind::Dense), {.tokens = 2, .requests = 1, .context = 5});
  EXPECT_EQ(flopsOf(problem), 2.0 * 2 * 5 * 2 * (24 + 16));
}

} // namespace
} // namespace mlac
