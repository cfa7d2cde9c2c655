#include "verify/Reference.h"

#include "TinyProblem.h"
#include "verify/KeySlots.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace mlac::verify {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Two keys with logits 0 and 1.
Problem twoKeys(const Variant& variant) {
  Problem problem = mustMake(variant, {.tokens = 1, .context = 2});
  const auto slots = attendedSlots(problem, 0);
  setQuery(problem, {1, 0, 0});
  setKey(problem, slots[0], {0, 4, 0});
  setKey(problem, slots[1], {1, 0, 8});
  return problem;
}

/// A top-k problem of one token with that index row. It holds all keys, so that any row may be set.
Problem topkProblem(const std::vector<std::int32_t>& row, int context = 8) {
  Problem problem = mustMake(smallVariant(IterateKind::Dense), {.tokens = 1, .context = context});
  problem.variant.iterate = IterateKind::TopkLogical;
  problem.variant.topk = static_cast<int>(row.size());
  problem.indicesStride = problem.variant.topk;
  putInts(problem, Input::Indices, row);
  return problem;
}

void expectSame(const Reference& a, const Reference& b, double within = 1e-12) {
  ASSERT_EQ(a.out.size(), b.out.size());
  for (std::size_t i = 0; i < a.out.size(); ++i)
    ASSERT_NEAR(a.out[i], b.out[i], within) << "element " << i;
  for (std::size_t i = 0; i < a.lse.size(); ++i)
    ASSERT_TRUE(a.lse[i] == b.lse[i] || std::abs(a.lse[i] - b.lse[i]) < within) << "row " << i;
}

TEST(Reference, TwoKeysComputedByHand) {
  const Reference result = referenceAttention(twoKeys(tinyVariant()));
  const double e = std::numbers::e;
  EXPECT_NEAR(result.out[0], e / (1 + e), 1e-15);
  EXPECT_NEAR(result.out[1], 4 / (1 + e), 1e-15);
  EXPECT_NEAR(result.out[2], 8 * e / (1 + e), 1e-15);
  EXPECT_EQ(result.out[3], 0);
  EXPECT_NEAR(result.lse[0], std::log(1 + e), 1e-15);
  EXPECT_EQ(result.maxLogit[0], 1);
}

ExprNode leaf(ExprOp op, ExprType type, std::int32_t integer = 0, float real = 0) {
  return {.op = op, .type = type, .integer = integer, .real = real};
}

void setSink(Problem& problem, float sink) {
  const auto* bytes = reinterpret_cast<const std::byte*>(&sink);
  problem.inputs[static_cast<int>(Input::Sinks)].assign(bytes, bytes + sizeof sink);
}

TEST(Reference, ASinkIsInTheDenominatorOnly) {
  Variant variant = tinyVariant();
  variant.sink = true;
  Problem problem = twoKeys(variant);
  const double e = std::numbers::e;
  setSink(problem, 2);
  Reference result = referenceAttention(problem);
  EXPECT_NEAR(result.out[0], e / (1 + e + e * e), 1e-15);
  EXPECT_NEAR(result.lse[0], std::log(1 + e), 1e-15);
  EXPECT_EQ(result.maxLogit[0], 1);
  setSink(problem, static_cast<float>(kInfinity));
  result = referenceAttention(problem);
  EXPECT_EQ(result.out[0], 0);
  EXPECT_NEAR(result.lse[0], std::log(1 + e), 1e-15);
  setSink(problem, static_cast<float>(-kInfinity));
  EXPECT_NEAR(referenceAttention(problem).out[0], e / (1 + e), 1e-15);
}

TEST(Reference, ScoresAndMasksComputedByHand) {
  // score(s, k) = s + 2 * k, for keys at 0 and 1; mask(k) = k != 0
  Variant variant = tinyVariant();
  variant.score = {leaf(ExprOp::Score, ExprType::F32),
                   leaf(ExprOp::Constant, ExprType::I32, 2),
                   leaf(ExprOp::Key, ExprType::I32),
                   {.op = ExprOp::Mul, .type = ExprType::I32, .operands = {1, 2, -1, -1}},
                   {.op = ExprOp::ToFloat, .type = ExprType::F32, .operands = {3, -1, -1, -1}},
                   {.op = ExprOp::Add, .type = ExprType::F32, .operands = {0, 4, -1, -1}}};
  Reference result = referenceAttention(twoKeys(variant));
  EXPECT_NEAR(result.lse[0], std::log(1 + std::exp(3.0)), 1e-14);
  EXPECT_EQ(result.maxLogit[0], 3);
  variant.mask = {leaf(ExprOp::Key, ExprType::I32),
                  leaf(ExprOp::Constant, ExprType::I32, 0),
                  {.op = ExprOp::Ne, .type = ExprType::Bool, .operands = {0, 1, -1, -1}}};
  result = referenceAttention(twoKeys(variant));
  EXPECT_NEAR(result.out[0], 1, 1e-15);
  EXPECT_NEAR(result.out[2], 8, 1e-15);
  EXPECT_NEAR(result.lse[0], 3, 1e-15);
}

TEST(Reference, ARowWhoseKeysAreAllMaskedIsEmptyWhateverItsSink) {
  Variant variant = tinyVariant();
  variant.sink = true;
  variant.mask = {leaf(ExprOp::Key, ExprType::I32),
                  leaf(ExprOp::Constant, ExprType::I32, 5),
                  {.op = ExprOp::Gt, .type = ExprType::Bool, .operands = {0, 1, -1, -1}}};
  const Reference result = referenceAttention(twoKeys(variant));
  EXPECT_EQ(result.out[0], 0);
  EXPECT_EQ(result.lse[0], -kInfinity);
  EXPECT_EQ(result.maxLogit[0], -kInfinity);
}

