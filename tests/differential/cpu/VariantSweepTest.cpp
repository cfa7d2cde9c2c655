// The CPU kernel of many variants against the float64 reference, on problems with every difficulty
// they permit.
#include "tools/cpu/CpuRun.h"
#include "verify/Reference.h"
#include "verify/Tolerance.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace mlac {
namespace {

struct SweepCase {
  Variant variant;
  int tokens = 6;
  int context = 150;
};

void PrintTo(const SweepCase& sweep, std::ostream* out) {
  *out << sweep.variant.name;
}

Variant dense(const char* name) {
  Variant variant;
  variant.name = name;
  variant.heads = 8;
  variant.latent = 128;
  variant.rope = 64;
  variant.page = 64;
  variant.scale = 0.0721688F;
  variant.lse = LseMode::Natural;
  return variant;
}

Variant window(const char* name, int keys) {
  Variant variant = dense(name);
  variant.iterate = IterateKind::Window;
  variant.window = keys;
  return variant;
}

Variant logical(const char* name, int topk) {
  Variant variant = dense(name);
  variant.iterate = IterateKind::TopkLogical;
  variant.topk = topk;
  return variant;
}

Variant physical(const char* name, int topk) {
  Variant variant = dense(name);
  variant.iterate = IterateKind::TopkPhysical;
  variant.topk = topk;
  return variant;
}

template <typename Change>
Variant with(Variant variant, Change change) {
  change(variant);
  return variant;
}

void queries(Variant& variant, int least, int most, bool causal) {
  variant.minQueries = least;
  variant.maxQueries = most;
  variant.causal = causal;
}

void allF16(Variant& variant) {
  variant.cache = variant.query = variant.output = ElementType::F16;
}

void emptyPositive(Variant& variant) {
  variant.lse = LseMode::Base2;
  variant.emptyLsePositive = variant.maxLogit = true;
}

std::vector<SweepCase> iterations() {
  return {
      {dense("dense_plain")},
      {with(dense("dense_causal_4"), [](Variant& v) { queries(v, 4, 4, true); }), 16},
      {with(dense("dense_any_causal"), [](Variant& v) { queries(v, 1, 0, true); }), 40, 90},
      {with(dense("dense_any_bidirectional"), [](Variant& v) { queries(v, 1, 0, false); }), 20},
      {window("window_1", 1)},
      {window("window_48", 48)},
      {with(window("window_any", 33), [](Variant& v) { queries(v, 1, 0, false); }), 30},
      {window("window_wider_than_context", 4096)},
      {logical("logical_1", 1)},
      {logical("logical_64", 64)},
      {with(logical("logical_192_causal", 192), [](Variant& v) { queries(v, 1, 4, true); }),
       12,
       300},
      {with(logical("logical_any", 70), [](Variant& v) { queries(v, 1, 0, true); }), 50, 200},
      {logical("logical_2176", 2176), 3, 3000},
      {physical("physical_64", 64)},
      {with(physical("physical_any", 50), [](Variant& v) { queries(v, 1, 0, false); }), 40},
      {physical("physical_2048", 2048), 3, 2500},
  };
}

std::vector<SweepCase> shapes() {
  return {
      {with(dense("heads_1"), [](Variant& v) { v.heads = 1; })},
      {with(logical("heads_5", 64), [](Variant& v) { v.heads = 5; })},
      {with(physical("heads_128", 64), [](Variant& v) { v.heads = 128; })},
      {with(logical("glm_512_64", 256), [](Variant& v) { v.latent = 512; }), 4, 500},
      {with(dense("rope_0"), [](Variant& v) { v.rope = 0; })},
      {with(physical("rope_0_value_record", 64),
            [](Variant& v) {
              v.rope = 0;
              v.valueIsRecord = true;
            })},
      {with(logical("value_record_448_64", 128),
            [](Variant& v) {
              v.latent = 448;
              v.valueIsRecord = true;
            })},
      {with(dense("latent_16_rope_16"), [](Variant& v) { v.latent = v.rope = 16; })},
      {with(dense("page_1"), [](Variant& v) { v.page = 1; })},
      {with(logical("page_1_logical", 64), [](Variant& v) { v.page = 1; })},
      {with(physical("page_1_physical", 64), [](Variant& v) { v.page = 1; })},
      {with(logical("page_2304", 64), [](Variant& v) { v.page = 2304; }), 4, 5000},
      {with(dense("page_48"), [](Variant& v) { v.page = 48; })},
  };
}

std::vector<SweepCase> elements() {
  return {
      {with(dense("f16_dense"), allF16)},
      {with(logical("f16_query_bf16_cache", 64), [](Variant& v) { v.query = ElementType::F16; })},
      {with(physical("f16_cache_f32_out", 64),
            [](Variant& v) {
              v.cache = ElementType::F16;
              v.output = ElementType::F32;
            })},
      {with(dense("lse_none"), [](Variant& v) { v.lse = LseMode::None; })},
      {with(logical("lse_base2_max_logit", 64),
            [](Variant& v) {
              v.lse = LseMode::Base2;
              v.maxLogit = true;
            })},
      {with(dense("empty_positive_dense"), emptyPositive)},
      {with(physical("empty_positive_physical", 64), emptyPositive)},
      {with(dense("scale_runtime"), [](Variant& v) { v.scale.reset(); })},
      {with(logical("scale_negative", 64), [](Variant& v) { v.scale = -0.25F; })},
  };
}

std::string nameOf(const testing::TestParamInfo<SweepCase>& info) {
  return info.param.variant.name;
}

class VariantSweep : public testing::TestWithParam<SweepCase> {};

void expectWithinTolerance(const CpuKernel& kernel, const verify::ProblemOptions& options) {
  auto problem = verify::makeProblem(kernel.variant(), options);
  ASSERT_TRUE(problem) << problem.error().message;
  auto outputs = runOnCpu(kernel, *problem, 2);
  ASSERT_TRUE(outputs) << outputs.error().message;
  const verify::Report report =
      verify::checkOutputs(*problem,
                           *outputs,
                           verify::referenceAttention(*problem),
                           verify::tolerancesOf(verify::operationOf(*problem)));
  EXPECT_TRUE(report.passed()) << verify::describe(report);
}

TEST_P(VariantSweep, AgreesWithTheReference) {
  const auto& [variant, tokens, context] = GetParam();
  auto kernel = compileForCpu(variant);
  ASSERT_TRUE(kernel) << kernel.error().message;
  {
    SCOPED_TRACE("plain problem");
    verify::ProblemOptions plain;
    plain.tokens = tokens;
    plain.context = context;
    expectWithinTolerance(*kernel, plain);
  }
  {
    SCOPED_TRACE("every difficulty at once");
    expectWithinTolerance(*kernel, verify::stressOptions(variant, tokens, context, 7));
  }
  {
    SCOPED_TRACE("every difficulty, request table by queryStart, default keyEnd");
    verify::ProblemOptions options = verify::stressOptions(variant, tokens, context, 8);
    options.requestTables = verify::RequestTables::QueryStart;
    options.explicitKeyEnd = options.badRequests = false;
    expectWithinTolerance(*kernel, options);
  }
}

INSTANTIATE_TEST_SUITE_P(Iterations, VariantSweep, testing::ValuesIn(iterations()), nameOf);
INSTANTIATE_TEST_SUITE_P(Shapes, VariantSweep, testing::ValuesIn(shapes()), nameOf);
INSTANTIATE_TEST_SUITE_P(Elements, VariantSweep, testing::ValuesIn(elements()), nameOf);

TEST(FarSlots, PastTwoToTheThirtyOneElementsAreReached) {
  for (const Variant& variant : {dense("far_dense"), physical("far_physical", 64)}) {
    SCOPED_TRACE(variant.name);
    auto kernel = compileForCpu(variant);
    ASSERT_TRUE(kernel) << kernel.error().message;
    verify::ProblemOptions options;
    options.pageBias = (std::int64_t{1} << 31) / (variant.page * variant.qkDims()) + 1;
    expectWithinTolerance(*kernel, options);
  }
}

TEST(LargeNumbers, QueriesOfAMillionStayFiniteAndRight) {
  auto kernel = compileForCpu(with(dense("large"), [](Variant& v) { v.scale.reset(); }));
  ASSERT_TRUE(kernel) << kernel.error().message;
  for (const float scale : {1e-6F, 1e4F}) {
    SCOPED_TRACE(scale);
    verify::ProblemOptions options;
    options.queryFactor = 1e6F;
    options.scale = scale;
    expectWithinTolerance(*kernel, options);
  }
}

} // namespace
} // namespace mlac
