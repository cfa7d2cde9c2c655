#include "TinyProblem.h"
#include "verify/KeySlots.h"
#include "verify/Outputs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace mlac::verify {
namespace {

Variant topk(int width) {
  return smallVariant(IterateKind::TopkLogical, width);
}

TEST(Problem, TheSameSeedGivesTheSameBytesAndAnotherSeedOthers) {
  const Variant variant = topk(11);
  const Problem a = mustMake(variant, stressOptions(variant, 9, 60, 3));
  const Problem b = mustMake(variant, stressOptions(variant, 9, 60, 3));
  const Problem c = mustMake(variant, stressOptions(variant, 9, 60, 4));
  EXPECT_EQ(a.inputs, b.inputs);
  EXPECT_EQ(a.cache.rows, b.cache.rows);
  EXPECT_NE(a.cache.rows, c.cache.rows);
  EXPECT_NE(a.input(Input::Query), c.input(Input::Query));
}

TEST(Problem, StressHoldsEveryDifficultyItPromises) {
  const Variant variant = topk(24);
  const Problem problem = mustMake(variant, stressOptions(variant, 64, 200, 5));
  const auto indices = problem.ints(Input::Indices);
  const auto blocks = problem.ints(Input::BlockTable);
  const auto lengths = problem.ints(Input::TopkLength);
  bool unsorted = false;
  bool interior = false;
  bool repeated = false;
  bool outside = false;
  bool garbage = false;
  for (int t = 0; t < problem.tokens; ++t) {
    const auto row = indices.subspan(t * problem.indicesStride, variant.topk);
    const auto used = row.first(lengths[t]);
    std::set<std::int32_t> seen;
    for (std::size_t i = 0; i < used.size(); ++i) {
      unsorted |= i > 0 && used[i] >= 0 && used[i - 1] > used[i];
      interior |= i > 0 && i + 1 < used.size() && used[i] == -1 && used[i + 1] >= 0;
      repeated |= used[i] >= 0 && !seen.insert(used[i]).second;
      outside |= used[i] >= placeOf(problem, t).end;
    }
    garbage |= lengths[t] < variant.topk && row.back() >= 0;
  }
  EXPECT_TRUE(unsorted && interior && repeated && outside && garbage);
  EXPECT_TRUE(std::any_of(blocks.begin(), blocks.end(), [](int b) { return b < 0; }));
  EXPECT_TRUE(std::any_of(blocks.begin(), blocks.end(), [&](std::int64_t b) {
    return b * variant.page >= problem.slots;
  }));
  EXPECT_GT(problem.ints(Input::SeqLens)[0], problem.maxPages * variant.page);
  int empty = 0;
  for (int t = 0; t < problem.tokens; ++t)
    empty += attendedSlots(problem, t).empty();
  EXPECT_GT(empty, 0);
  EXPECT_LT(empty, problem.tokens / 2);
}

TEST(Problem, OnlyAttendedRowsAreFiniteInMemory) {
  const Variant variant = topk(6);
  const Problem problem = mustMake(variant, stressOptions(variant, 4, 90, 2));
  std::set<std::int64_t> used;
  for (int t = 0; t < problem.tokens; ++t)
    for (const std::int64_t slot : attendedSlots(problem, t))
      used.insert(slot);
  ASSERT_FALSE(used.empty());
  std::vector<std::byte> memory(problem.cacheBytes());
  problem.writePages(0, problem.cache.heldPages, memory.data());
  const std::int64_t page = variant.page;
  for (std::int64_t slot = 0; slot < problem.cache.heldPages * page; ++slot) {
    const std::byte* record = memory.data() + slot / page * problem.cache.pageStrideBytes +
                              slot % page * problem.cache.tokenStrideBytes;
    for (int d = 0; d < variant.qkDims(); ++d)
      ASSERT_EQ(std::isnan(loadElement(ElementType::BF16, record + 2 * d)), !used.contains(slot));
  }
}

TEST(Problem, ABiasMovesSlotsPast31BitsOfElementsWithoutHostMemory) {
  const Variant variant = topk(6);
  ProblemOptions options{.tokens = 2, .context = 40};
  options.pageBias = (std::int64_t{1} << 31) / variant.qkDims() / variant.page;
  const Problem biased = mustMake(variant, options);
  options.pageBias = 0;
  const Problem plain = mustMake(variant, options);
  const std::int64_t shift = biased.cache.firstPage * variant.page;
  const auto slots = attendedSlots(biased, 0);
  const auto lower = attendedSlots(plain, 0);
  ASSERT_EQ(slots.size(), lower.size());
  for (std::size_t i = 0; i < slots.size(); ++i) {
    EXPECT_EQ(slots[i], lower[i] + shift);
    EXPECT_GE(slots[i] * variant.qkDims(), (std::int64_t{1} << 31) - 4 * variant.qkDims());
    EXPECT_NE(biased.keyRow(slots[i]), nullptr);
  }
  EXPECT_LT(biased.cache.rowOfSlot.size(), 1000U);
}

TEST(Problem, SplitAndPaddedQueriesHoldTheSameNumbers) {
  const Variant variant = topk(4);
  ProblemOptions options{.tokens = 3, .context = 9};
  const Problem joined = mustMake(variant, options);
  options.splitQuery = options.padStrides = true;
  const Problem split = mustMake(variant, options);
  ASSERT_TRUE(split.has(Input::QueryRope));
  EXPECT_GT(split.qLatent.headStride, split.qLatent.tokenStride) << "a transposed view";
  const auto at = [&](const Problem& p, const QueryView& view, int t, int h, int d) {
    const std::int64_t element = t * view.tokenStride + h * view.headStride + d;
    return loadElement(variant.query, p.input(view.buffer).data() + view.offsetBytes + 2 * element);
  };
  for (int t = 0; t < 3; ++t)
    for (int h = 0; h < variant.heads; ++h) {
      for (int d = 0; d < variant.latent; ++d)
        ASSERT_EQ(at(joined, joined.qLatent, t, h, d), at(split, split.qLatent, t, h, d));
      for (int d = 0; d < variant.rope; ++d)
        ASSERT_EQ(at(joined, joined.qRope, t, h, d), at(split, split.qRope, t, h, d));
    }
}

TEST(Problem, QueriesAreClampedNormalsAndKeysATenthOfOne) {
  Variant variant = topk(64);
  const Problem problem = mustMake(variant, {.tokens = 64, .context = 256});
  double squares = 0;
  const std::vector<std::byte>& rows = problem.cache.rows;
  for (std::size_t i = 0; i < rows.size(); i += 2)
    squares += std::pow(loadElement(ElementType::BF16, rows.data() + i), 2);
  EXPECT_NEAR(std::sqrt(squares / (static_cast<double>(rows.size()) / 2)), 0.1, 0.002);
  const auto& query = problem.input(Input::Query);
  int atLimit = 0;
  for (std::size_t i = 0; i < query.size(); i += 2) {
    const float value = loadElement(variant.query, query.data() + i);
    ASSERT_LE(std::abs(value), 1.0F);
    atLimit += std::abs(value) == 1.0F;
  }
  EXPECT_NEAR(atLimit / (static_cast<double>(query.size()) / 2), 0.32, 0.03);
}

TEST(Problem, PhysicalVariantsAreToldNothingAboutRequests) {
  const Variant variant = smallVariant(IterateKind::TopkPhysical, 5);
  const Problem problem = mustMake(variant, stressOptions(variant, 6, 30, 1));
  for (const auto id :
       {Input::BlockTable, Input::QueryStart, Input::TokenRequest, Input::SeqLens, Input::KeyEnd})
    EXPECT_FALSE(problem.has(id));
  EXPECT_TRUE(problem.has(Input::Indices));
}

TEST(Problem, QueryCountsOfTheVariantAreKept) {
  Variant variant = topk(5);
  variant.minQueries = 2;
  variant.maxQueries = 4;
  ProblemOptions options{.tokens = 23, .context = 30};
  options.requestTables = RequestTables::QueryStart;
  const Problem problem = mustMake(variant, options);
  const auto starts = problem.ints(Input::QueryStart);
  ASSERT_EQ(static_cast<int>(starts.size()), problem.requests + 1);
  EXPECT_EQ(starts.back(), 23);
  for (std::size_t r = 1; r < starts.size(); ++r) {
    EXPECT_GE(starts[r] - starts[r - 1], 2);
    EXPECT_LE(starts[r] - starts[r - 1], 4);
  }
}

TEST(Problem, ZeroTokensIsAProblemToo) {
  const Problem problem = mustMake(topk(5), {.tokens = 0, .context = 8});
  EXPECT_FALSE(problem.has(Input::Query));
  EXPECT_EQ(findGuardDamage(problem, freshOutputs(problem)).bytes, 0);
}

std::string refusal(const Variant& variant, const ProblemOptions& options) {
  const auto problem = makeProblem(variant, options);
  if (problem)
    return "accepted";
  EXPECT_EQ(problem.error().code, ErrorCode::InvalidArgument);
  return problem.error().message;
}

TEST(Problem, ContradictionsAreRefusedWithTheirNumbers) {
  Variant variant = topk(5);
  EXPECT_EQ(refusal(variant, {.tokens = 5, .requests = 2}),
            "5 tokens do not divide evenly among 2 requests");
  variant.maxQueries = 2;
  EXPECT_NE(refusal(variant, {.tokens = 6, .requests = 2}).find("1 to 2 query tokens"),
            std::string::npos);
  EXPECT_NE(refusal(variant, {.tokens = -1}).find("tokens -1"), std::string::npos);
  ProblemOptions large{.tokens = 4, .context = 100};
  large.maxHostBytes = 100;
  EXPECT_NE(refusal(variant, large).find("100 bytes allowed"), std::string::npos);
  ProblemOptions far{.tokens = 4};
  far.pageBias = std::int64_t{1} << 31;
  EXPECT_NE(refusal(variant, far).find("must fit 31 bits"), std::string::npos);
}

} // namespace
} // namespace mlac::verify
