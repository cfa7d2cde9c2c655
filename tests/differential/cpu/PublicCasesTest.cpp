// Public bug reports as tests of the meaning: each names the issue it comes from. The GPU suite
// (tests/gpu) runs the same cases on generated kernels.
#include "compiler/cpu/CpuKernel.h"
#include "tools/cpu/CpuRun.h"
#include "verify/HalfTypes.h"
#include "verify/Reference.h"
#include "verify/Tolerance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace mlac {
namespace {

using verify::ProblemOptions;

/// GLM-5's row of 512 + 64, small enough for a CPU.
Variant decodeVariant(int heads, int topk) {
  Variant variant;
  variant.name = "decode";
  variant.heads = heads;
  variant.latent = 512;
  variant.rope = 64;
  variant.page = 64;
  variant.iterate = IterateKind::TopkLogical;
  variant.topk = topk;
  variant.causal = true;
  variant.maxQueries = 0;
  variant.scale = 0.0625F;
  variant.lse = LseMode::Natural;
  return variant;
}

verify::Problem problemOf(const Variant& variant, const ProblemOptions& options) {
  auto problem = verify::makeProblem(variant, options);
  EXPECT_TRUE(problem) << problem.error().message;
  return std::move(*problem);
}

verify::Outputs run(const verify::Problem& problem) {
  const auto kernel = compileForCpu(problem.variant);
  EXPECT_TRUE(kernel) << kernel.error().message;
  auto outputs = runOnCpu(*kernel, problem, 0);
  EXPECT_TRUE(outputs) << outputs.error().message;
  return std::move(*outputs);
}

void expectReference(const verify::Problem& problem, const verify::Outputs& outputs) {
  const auto reference = verify::referenceAttention(problem);
  const auto report = verify::checkOutputs(
      problem, outputs, reference, verify::tolerancesOf(verify::operationOf(problem)));
  EXPECT_TRUE(report.passed()) << verify::describe(report);
}

void expectReference(const verify::Problem& problem) {
  expectReference(problem, run(problem));
}

// flashinfer#4336, flashinfer#3828, vllm#55563: head counts and top-k widths that others lack or
// silently skip. Outputs start as NaN, so an element that is not written fails.
TEST(PublicCases, EveryHeadCountAndTopkWidthIsComputed) {
  const int heads[] = {5, 8, 10, 12, 16, 20, 32, 64, 128};
  const int widths[] = {1, 64, 128, 192, 256, 512, 1024, 2048, 2051, 2176};
  for (std::size_t i = 0; i < std::size(widths); ++i) {
    const Variant variant = decodeVariant(heads[i % std::size(heads)], widths[i]);
    expectReference(
        problemOf(variant, {.tokens = 2, .context = widths[i] + 70, .scatteredInvalid = true}));
  }
}

// vllm#52512: a short prefill whose rows hold 0..len-1 and then -1 is dense attention.
TEST(PublicCases, IdentityIndicesEqualDenseAttention) {
  for (const int length : {1, 64, 2047, 2048}) {
    const verify::Problem sparse = problemOf(
        decodeVariant(2, 2048), {.tokens = 1, .context = length, .identityIndices = true});
    expectReference(sparse);
    verify::Problem dense = sparse;
    dense.variant.iterate = IterateKind::Dense;
    dense.variant.topk = 0;
    dense.inputs[static_cast<int>(verify::Input::Indices)].clear();
    EXPECT_EQ(run(dense).out, run(sparse).out) << "length " << length;
  }
}

// vllm#52512: an indexer that was skipped leaves its buffer all -1: zeros and the declared LSE,
// never NaN.
TEST(PublicCases, AllInvalidRowsGiveZerosAndTheDeclaredLse) {
  for (const bool positive : {false, true}) {
    Variant variant = decodeVariant(3, 64);
    variant.emptyLsePositive = positive;
    const verify::Problem problem =
        problemOf(variant, {.tokens = 2, .context = 80, .emptyRows = true});
    const verify::Outputs outputs = run(problem);
    expectReference(problem, outputs);
    for (int head = 0; head < variant.heads; ++head) {
      std::uint16_t bits = 0;
      std::memcpy(&bits, outputs.out.data() + problem.out.byteAt(1, head, 17), sizeof bits);
      EXPECT_EQ(verify::bf16ToFloat(bits), 0.0F);
      float lse = 0;
      std::memcpy(&lse, outputs.lse.data() + problem.lse.byteAt(1, head, 0), sizeof lse);
      EXPECT_EQ(lse, positive ? INFINITY : -INFINITY);
    }
  }
}

// vllm#53963: models without rotary part. rope 0 over a row of 512 equals 512 + 64 with a zero
// rotary part.
TEST(PublicCases, RopeZeroEqualsAZeroRotaryPart) {
  Variant without = decodeVariant(4, 128);
  without.rope = 0;
  const verify::Problem plain = problemOf(without, {.tokens = 3, .context = 200});
  expectReference(plain);
  verify::Problem padded = plain;
  padded.variant.rope = 64;
  padded.cache.tokenStrideBytes = padded.variant.recordBytes();
  padded.cache.pageStrideBytes = padded.cache.tokenStrideBytes * padded.variant.page;
  const int from = without.recordBytes();
  const int to = padded.variant.recordBytes();
  const int rows = static_cast<int>(plain.cache.rows.size()) / from;
  padded.cache.rowBytes = to;
  padded.cache.rows.assign(static_cast<std::size_t>(rows) * to, std::byte{0});
  for (int row = 0; row < rows; ++row)
    std::copy_n(plain.cache.rows.begin() + row * from, from, padded.cache.rows.begin() + row * to);
  padded.inputs[static_cast<int>(verify::Input::QueryRope)].assign(3 * 4 * 64 * 2, std::byte{0});
  padded.qRope = {verify::Input::QueryRope, 0, 4 * 64, 64};
  EXPECT_EQ(run(padded).out, run(plain).out);
}

// tokenspeed#501, flashinfer#3136: slots from 3,728,270 on, whose last elements lie past 2^31.
TEST(PublicCases, SlotsPast31BitsOfElementsAreRead) {
  Variant variant = decodeVariant(2, 2);
  variant.page = 1;
  variant.iterate = IterateKind::TopkPhysical;
  variant.causal = false;
  const verify::Problem problem =
      problemOf(variant, {.tokens = 1, .context = 2, .pageBias = 3'728'270});
  for (const std::int64_t slot : problem.ints(verify::Input::Indices)) {
    EXPECT_GE(slot, 3'728'270);
    // The first of them straddles 2^31 elements, the others lie past it.
    EXPECT_GT((slot + 1) * variant.qkDims(), std::numeric_limits<std::int32_t>::max());
  }
  expectReference(problem);
}

// vLLM's sm_12x pull request, review comment: with T = K = 2048 the last rows of the gather were
// wrong. A few heads and dims suffice, as the rows are what is tested.
TEST(PublicCases, TheLastRowsOfASquareGatherAreExact) {
  Variant variant = decodeVariant(1, 2048);
  variant.latent = 32;
  variant.rope = 16;
  expectReference(problemOf(variant, {.tokens = 2048, .requests = 1, .context = 2048}));
}

// flashinfer#3856: a page stride of 65 rows instead of 64 gives what the contiguous cache gives.
TEST(PublicCases, APageStrideOfItsOwnChangesNothing) {
  const verify::Problem contiguous =
      problemOf(decodeVariant(5, 192), {.tokens = 3, .context = 400});
  verify::Problem strided = contiguous;
  strided.cache.pageStrideBytes = (64 + 1) * std::int64_t{contiguous.variant.recordBytes()};
  ASSERT_NE(strided.cache.pageStrideBytes, contiguous.cache.pageStrideBytes);
  const verify::Outputs outputs = run(strided);
  expectReference(strided, outputs);
  EXPECT_EQ(outputs.out, run(contiguous).out);
}

} // namespace
} // namespace mlac
