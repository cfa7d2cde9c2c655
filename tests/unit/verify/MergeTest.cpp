#include "verify/Merge.h"

#include "TinyProblem.h"
#include "verify/MergeProblem.h"
#include "verify/Reference.h"
#include "verify/Shards.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace mlac::verify {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

void expectSame(const Reference& whole, const Partial& merged) {
  ASSERT_EQ(whole.out.size(), merged.out.size());
  for (std::size_t i = 0; i < merged.out.size(); ++i)
    EXPECT_NEAR(whole.out[i], merged.out[i], 1e-12);
  for (std::size_t row = 0; row < merged.lse.size(); ++row) {
    EXPECT_TRUE(whole.lse[row] == merged.lse[row] ||
                std::abs(whole.lse[row] - merged.lse[row]) < 1e-12)
        << whole.lse[row] << " and " << merged.lse[row];
    EXPECT_EQ(whole.maxLogit[row], merged.maxLogit[row]);
  }
}

std::vector<Partial> shards(const Problem& problem, int count) {
  std::vector<Partial> parts;
  for (int shard = 0; shard < count; ++shard) {
    Problem one = problem;
    one.inputs[static_cast<int>(shardedInput(problem.variant))] = shardOf(problem, shard, count);
    const Reference result = referenceAttention(one);
    parts.push_back({result.out, result.lse, result.maxLogit});
  }
  return parts;
}

TEST(Merge, FourShardsEqualTheWholeInBothBasesAndBothEmptyConventions) {
  for (const auto iterate :
       {IterateKind::TopkLogical, IterateKind::TopkPhysical, IterateKind::Dense})
    for (const auto base : {LseMode::Natural, LseMode::Base2})
      for (const bool positive : {false, true}) {
        Variant variant = smallVariant(iterate, iterate == IterateKind::Dense ? 0 : 8);
        variant.lse = base;
        variant.emptyLsePositive = positive;
        ProblemOptions options{.tokens = 5, .context = 50};
        options.scatteredInvalid = variant.isTopk();
        options.emptyRows = options.padStrides = true;
        const Problem problem = mustMake(variant, options);
        expectSame(referenceAttention(problem),
                   mergePartials(shards(problem, 4),
                                 {.dims = 32, .base = base, .emptyPositive = positive}));
      }
}

TEST(Shards, TogetherHoldEveryEntryOnce) {
  ProblemOptions options{.tokens = 3, .context = 50};
  options.padStrides = true;
  const Problem problem = mustMake(smallVariant(IterateKind::TopkLogical, 7), options);
  const auto whole = problem.ints(Input::Indices);
  std::vector<std::int32_t> together(whole.size(), -1);
  for (int shard = 0; shard < 3; ++shard) {
    const std::vector<std::byte> bytes = shardOf(problem, shard, 3);
    const auto* mine = reinterpret_cast<const std::int32_t*>(bytes.data());
    for (std::size_t i = 0; i < whole.size(); ++i)
      if (mine[i] != -1) {
        EXPECT_EQ(together[i], -1) << "entry " << i << " is in two shards";
        together[i] = mine[i];
      }
  }
  EXPECT_TRUE(std::equal(whole.begin(), whole.end(), together.begin()));
}

TEST(Merge, TwoRowsByHand) {
  const std::vector<Partial> parts = {{{4.0, 0.0}, {0.0}}, {{0.0, 8.0}, {std::log(3.0)}}};
  const Partial merged = mergePartials(parts, {.dims = 2});
  EXPECT_NEAR(merged.out[0], 1.0, 1e-15);
  EXPECT_NEAR(merged.out[1], 6.0, 1e-15);
  EXPECT_NEAR(merged.lse[0], std::log(4.0), 1e-15);
}

TEST(Merge, TheWrongBaseGivesAnotherResult) {
  const std::vector<Partial> parts = {{{4.0}, {0.0}}, {{0.0}, {2.0}}};
  const Partial natural = mergePartials(parts, {.dims = 1});
  const Partial base2 = mergePartials(parts, {.dims = 1, .base = LseMode::Base2});
  EXPECT_NEAR(base2.out[0], 0.8, 1e-12);
  EXPECT_GT(std::abs(natural.out[0] - base2.out[0]), 0.1);
}

TEST(Merge, EitherInfinityIsAPartWithoutKeysWhateverElseItHolds) {
  for (const double empty : {kInfinity, -kInfinity}) {
    const std::vector<Partial> parts = {{{kNan}, {empty}, {kNan}}, {{8.0}, {2.0}, {1.0}}};
    const Partial merged = mergePartials(parts, {.dims = 1, .emptyPositive = true});
    EXPECT_EQ(merged.out[0], 8.0);
    EXPECT_EQ(merged.lse[0], 2.0);
    EXPECT_EQ(merged.maxLogit[0], 1.0);
  }
}