TEST(Reference, Base2LseIsTheNaturalOneOverLn2) {
  Variant variant = tinyVariant();
  variant.lse = LseMode::Base2;
  const Reference result = referenceAttention(twoKeys(variant));
  EXPECT_NEAR(result.lse[0], std::log2(1 + std::numbers::e), 1e-15);
  EXPECT_EQ(result.maxLogit[0], 1) << "max_logit stays in natural units";
}

TEST(Reference, ScaleMultipliesTheDotProduct) {
  Variant variant = tinyVariant();
  variant.scale = -2.0F;
  const Reference result = referenceAttention(twoKeys(variant));
  EXPECT_NEAR(result.lse[0], std::log(1 + std::exp(-2.0)), 1e-15);
  EXPECT_EQ(result.maxLogit[0], 0);
}

TEST(Reference, RecordValuesIncludeTheRopePart) {
  Variant variant = tinyVariant();
  variant.rope = 16;
  variant.valueIsRecord = true;
  Problem problem = mustMake(variant, {.tokens = 1, .context = 1});
  const std::int64_t slot = attendedSlots(problem, 0)[0];
  setKey(problem, slot, {1, 2, 3});
  auto* rope = const_cast<std::byte*>(problem.keyRow(slot)) + 2 * 16;
  storeElement(ElementType::BF16, 7, rope + 2 * 15);
  const Reference result = referenceAttention(problem);
  ASSERT_EQ(result.valueDims, 32);
  EXPECT_EQ(result.out[2], 3);
  EXPECT_EQ(result.out[31], 7);
}

TEST(Reference, OrderOfIndicesDoesNotMatter) {
  expectSame(referenceAttention(topkProblem({0, 3, 5, 6, -1})),
             referenceAttention(topkProblem({6, -1, 0, 5, 3})));
}

TEST(Reference, ADuplicateCountsTwice) {
  const Reference once = referenceAttention(topkProblem({2, -1}));
  const Reference twice = referenceAttention(topkProblem({2, 2}));
  for (std::size_t i = 0; i < once.out.size(); ++i)
    EXPECT_NEAR(once.out[i], twice.out[i], 1e-15);
  EXPECT_NEAR(twice.lse[0] - once.lse[0], std::numbers::ln2, 1e-12);
}

TEST(Reference, IdentityIndicesWithATailEqualDense) {
  Variant dense = smallVariant(IterateKind::Dense);
  const ProblemOptions options{.tokens = 1, .context = 7};
  std::vector<std::int32_t> row(12, -1);
  for (int i = 0; i < 7; ++i)
    row[i] = i;
  expectSame(referenceAttention(mustMake(dense, options)), referenceAttention(topkProblem(row, 7)));
}

TEST(Reference, AnEmptyRowIsZeroWithTheDeclaredLse) {
  Problem problem = topkProblem({-1, -1, 1000, 99});
  Reference result = referenceAttention(problem);
  for (const double value : result.out)
    EXPECT_EQ(value, 0);
  EXPECT_EQ(result.lse[0], -kInfinity);
  EXPECT_EQ(result.maxLogit[0], -kInfinity);
  problem.variant.emptyLsePositive = true;
  EXPECT_EQ(referenceAttention(problem).lse[0], kInfinity);
  EXPECT_EQ(referenceAttention(problem).maxLogit[0], -kInfinity);
}

TEST(Reference, NoRopeEqualsZeroRope) {
  Variant with = tinyVariant();
  with.rope = 16;
  with.scale = 0.25F;
  Variant without = with;
  without.rope = 0;
  const ProblemOptions options{.tokens = 1, .context = 1};
  Problem a = mustMake(with, options);
  Problem b = mustMake(without, options);
  for (Problem* problem : {&a, &b}) {
    setQuery(*problem, {1, -2, 3});
    setKey(*problem, attendedSlots(*problem, 0)[0], {3, 2, 1});
  }
  expectSame(referenceAttention(a), referenceAttention(b));
}

TEST(Reference, PoisonInUnusedRowsNeverReachesTheResult) {
  for (const auto iterate : {IterateKind::Dense,
                             IterateKind::Window,
                             IterateKind::TopkLogical,
                             IterateKind::TopkPhysical}) {
    const bool topk = iterate == IterateKind::TopkLogical || iterate == IterateKind::TopkPhysical;
    const Variant variant = smallVariant(iterate, topk ? 9 : 0);
    const Problem problem = mustMake(variant, stressOptions(variant, 13, 40, 7));
    const Reference result = referenceAttention(problem);
    EXPECT_TRUE(std::all_of(
        result.out.begin(), result.out.end(), [](double v) { return std::isfinite(v); }));
  }
}

TEST(Reference, SampledTokensEqualTheSameTokensOfTheWhole) {
  const Variant variant = smallVariant(IterateKind::TopkPhysical, 6);
  const Problem problem = mustMake(variant, {.tokens = 9, .context = 30});
  const Reference whole = referenceAttention(problem, {.threads = 3});
  const Reference part = referenceAttention(problem, {.tokens = sampleTokens(9, 3), .threads = 1});
  ASSERT_EQ(part.tokens, (std::vector<int>{0, 4, 8}));
  const std::size_t row = 3 * 32;
  for (std::size_t i = 0; i < row; ++i)
    EXPECT_EQ(part.out[row + i], whole.out[4 * row + i]);
}

} // namespace
} // namespace mlac::verify
