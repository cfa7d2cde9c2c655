// Kernels that take tokens of a request together: each token has what it would have on its own,
// however tokens are dealt to requests.
#include "compiler/Compiler.h"
#include "runtime/FamilyImpl.h"
#include "tools/gpu/DeviceProblem.h"
#include "tools/simt/RunOnSimt.h"
#include "verify/KeySlots.h"
#include "verify/Reference.h"
#include "verify/Tolerance.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <span>

namespace mlac {

/// For GoogleTest's messages.
static void PrintTo(const Variant& variant, std::ostream* out) {
  *out << variant.name;
}

namespace {

using verify::Input;

constexpr std::uint64_t kSeeds = 2; // random orders beside the fixed one

/// Two tiles of 8 heads, the last with three.
Variant denseVariant() {
  Variant variant;
  variant.name = "dense";
  variant.heads = 11;
  variant.latent = 64;
  variant.rope = 32;
  variant.page = 16;
  variant.scale = 0.7F;
  variant.lse = LseMode::Natural;
  variant.maxLogit = true;
  variant.maxQueries = 0;
  variant.causal = true;
  return variant;
}

/// Groups of three, and windows of which those that `keyEnd` moves apart leave gaps.
Variant windowVariant() {
  Variant variant = denseVariant();
  variant.name = "window";
  variant.heads = 8;
  variant.causal = false;
  variant.maxQueries = 3;
  variant.iterate = IterateKind::Window;
  variant.window = 20;
  variant.query = ElementType::F16;
  variant.cache = ElementType::F16;
  return variant;
}

verify::ProblemOptions optionsOf(const Variant& variant, int tokens) {
  verify::ProblemOptions options = verify::stressOptions(variant, tokens, 150, 3);
  options.explicitKeyEnd = options.emptyRows = false;
  return options;
}

class Groups : public testing::TestWithParam<Variant> {
protected:
  void SetUp() override {
    CompileRequest request;
    request.variant = GetParam();
    request.target = *findTarget("sm_90");
    auto compiled = compileFamily(request);
    ASSERT_TRUE(compiled) << compiled.error().message;
    auto opened = openSimt(compiled->family);
    ASSERT_TRUE(opened) << opened.error().message;
    session.emplace(std::move(*opened));
  }

  std::vector<int> groupedKernels() const {
    std::vector<int> kernels;
    const std::vector<Kernel>& all = kernelFamilyOf(session->family).kernels;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all[i].queryGroup > 1)
        kernels.push_back(static_cast<int>(i));
    return kernels;
  }

  verify::Problem draw(const verify::ProblemOptions& options) const {
    const auto drawn = verify::makeProblem(GetParam(), options);
    EXPECT_TRUE(drawn) << drawn.error().message;
    return *drawn;
  }

  void expectRight(const verify::Problem& problem, const GpuRunOptions& options) {
    const auto run = runOnGpu(session->device, session->family, problem, options);
    ASSERT_TRUE(run) << run.error().message;
    const verify::Report report =
        verify::checkOutputs(problem,
                             run->outputs,
                             verify::referenceAttention(problem),
                             verify::tolerancesOf(verify::operationOf(problem)));
    EXPECT_TRUE(report.passed()) << verify::describe(report);
  }

  /// Each grouped kernel, whole and split, in the fixed order and in random ones.
  void expectRightWhicheverKernelRuns(const verify::Problem& problem) {
    ASSERT_FALSE(groupedKernels().empty());
    for (const int kernel : groupedKernels())
      for (const int splits : {1, 3})
        for (std::uint64_t seed = 0; seed <= kSeeds; ++seed) {
          SCOPED_TRACE(fmt::format("kernel {}, {} splits, seed {}", kernel, splits, seed));
          session->machine->setSeed(seed);
          expectRight(problem, {.kernel = kernel, .splits = splits});
        }
  }

