// The merge kernel on drawn partial results: every layout and convention agrees with float64, and
// nothing forbidden is done on the way, in any order.
#include "compiler/Compiler.h"
#include "runtime/Family.h"
#include "tools/gpu/MergeOnGpu.h"
#include "tools/simt/RunOnSimt.h"
#include "verify/HalfTypes.h"
#include "verify/MergeProblem.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

namespace mlac {

/// For GoogleTest's messages.
static void PrintTo(const Variant& variant, std::ostream* out) {
  *out << variant.name;
}

namespace {

using verify::MergeOptions;
using verify::MergeProblem;

constexpr int kSeeds = 3; // random orders beside the fixed one
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// A warp a row, four rows a CTA, the last with three of eleven.
Variant bf16Variant() {
  Variant variant;
  variant.name = "bf16";
  variant.heads = 11;
  variant.latent = 64;
  variant.page = 16;
  variant.iterate = IterateKind::TopkPhysical;
  variant.topk = 16;
  variant.scale = 1;
  variant.lse = LseMode::Natural;
  variant.maxLogit = true;
  return variant;
}

/// Two warps a row, the second with two chunks of its 32; LSEs to base 2, +inf in empty rows.
Variant f16Variant() {
  Variant variant = bf16Variant();
  variant.name = "f16";
  variant.heads = 5;
  variant.latent = 272;
  variant.cache = ElementType::F16;
  variant.query = variant.output = ElementType::F16;
  variant.lse = LseMode::Base2;
  variant.emptyLsePositive = true;
  return variant;
}

/// Four warps a row, which takes them two rounds; one head.
Variant f32Variant() {
  Variant variant = bf16Variant();
  variant.name = "f32";
  variant.heads = 1;
  variant.latent = 1040;
  variant.output = ElementType::F32;
  variant.maxLogit = false;
  return variant;
}

class Merges : public testing::TestWithParam<Variant> {
protected:
  void SetUp() override {
    auto compiled = compileFamily({GetParam(), *findTarget("sm_90"), {}});
    ASSERT_TRUE(compiled) << compiled.error().message;
    auto opened = openSimt(compiled->family);
    ASSERT_TRUE(opened) << opened.error().message;
    session.emplace(std::move(*opened));
  }

  verify::Outputs merged(const MergeProblem& problem) {
    auto outputs = mergeOnGpu(session->device, session->family, problem);
    std::string findings;
    for (const simt::Finding& finding : session->machine->takeFindings())
      findings += simt::describe(finding);
    EXPECT_EQ(findings, "");
    EXPECT_TRUE(outputs) << outputs.error().message;
    return outputs ? std::move(*outputs) : verify::freshOutputs(problem.results);
  }

  static void expectRight(const MergeProblem& problem, const verify::Outputs& outputs) {
    const verify::Report report = verify::checkOutputs(problem.results,
                                                       outputs,
                                                       verify::referenceMerge(problem),
                                                       verify::mergeTolerances(GetParam()));
    EXPECT_TRUE(report.passed()) << verify::describe(report);
  }

  /// In the fixed order and in random ones, which all give the same bits.
  void expectRight(const MergeOptions& options) {
    SCOPED_TRACE(verify::describe(options));
    const MergeProblem problem = verify::makeMergeProblem(GetParam(), options);
    std::optional<verify::Outputs> first;
    for (std::uint64_t seed = 0; seed <= kSeeds; ++seed) {
      session->machine->setSeed(seed);
      const verify::Outputs outputs = merged(problem);
      expectRight(problem, outputs);
      if (!first)
        first = outputs;
      EXPECT_EQ(outputs.out, first->out) << "seed " << seed;
      EXPECT_EQ(outputs.lse, first->lse) << "seed " << seed;
      EXPECT_EQ(outputs.maxLogit, first->maxLogit) << "seed " << seed;
    }
  }

