// What parameters and rules mean to the front end: their normal form, folding, bounds of masks.
#include "common/Expression.h"
#include "compiler/spec/FoldExpr.h"
#include "compiler/spec/MaskBounds.h"
#include "compiler/spec/PrintRule.h"
#include "tests/fuzz/SpecProperties.h"
#include "tests/unit/spec/RandomRule.h"
#include "tests/unit/spec/SpecTestSupport.h"

#include <limits>
#include <random>

namespace mlac::test {
namespace {

std::string scoreOf(const std::string& expression) {
  const Variant variant = load(specWith({{"rules", "score(s, h, q, k, t) = " + expression}}));
  return printExpression(variant.score, variant.params);
}

/// The score after folding, as text.
std::string settled(const std::string& expression, const std::string& params = "") {
  const Variant variant =
      load(specWith({{"rules", params + "score(s, h, q, k, t) = " + expression}}));
  return printExpression(settleRule(variant.score, variant.params), variant.params);
}

MaskBounds boundsOf(const std::string& mask) {
  const Variant variant = load(specWith({{"rules", "mask(h, q, k, t) = " + mask}}));
  return boundsOfMask(settleRule(variant.mask, variant.params));
}

TEST(Rules, PrintInNormalForm) {
  const Variant variant =
      load(specWith({{"rules",
                      "param cap:f32=50.0 ;param slope : f32 per head; param w:i32 per token\n"
                      "score(k,q,h,s)=(cap*tanh((s/cap)))-slope[h]*( q-k )\n"
                      "mask(t, q, k) = (k<=q)&&(q-k<w[t]); sink per head"}}));
  EXPECT_EQ(variant.params.size(), 3u);
  EXPECT_TRUE(variant.sink);
  EXPECT_TRUE(contains(printVariant(variant),
                       "  param    cap : f32 = 50\n"
                       "  param    slope : f32 per head\n"
                       "  param    w : i32 per token\n"
                       "  score(s, h, q, k) = cap * tanh(s / cap) - slope[h] * (q - k)\n"
                       "  mask(q, k, t) = k <= q && q - k < w[t]\n"
                       "  sink     per head\n"))
      << printVariant(variant);
}

TEST(Rules, PrintWithTheParenthesesThatMeaningNeeds) {
  for (const char* text : {"s - (1 - s)",
                           "s - 1 - s",
                           "s / (s / 2)",
                           "-s * s",
                           "-(s * s)",
                           "(s + 1) * 2",
                           "s * (k / 2 * 2)",
                           "select(!(k < q) && k > 1 || h == 0, s, -s)",
                           "select(k < q && (h == 0 || t == 1), s, 0)",
                           "1.0 - -s",
                           "pow(s, 2) + 0.5 + 1e+20"})
    EXPECT_EQ(scoreOf(text), text);
  EXPECT_EQ(scoreOf("((s)) + ((1 * (2)))"), "s + 1 * 2");
}

TEST(Rules, FormatLikeTheyPrint) {
  const std::string text = format(specWith(
      {{"rules",
        "param   cap :f32= -5 # most\n score( s,h )=-( s+cap )*2- -s+select(! (h==1),s,0)"}}));
  EXPECT_TRUE(contains(text, "  param    cap : f32 = -5  # most\n")) << text;
  EXPECT_TRUE(contains(text, "  score(s, h) = -(s + cap) * 2 - -s + select(!(h == 1), s, 0)\n"))
      << text;
}

TEST(Rules, RandomOnesPrintParseAndFormatToTheSame) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 500; ++i) {
    const std::string text = specWith({{"rules", randomRuleLines(random, true)}});
    ASSERT_EQ(brokenSpecProperty(text), std::nullopt) << text;
    const std::string errors = diagnose(text);
    ASSERT_TRUE(errors.empty() || contains(errors, "keeps no key")) << errors << text;
  }
}

TEST(Rules, TenThousandTermsAreReadPrintedAndFolded) {
  std::string sum = "s";
  for (int i = 0; i < 10000; ++i)
    sum += i % 2 ? " + h" : " - 0.5";
  EXPECT_EQ(scoreOf(sum), sum);
  EXPECT_EQ(settled(sum), sum);
  EXPECT_EQ(brokenSpecProperty(specWith({{"rules", "score(s, h) = " + sum}})), std::nullopt);
}

TEST(Fold, WholeNumbersAreExactAndFloor) {
  EXPECT_EQ(settled("s * (-7 / 2)"), "s * -4.0");
  EXPECT_EQ(settled("s * (-7 % 2)"), "s * 1.0");
  EXPECT_EQ(settled("s * (7 / -2)"), "s * -4.0");
  EXPECT_EQ(settled("s * (7 % -2)"), "s * -1.0");
  EXPECT_EQ(settled("s * min(3, max(1, abs(-2)))"), "s * 2.0");
}

TEST(Fold, RealsRoundAsTheKernelDoes) {
  EXPECT_EQ(settled("s * (16777216 + 1.0)"), "s * 16777216.0");
  EXPECT_EQ(settled("s * (1 / 3.0)"), "s * 0.33333334");
  EXPECT_EQ(settled("s * sqrt(2)"), "s * 1.4142135");
  EXPECT_EQ(settled("s * exp(1)"), "s * 2.7182817");
}

TEST(Fold, WhatIsNotFiniteIsLeftToTheKernel) {
  EXPECT_EQ(settled("s * log(0)"), "s * log(0.0)");
  EXPECT_EQ(settled("s + 3e38 * 10"), "s + 3e+38 * 10.0");
}

