// Generated kernels of variants with rules, parameters and sinks: run thread by thread on whole
// rows, on split ones and on a balanced batch, they agree with the float64 reference.
#include "compiler/Compiler.h"
#include "compiler/spec/Load.h"
#include "runtime/CheckFamily.h"
#include "runtime/Family.h"
#include "simt/Simt.h"
#include "tests/unit/spec/RandomRule.h"
#include "tools/gpu/DeviceProblem.h"
#include "tools/gpu/RunOnGpu.h"
#include "verify/Reference.h"
#include "verify/Tolerance.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

namespace mlac {
namespace {

struct Sizes {
  int heads = 6;
  std::string scale = "0.3";
  std::string iterate = "dense";
  std::string output = "bf16 lse natural max_logit";
  std::string target = "sm_90";
};

Variant variantOf(const std::string& lines, const Sizes& sizes) {
  const std::string text = fmt::format(
      "attention ruled {{\nheads {}\nlatent 64\nrope 32\ncache bf16 page 16\nqueries any\n"
      "scale {}\noutput {}\niterate {}\n{}\n}}\n",
      sizes.heads,
      sizes.scale,
      sizes.output,
      sizes.iterate,
      lines);
  auto variants = loadVariants(SourceText("t.mlac", text));
  if (!variants) {
    ADD_FAILURE() << variants.error().message;
    return {};
  }
  return variants->front();
}

/// The first attention kernel on whole rows, on split ones, and on a batch cut by its lengths; and
/// one that takes tokens together, where there is one.
std::vector<GpuRunOptions> launchesOf(const KernelFamily& family) {
  const int first = indexOfRole(family, KernelRole::Attention);
  std::vector<GpuRunOptions> launches = {{.kernel = first, .splits = 1},
                                         {.kernel = first, .splits = 3},
                                         {.kernel = first, .balance = true}};
  for (std::size_t i = 0; i < family.kernels.size(); ++i)
    if (family.kernels[i].queryGroup > 1)
      for (const int splits : {1, 2})
        launches.push_back({.kernel = static_cast<int>(i), .splits = splits});
  return launches;
}

void expectAgreement(const std::string& lines, const Sizes& sizes = {}) {
  SCOPED_TRACE(lines + "\niterate " + sizes.iterate + " for " + sizes.target);
  const Variant variant = variantOf(lines, sizes);
  auto target = findTarget(sizes.target);
  ASSERT_TRUE(target);
  auto compiled = compileFamily({.variant = variant, .target = *target, .overrides = {}});
  ASSERT_TRUE(compiled) << compiled.error().message;
  const auto machine = simt::Machine::install({.target = sizes.target});
  ASSERT_TRUE(machine) << machine.error().message;
  const auto device = Device::open(0);
  ASSERT_TRUE(device) << device.error().message;
  const auto family = loadFamily(compiled->family, *device, simt::hostCompiler());
  ASSERT_TRUE(family) << family.error().message;
  verify::ProblemOptions drawn = verify::stressOptions(variant, 3, 130, 5);
  if (!variant.scale)
    drawn.scale = -0.3F;
  const auto problem = verify::makeProblem(variant, drawn);
  ASSERT_TRUE(problem) << problem.error().message;
  const verify::Reference reference = verify::referenceAttention(*problem);
  for (const GpuRunOptions& options : launchesOf(compiled->family)) {
    SCOPED_TRACE(fmt::format("kernel {}, splits {}", options.kernel, options.splits));
    const auto run = runOnGpu(*device, *family, *problem, options);
    for (const simt::Finding& finding : (*machine)->takeFindings())
      ADD_FAILURE() << simt::describe(finding);
    ASSERT_TRUE(run) << run.error().message;
    const verify::Report report = verify::checkOutputs(
        *problem, run->outputs, reference, verify::tolerancesOf(verify::operationOf(*problem)));
    EXPECT_TRUE(report.passed()) << verify::describe(report);
  }
}

TEST(RulesOnSimt, CapMaskParametersAndSinksTogether) {
  const std::string lines =
      "param cap : f32 = 7\nparam gain : f32\nparam n : i32\n"
      "param slope : f32 per head\nparam w : i32 per token\n"
      "score(s, h, q, k) = softcap(gain * s, cap) - 0.1 * slope[h] * (q - k)\n"
      "mask(h, q, k, t) = q - k < w[t] + n && (k + h) % 5 != 0\nsink per head";
  expectAgreement(lines);
  expectAgreement(lines, {.heads = 13, .iterate = "topk 48 logical", .target = "sm_80"});
  expectAgreement(lines, {.iterate = "window 70", .output = "f32 lse base2", .target = "sm_120"});
}

TEST(RulesOnSimt, SinksAlone) {
  expectAgreement("sink per head", {.heads = 8, .iterate = "topk 48 physical"});
  expectAgreement("sink per head", {.heads = 20, .output = "f16 lse natural empty +inf"});
}

TEST(RulesOnSimt, MasksThatAreIntervals) {
  expectAgreement("mask(q, k) = sliding_window(q, k, 40)");
  expectAgreement("mask(q, k) = k >= 20 && q - k < 50", {.iterate = "topk 48 logical"});
}

// Keys that are taken out have -inf for a score, which no such scale may turn round.
TEST(RulesOnSimt, ScalesOfNothingAndLess) {
  for (const char* scale : {"-0.3", "0", "runtime"}) {
    expectAgreement("", {.scale = scale});
    expectAgreement("", {.heads = 13, .scale = scale, .iterate = "topk 48 logical"});
  }
  expectAgreement("score(s) = softcap(s, 7.0)", {.scale = "-0.3"});
}

TEST(RulesOnSimt, IntegersFloorAndDivideByNothing) {
  expectAgreement(
      "score(s, q, k) = s + 0.1 * ((k - q) / 7) + 0.1 * ((k - q) % -7) + 0.1 * (40 / (k - "
      "q)) + 0.1 * (40 % (k - q))");
}

TEST(RulesOnSimt, RandomRules) {
  std::mt19937_64 random(31);
  for (int i = 0; i < 8; ++i) {
    const bool isPhysical = i % 4 == 3;
    const std::string lines = test::randomRuleLines(random, !isPhysical);
    expectAgreement(lines,
                    {.iterate = isPhysical   ? "topk 40 physical"
                                : i % 4 == 2 ? "topk 40 logical"
                                             : "dense"});
  }
}

} // namespace
} // namespace mlac
