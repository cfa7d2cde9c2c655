// Rules, parameters and sinks on the CPU against the float64 reference, which evaluates the rules
// itself.
#include "compiler/spec/Load.h"
#include "tests/unit/spec/RandomRule.h"
#include "tools/cpu/CpuRun.h"
#include "verify/Reference.h"
#include "verify/Tolerance.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace mlac {
namespace {

Variant variantOf(const std::string& lines, const std::string& iterate = "dense") {
  const std::string text = "attention ruled {\nheads 6\nlatent 32\nrope 16\ncache bf16 page 16\n"
                           "queries any\nscale 0.3\noutput f32 lse natural max_logit\niterate " +
                           iterate + "\n" + lines + "\n}\n";
  auto variants = loadVariants(SourceText("t.mlac", text));
  if (!variants) {
    ADD_FAILURE() << variants.error().message;
    return {};
  }
  return variants->front();
}

void expectAgreement(const Variant& variant, const verify::ProblemOptions& options) {
  auto kernel = compileForCpu(variant);
  ASSERT_TRUE(kernel) << kernel.error().message;
  auto problem = verify::makeProblem(variant, options);
  ASSERT_TRUE(problem) << problem.error().message;
  auto outputs = runOnCpu(*kernel, *problem, 2);
  ASSERT_TRUE(outputs) << outputs.error().message;
  const verify::Report report =
      verify::checkOutputs(*problem,
                           *outputs,
                           verify::referenceAttention(*problem),
                           verify::tolerancesOf(verify::operationOf(*problem)));
  EXPECT_TRUE(report.passed()) << verify::describe(report);
}

void expectAgreement(const std::string& lines, const std::string& iterate = "dense") {
  SCOPED_TRACE(lines + " / " + iterate);
  const Variant variant = variantOf(lines, iterate);
  expectAgreement(variant, {.tokens = 8, .requests = 2, .context = 90});
  expectAgreement(variant, verify::stressOptions(variant, 9, 120, 5));
}

TEST(RulesOnCpu, LibraryWordsMeanWhatTheirDefinitionSays) {
  expectAgreement("score(s) = softcap(s, 5)");
  expectAgreement("param slope : f32 per head\nscore(s, h, q, k) = alibi(s, slope[h], q, k)");
  expectAgreement("mask(q, k) = causal(q, k)");
  expectAgreement("mask(q, k) = sliding_window(q, k, 20)");
  expectAgreement("mask(q, k) = sliding_window(q, k, 20) || k < 4");
}

TEST(RulesOnCpu, IntegerDivisionFloorsForEverySign) {
  expectAgreement("score(s, q, k) = s + 0.1 * ((k - q) / 7) + 0.1 * ((k - q) % 7)");
  expectAgreement("score(s, q, k) = s + 0.1 * ((k - q) / -7) + 0.1 * ((k - q) % -7)");
  expectAgreement("score(s, q, k) = s + 0.1 * (40 / (k - q)) + 0.1 * (40 % (k - q))");
  expectAgreement("score(s, q, k) = s + 0.1 * ((k - q) / -1) + 0.1 * ((k - q) % -1)");
}

TEST(RulesOnCpu, NothingTrapsAtTheSmallestInteger) {
  expectAgreement("param d : i32\nscore(s, k) = s + 0.0000000001 * ((-2147483647 - 1) / (d - d - 1)"
                  " * 0) + 0.1 * (k / (d - d))");
}

TEST(RulesOnCpu, ParametersOfEveryKindReachTheRules) {
  expectAgreement("param cap : f32 = 7\nparam gain : f32\nparam n : i32\n"
                  "param slope : f32 per head\nparam first : i32 per head\n"
                  "param shift : f32 per token\nparam w : i32 per token\n"
                  "score(s, h, q, k, t) = cap * tanh(gain * s / cap) - slope[h] * (q - k) * 0.1 +"
                  " shift[t]\n"
                  "mask(h, q, k, t) = q - k < w[t] + n && k != first[h]");
}

TEST(RulesOnCpu, MasksApplyToEveryIteration) {
  for (const char* iterate : {"dense", "window 40", "topk 48 logical"})
    expectAgreement("mask(h, q, k) = k <= q && q - k < 30 && (k + h) % 3 != 0", iterate);
  expectAgreement("mask(h, t) = (h + t) % 3 != 0", "topk 48 physical");
}

TEST(RulesOnCpu, SinksJoinTheDenominatorOnly) {
  for (const char* iterate : {"dense", "topk 48 logical", "topk 48 physical"})
    expectAgreement("sink per head", iterate);
  expectAgreement("sink per head\nscore(s) = softcap(s, 2)\nmask(h, k) = h != 1 && k % 2 == 0");
}

TEST(RulesOnCpu, GivenValuesReplaceDrawnOnes) {
  const Variant variant =
      variantOf("param gain : f32\nparam n : i32 per head\nscore(s, h, k) = gain * s + 0.1 * "
                "(k % n[h])");
  verify::ProblemOptions options{.tokens = 4, .context = 40};
  options.params = {{"gain", 0.25}, {"n", 5}};
  expectAgreement(variant, options);
  options.params = {{"gains", 0.25}};
  EXPECT_FALSE(verify::makeProblem(variant, options));
  options.params = {{"n", 0.5}};
  EXPECT_FALSE(verify::makeProblem(variant, options));
}

TEST(RulesOnCpu, RandomRulesAgreeWithTheReference) {
  std::mt19937_64 random(23);
  int compared = 0;
  while (compared < 40) {
    const bool isPhysical = compared % 4 == 3;
    const std::string lines = test::randomRuleLines(random, !isPhysical);
    SCOPED_TRACE(lines);
    const Variant variant = variantOf(lines,
                                      isPhysical          ? "topk 40 physical"
                                      : compared % 4 == 2 ? "topk 40 logical"
                                                          : "dense");
    expectAgreement(variant, verify::stressOptions(variant, 6, 100, random()));
    ++compared;
  }
}

TEST(RulesOnCpu, LaunchesWithoutTheirParametersAreRefused) {
  const Variant variant = variantOf("param gain : f32\nscore(s) = gain * s\nsink per head");
  auto kernel = compileForCpu(variant);
  ASSERT_TRUE(kernel) << kernel.error().message;
  auto problem = verify::makeProblem(variant, {.tokens = 2, .context = 20});
  ASSERT_TRUE(problem) << problem.error().message;
  const HostCache cache(*problem);
  verify::Outputs outputs = verify::freshOutputs(*problem);
  CpuArgs args = bindCpuArgs(*problem, cache, outputs);
  Status status = kernel->run(args);
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().message.find("`gain` is missing"), std::string::npos);
  const CpuParam infinite{.real = std::numeric_limits<float>::infinity()};
  args.params = &infinite;
  args.paramCount = 1;
  EXPECT_FALSE(kernel->run(args));
  const CpuParam one{.real = 1};
  args.params = &one;
  args.sinks = nullptr;
  status = kernel->run(args);
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().message.find("`sinks` is null"), std::string::npos);
}

} // namespace
} // namespace mlac