TEST(Fold, ConditionsThatAreSettledLeaveOneBranch) {
  EXPECT_EQ(settled("select(1 < 2 && k < q, s, 0)"), "select(k < q, s, 0.0)");
  EXPECT_EQ(settled("select(1 < 2 || k < q, s, exp(s))"), "s");
  EXPECT_EQ(settled("select(!(2 <= 1), 1, s)"), "1.0");
}

TEST(Fold, DefaultsAreConstantsAndArgumentsStay) {
  EXPECT_EQ(settled("s * (c + 1)", "param c : i32 = 2\n"), "s * 3.0");
  EXPECT_EQ(settled("s * (c + 1)", "param c : f32\n"), "s * (c + 1.0)");
}

TEST(Fold, AMaskThatIsAlwaysTrueIsNone) {
  const Variant variant = load(specWith({{"rules", "mask(k) = 1 < 2 || k > 5"}}));
  EXPECT_TRUE(settleRule(variant.mask, variant.params).empty());
}

TEST(Overrides, TakeTheDefaultsPlaceAndNothingElse) {
  Variant variant = load(specWith({{"rules",
                                    "param c : f32 = 2\nparam n : i32 = 3\nparam r : f32\n"
                                    "score(s) = s * c + n + r"}}));
  ASSERT_TRUE(overrideParam(variant.params, "c", 30));
  EXPECT_EQ(printExpression(settleRule(variant.score, variant.params), variant.params),
            "s * 30.0 + 3.0 + r");
  EXPECT_FALSE(overrideParam(variant.params, "r", 1));
  EXPECT_FALSE(overrideParam(variant.params, "x", 1));
  EXPECT_FALSE(overrideParam(variant.params, "n", 0.5));
  EXPECT_FALSE(overrideParam(variant.params, "n", 3e9));
  EXPECT_FALSE(overrideParam(variant.params, "c", std::numeric_limits<double>::infinity()));
  EXPECT_FALSE(overrideParam(variant.params, "c", std::numeric_limits<double>::quiet_NaN()));
}

TEST(MaskBoundsOf, ComparisonsWithTheQueryInEitherOrder) {
  for (const char* mask :
       {"k <= q", "q >= k", "q - k >= 0", "k < q + 1", "!(1 > 2) && k - q <= 0"}) {
    const MaskBounds bounds = boundsOf(mask);
    EXPECT_EQ(bounds.queryEnd, 1) << mask;
    EXPECT_FALSE(bounds.queryBegin || bounds.begin || bounds.end) << mask;
    EXPECT_TRUE(bounds.rest.empty()) << mask;
  }
  EXPECT_EQ(boundsOf("q - k < 4096").queryBegin, -4095);
  EXPECT_EQ(boundsOf("4096 > q - k").queryBegin, -4095);
  EXPECT_EQ(boundsOf("k + 10 > q").queryBegin, -9);
}

TEST(MaskBoundsOf, ConstantsAndTheTightestOfSeveral) {
  const MaskBounds bounds = boundsOf("k >= 5 && k > 7 && 100 > k && k <= 50");
  EXPECT_EQ(bounds.begin, 8);
  EXPECT_EQ(bounds.end, 51);
  EXPECT_EQ(boundsOf("k == 9").begin, 9);
  EXPECT_EQ(boundsOf("k == 9").end, 10);
}

TEST(MaskBoundsOf, LibraryWordsAreBounds) {
  const MaskBounds bounds = boundsOf("sliding_window(q, k, 64)");
  EXPECT_EQ(bounds.queryBegin, -63);
  EXPECT_EQ(bounds.queryEnd, 1);
  EXPECT_TRUE(bounds.rest.empty());
}

TEST(MaskBoundsOf, OtherTermsAreLeftInPlace) {
  const Variant variant =
      load(specWith({{"rules", "mask(h, q, k) = k % 2 == 0 && k <= q && (h > 1 || k < 5)"}}));
  const MaskBounds bounds = boundsOfMask(settleRule(variant.mask, variant.params));
  EXPECT_EQ(bounds.queryEnd, 1);
  EXPECT_EQ(printExpression(bounds.rest, variant.params), "k % 2 == 0 && (h > 1 || k < 5)");
  for (const char* mask :
       {"k != 5", "k + k < 9", "k <= q || k == 0", "k < h", "k + q < 9", "q > 5"})
    EXPECT_FALSE(boundsOf(mask).rest.empty()) << mask;
}

TEST(CheckRule, RefusesWhatNoParserMakes) {
  const RuleParam param{.name = "c", .type = ExprType::I32};
  const auto check = [&](const Rule& rule) {
    return bool(checkRule(rule, std::span(&param, 1), ExprType::F32));
  };
  const ExprNode score{.op = ExprOp::Score, .type = ExprType::F32};
  EXPECT_TRUE(check({}));
  EXPECT_TRUE(check({score}));
  EXPECT_FALSE(check({{.op = ExprOp::Score, .type = ExprType::I32}}));
  EXPECT_FALSE(check({{.op = ExprOp::Key, .type = ExprType::I32}}));
  EXPECT_FALSE(check({{.op = ExprOp::Neg, .type = ExprType::F32, .operands = {0, -1, -1, -1}}}));
  EXPECT_FALSE(check({{.op = ExprOp::Param, .type = ExprType::F32, .integer = 0}}));
  EXPECT_FALSE(check({{.op = ExprOp::Param, .type = ExprType::I32, .integer = 1}}));
  EXPECT_FALSE(check({score, {.op = ExprOp::Add, .type = ExprType::F32, .operands = {0, 5}}}));
  EXPECT_FALSE(check({{.op = static_cast<ExprOp>(99)}}));
  EXPECT_FALSE(check({{.op = ExprOp::Constant,
                       .type = ExprType::F32,
                       .real = std::numeric_limits<float>::infinity()}}));
}

} // namespace
} // namespace mlac::test