TEST(Merge, ARowWithoutAnyKeyIsEmptyByTheDeclaredConvention) {
  const std::vector<Partial> parts = {{{kNan}, {kInfinity}, {0.0}}, {{kNan}, {-kInfinity}, {0.0}}};
  for (const bool positive : {false, true}) {
    const Partial merged = mergePartials(parts, {.dims = 1, .emptyPositive = positive});
    EXPECT_EQ(merged.out[0], 0.0);
    EXPECT_EQ(merged.lse[0], positive ? kInfinity : -kInfinity);
    EXPECT_EQ(merged.maxLogit[0], -kInfinity);
  }
}

TEST(Merge, ASinkJoinsTheDenominatorOnceAndNoLse) {
  // Two tokens of two heads; the second head's sink is as heavy as its two parts together.
  const std::vector<Partial> parts(2, {{6.0, 6.0, 6.0, 6.0}, {0.0, 0.0, 0.0, 0.0}});
  const std::vector<float> sinks = {-INFINITY, std::log(2.0F)};
  const Partial merged = mergePartials(parts, {.dims = 1, .sinks = sinks});
  for (const int row : {0, 1, 2, 3}) {
    EXPECT_NEAR(merged.out[row], row % 2 == 0 ? 6.0 : 3.0, 1e-6);
    EXPECT_NEAR(merged.lse[row], std::log(2.0), 1e-12);
  }
  const std::vector<float> all = {INFINITY, 0};
  EXPECT_EQ(mergePartials(parts, {.dims = 1, .sinks = all}).out[0], 0.0);
}

TEST(MergeProblem, TheSameSeedDrawsTheSameBitsAndAnotherOthers) {
  Variant variant = smallVariant(IterateKind::Dense);
  variant.maxLogit = true;
  const MergeProblem first = makeMergeProblem(variant, {.emptyParts = true, .sinks = true});
  const MergeProblem same = makeMergeProblem(variant, {.emptyParts = true, .sinks = true});
  EXPECT_EQ(first.out.bytes, same.out.bytes);
  EXPECT_EQ(first.lse.bytes, same.lse.bytes);
  EXPECT_EQ(first.maxLogit.bytes, same.maxLogit.bytes);
  EXPECT_EQ(first.sinks, same.sinks);
  EXPECT_NE(first.out.bytes, makeMergeProblem(variant, {.seed = 2}).out.bytes);
}

TEST(MergeProblem, EmptyPartsHoldNanAndTheFirstRowHasNoOther) {
  const MergeProblem problem =
      makeMergeProblem(smallVariant(IterateKind::Dense), {.parts = 6, .emptyParts = true});
  int empty = 0;
  for (const Partial& part : partialsOf(problem)) {
    EXPECT_TRUE(std::isinf(part.lse[0]));
    for (std::size_t row = 0; row < part.lse.size(); ++row) {
      EXPECT_EQ(std::isinf(part.lse[row]), std::isnan(part.out[row * problem.out.dims]));
      empty += std::isinf(part.lse[row]) ? 1 : 0;
    }
  }
  EXPECT_GT(empty, 6);
  const Reference whole = referenceMerge(problem);
  EXPECT_EQ(whole.out[0], 0.0);
  EXPECT_EQ(whole.lse[0], -kInfinity);
}

TEST(MergeProblem, AByteChangedBesidePartZeroIsDamage) {
  const MergeProblem problem =
      makeMergeProblem(smallVariant(IterateKind::Dense), {.padStrides = true, .inPlace = true});
  const auto outputs = [&](std::int64_t changed) {
    std::vector<std::byte> out = problem.out.bytes;
    out[static_cast<std::size_t>(changed)] ^= std::byte{1};
    return outputsInPlace(problem, out, problem.lse.bytes, problem.maxLogit.bytes);
  };
  const auto damage = [&](std::int64_t changed) {
    return findGuardDamage(problem.results, outputs(changed)).bytes;
  };
  EXPECT_EQ(damage(problem.out.byteAt(0, 1, 0, 3)), 0);
  EXPECT_EQ(damage(problem.out.byteAt(1, 1, 0, 3)), 1);
  EXPECT_EQ(damage(problem.out.byteAt(0, 0, 0, problem.out.dims)), 1) << "the gap behind a row";
}

} // namespace
} // namespace mlac::verify