  std::optional<SimtSession> session;
};

TEST_P(Merges, AnyNumberOfPartsAgreesWithTheReference) {
  for (const int parts : {1, 2, 3, 8, 9, 32, 33, 70})
    expectRight({.tokens = 2, .parts = parts, .emptyParts = parts > 2});
}

TEST_P(Merges, EveryLayoutAgreesWithTheReference) {
  expectRight({.parts = 4, .padStrides = true});
  expectRight({.parts = 4, .emptyParts = true, .interleaved = true});
  expectRight({.parts = 4, .padStrides = true, .interleaved = true});
}

TEST_P(Merges, PartsInF32AgreeWithTheReference) {
  expectRight({.parts = 9, .f32Parts = true, .emptyParts = true, .padStrides = true});
}

TEST_P(Merges, ResultsMayTakeThePlaceOfPartZero) {
  expectRight({.parts = 5, .emptyParts = true, .inPlace = true});
  expectRight({.parts = 5, .padStrides = true, .inPlace = true});
  expectRight({.parts = 5, .padStrides = true, .interleaved = true, .inPlace = true});
}

TEST_P(Merges, SinksJoinTheDenominatorOnce) {
  expectRight({.parts = 2, .sinks = true});
  expectRight({.parts = 6, .emptyParts = true, .sinks = true, .inPlace = true});
}

TEST_P(Merges, ASinkChangesNoLse) {
  MergeOptions options{.parts = 3, .emptyParts = true};
  const verify::Outputs without = merged(verify::makeMergeProblem(GetParam(), options));
  options.sinks = true;
  const verify::Outputs with = merged(verify::makeMergeProblem(GetParam(), options));
  EXPECT_EQ(with.lse, without.lse);
  EXPECT_NE(with.out, without.out);
}

TEST_P(Merges, OnePartKeepsItsBits) {
  const MergeProblem problem = verify::makeMergeProblem(GetParam(), {.parts = 1});
  const verify::Outputs outputs = merged(problem);
  const auto& results = problem.results;
  for (int head = 0; head < GetParam().heads; ++head) {
    EXPECT_EQ(std::memcmp(&outputs.out[results.out.byteAt(1, head, 0)],
                          &problem.out.bytes[problem.out.byteAt(0, 1, head, 0)],
                          problem.out.dims * elementBytes(problem.out.type)),
              0);
    EXPECT_EQ(std::memcmp(&outputs.lse[results.lse.byteAt(1, head, 0)],
                          &problem.lse.bytes[problem.lse.byteAt(0, 1, head, 0)],
                          sizeof(float)),
              0);
  }
}

/// Two parts of one token, with those LSEs; elements of the first are 1, of the second 2.
MergeProblem twoParts(const Variant& variant, float lse0, float lse1) {
  MergeProblem problem = verify::makeMergeProblem(variant, {.tokens = 1, .parts = 2});
  for (int part = 0; part < 2; ++part)
    for (int head = 0; head < variant.heads; ++head) {
      const float lse = part == 0 ? lse0 : lse1;
      verify::storeElement(
          ElementType::F32, lse, &problem.lse.bytes[problem.lse.byteAt(part, 0, head, 0)]);
      for (int dim = 0; dim < problem.out.dims; ++dim)
        verify::storeElement(problem.out.type,
                             static_cast<float>(part + 1),
                             &problem.out.bytes[problem.out.byteAt(part, 0, head, dim)]);
    }
  return problem;
}

float outOf(const MergeProblem& problem, const verify::Outputs& outputs) {
  const verify::OutputView& view = problem.results.out;
  return verify::loadElement(view.type,
                             &outputs.out[view.byteAt(0, problem.results.variant.heads - 1, 7)]);
}

float lseOf(const MergeProblem& problem, const verify::Outputs& outputs) {
  const int head = problem.results.variant.heads - 1;
  return verify::loadElement(ElementType::F32,
                             &outputs.lse[problem.results.lse.byteAt(0, head, 0)]);
}

TEST_P(Merges, TwoPartsByHand) {
  const bool isBase2 = GetParam().lse == LseMode::Base2;
  const float three = isBase2 ? std::log2(3.0F) : std::log(3.0F);
  const MergeProblem problem = twoParts(GetParam(), 0, three);
  const verify::Outputs outputs = merged(problem);
  EXPECT_NEAR(outOf(problem, outputs), 1.75F, 1e-6); // (1 * 1 + 3 * 2) / 4, exact in all types
  EXPECT_NEAR(lseOf(problem, outputs), isBase2 ? 2.0F : std::log(4.0F), 1e-6);
}

TEST_P(Merges, EitherInfinityIsAnEmptyPart) {
  for (const float empty : {kInfinity, -kInfinity}) {
    const MergeProblem problem = twoParts(GetParam(), empty, 2.5F);
    const verify::Outputs outputs = merged(problem);
    EXPECT_EQ(outOf(problem, outputs), 2);
    EXPECT_EQ(lseOf(problem, outputs), 2.5F);
  }
}

TEST_P(Merges, EmptyPartsOnlyAreAnEmptyRowWhateverTheSink) {
  for (const float sink : {-kInfinity, 0.0F, kInfinity}) {
    MergeProblem problem = twoParts(GetParam(), kInfinity, -kInfinity);
    problem.sinks.assign(static_cast<std::size_t>(GetParam().heads), sink);
    const verify::Outputs outputs = merged(problem);
    EXPECT_EQ(outOf(problem, outputs), 0) << sink;
    EXPECT_EQ(lseOf(problem, outputs), GetParam().emptyLsePositive ? kInfinity : -kInfinity);
  }
}

TEST_P(Merges, AnLseThatIsNanShows) {
  const MergeProblem problem = twoParts(GetParam(), kNan, 0);
  const verify::Outputs outputs = merged(problem);
  EXPECT_TRUE(std::isnan(outOf(problem, outputs)));
  EXPECT_TRUE(std::isnan(lseOf(problem, outputs)));
}

TEST_P(Merges, PartsFarBelowTheLargestAddNothing) {
  const MergeProblem problem = twoParts(GetParam(), -1e30F, 1e30F);
  const verify::Outputs outputs = merged(problem);
  EXPECT_EQ(outOf(problem, outputs), 2);
  EXPECT_EQ(lseOf(problem, outputs), 1e30F);
}

TEST_P(Merges, TheToolsOwnMergesAreRight) {
  const auto check = checkDrawnMerges(session->device, session->family);
  ASSERT_TRUE(check) << check.error().message;
  EXPECT_EQ(check->merges, 4);
  EXPECT_EQ(check->firstWrong, "");
}

INSTANTIATE_TEST_SUITE_P(All,
                         Merges,
                         testing::Values(bf16Variant(), f16Variant(), f32Variant()),
                         [](const auto& info) { return info.param.name; });

} // namespace
} // namespace mlac