  std::optional<SimtSession> session;
};

void setInts(verify::Problem& problem, Input id, std::span<const std::int32_t> values) {
  const auto bytes = std::as_bytes(values);
  problem.inputs[static_cast<std::size_t>(id)].assign(bytes.begin(), bytes.end());
}

TEST_P(Groups, RequestsOfAsManyTokensAgreeWithTheReference) {
  verify::ProblemOptions options = optionsOf(GetParam(), 6);
  options.requestTables = verify::RequestTables::Uniform;
  options.requests = 2;
  expectRightWhicheverKernelRuns(draw(options));
}

TEST_P(Groups, RequestsOfDifferentTokensAgreeWithTheReference) {
  verify::ProblemOptions options = optionsOf(GetParam(), 11);
  options.requests = 5;
  expectRightWhicheverKernelRuns(draw(options));
}

// As a step that was captured for more tokens than it has: rows nobody owns are written all the
// same.
TEST_P(Groups, TokensBeforeAndAfterAllRequestsAndRequestsWithoutTokensAreEmptyRows) {
  verify::ProblemOptions options = optionsOf(GetParam(), 9);
  options.requests = 4;
  verify::Problem problem = draw(options);
  setInts(problem, Input::QueryStart, std::vector<std::int32_t>{2, 4, 4, 7, 7});
  expectRightWhicheverKernelRuns(problem);
}

TEST_P(Groups, TokensThatNameTheirRequestsAreTakenOneByOne) {
  verify::ProblemOptions options = optionsOf(GetParam(), 7);
  options.requestTables = verify::RequestTables::TokenRequest;
  options.requests = 3;
  options.explicitKeyEnd = true;
  expectRightWhicheverKernelRuns(draw(options));
}

// Keys between the windows hold NaN, as all do that no token walks.
TEST_P(Groups, SightsThatKeyEndMovesApartAgreeWithTheReference) {
  verify::ProblemOptions options = optionsOf(GetParam(), 9);
  options.requests = 4;
  options.explicitKeyEnd = options.emptyRows = true;
  expectRightWhicheverKernelRuns(draw(options));
}

/// Makes the latent part of the key at `position` of the only request NaN.
void spoilKey(verify::Problem& problem, std::int64_t position) {
  const auto block = problem.ints(Input::BlockTable)[position / problem.variant.page];
  const std::int64_t slot =
      std::int64_t{block} * problem.variant.page + position % problem.variant.page;
  const std::int64_t held = slot - problem.cache.firstPage * problem.variant.page;
  const std::int64_t row = problem.cache.rowOfSlot[static_cast<std::size_t>(held)];
  const auto first = problem.cache.rows.begin() + row * problem.cache.rowBytes;
  std::fill(first, first + std::ptrdiff_t{2} * problem.variant.latent, std::byte{0xff}); // all NaN
}

TEST_P(Groups, ANaNThatOnlyTheLastTokenSeesReachesNoOther) {
  const auto grouped = static_cast<std::size_t>(groupedKernels().front());
  const int last = kernelFamilyOf(session->family).kernels[grouped].queryGroup - 1;
  verify::ProblemOptions options;
  options.tokens = last + 1; // one group
  options.requests = 1;
  options.context = 37;
  options.scaleOnDevice = false;
  const verify::Problem clean = draw(options);
  verify::Problem spoiled = clean;
  spoilKey(spoiled, options.context - 1);
  ASSERT_EQ(clean.out.type, ElementType::BF16);
  const auto bits = [&](const verify::Outputs& outputs, int token, int head, int dim) {
    std::uint16_t value = 0;
    std::memcpy(&value, outputs.out.data() + clean.out.byteAt(token, head, dim), sizeof(value));
    return value;
  };
  for (const int kernel : groupedKernels()) {
    SCOPED_TRACE(fmt::format("kernel {}", kernel));
    const GpuRunOptions launch{.kernel = kernel, .splits = 1};
    const auto want = runOnGpu(session->device, session->family, clean, launch);
    const auto got = runOnGpu(session->device, session->family, spoiled, launch);
    ASSERT_TRUE(want && got);
    for (int head = 0; head < clean.variant.heads; ++head)
      for (int dim = 0; dim < clean.variant.latent; ++dim) {
        for (int token = 0; token < last; ++token)
          ASSERT_EQ(bits(got->outputs, token, head, dim), bits(want->outputs, token, head, dim));
        constexpr int kExponent = 0x7f80;
        ASSERT_GT(bits(got->outputs, last, head, dim) & 0x7fff, kExponent) << "not NaN";
      }
  }
}

TEST_P(Groups, EachGroupIsOneUnitOfTheGridWhereRequestsHaveAsManyTokens) {
  const KernelFamily& family = kernelFamilyOf(session->family);
  for (const int kernel : groupedKernels()) {
    const Kernel& grouped = family.kernels[static_cast<std::size_t>(kernel)];
    const auto plan = session->family.plan({.tokens = 6 * std::int64_t{grouped.queryGroup},
                                            .requests = 6,
                                            .maxSeqLen = 150,
                                            .splits = 1,
                                            .kernel = kernel});
    ASSERT_TRUE(plan) << plan.error().message;
    EXPECT_EQ(plan->gridCtas, 6 * std::int64_t{grouped.ctasPerToken});
  }
}

INSTANTIATE_TEST_SUITE_P(All,
                         Groups,
                         testing::Values(denseVariant(), windowVariant()),
                         [](const auto& info) { return info.param.name; });

} // namespace
} // namespace mlac
