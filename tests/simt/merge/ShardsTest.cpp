// Public case 6 (vllm#54541, vllm#46514): a problem whose keys are divided among four launches and
// merged by their LSE is the problem that was never divided.
#include "compiler/Compiler.h"
#include "runtime/Family.h"
#include "tools/gpu/DeviceProblem.h"
#include "tools/gpu/MergeOnGpu.h"
#include "tools/simt/RunOnSimt.h"
#include "verify/Reference.h"
#include "verify/Tolerance.h"

#include <gtest/gtest.h>

#include <string>

namespace mlac {
namespace {

Variant variantOf(IterateKind iterate, LseMode base, bool emptyPositive) {
  Variant variant;
  variant.name = "sharded";
  variant.heads = 11;
  variant.latent = 64;
  variant.rope = 32;
  variant.page = 16;
  variant.scale = 0.7F;
  variant.iterate = iterate;
  variant.topk = iterate == IterateKind::Dense ? 0 : 150;
  variant.lse = base;
  variant.emptyLsePositive = emptyPositive;
  variant.maxLogit = emptyPositive;
  return variant;
}

/// Rows that end in one shard or in none, with -1 in their middle.
verify::ProblemOptions difficult(const Variant& variant) {
  verify::ProblemOptions options;
  options.tokens = 5;
  options.context = 200;
  options.raggedLengths = options.emptyRows = options.padStrides = true;
  options.scatteredInvalid = options.duplicates = variant.isTopk();
  return options;
}

void expectShardsEqualTheWhole(const Variant& variant) {
  SCOPED_TRACE(std::string(variant.lse == LseMode::Base2 ? "base 2" : "natural") +
               (variant.emptyLsePositive ? ", +inf" : ", -inf"));
  auto compiled = compileFamily({variant, *findTarget("sm_90"), {}});
  ASSERT_TRUE(compiled) << compiled.error().message;
  const auto session = openSimt(compiled->family);
  ASSERT_TRUE(session) << session.error().message;
  const auto problem = verify::makeProblem(variant, difficult(variant));
  ASSERT_TRUE(problem) << problem.error().message;
  const auto uploaded = DeviceProblem::upload(session->device, *problem);
  ASSERT_TRUE(uploaded) << uploaded.error().message;
  const auto outputs = attendInShards(session->device, session->family, *uploaded, 4);
  ASSERT_TRUE(outputs) << outputs.error().message;
  const verify::Report report =
      verify::checkOutputs(*problem,
                           *outputs,
                           verify::referenceAttention(*problem),
                           verify::tolerancesOf(verify::operationOf(*problem)));
  EXPECT_TRUE(report.passed()) << verify::describe(report);
}

class Shards : public testing::TestWithParam<IterateKind> {};

TEST_P(Shards, FourMergedEqualTheWholeInBothBasesAndBothEmptyConventions) {
  for (const LseMode base : {LseMode::Natural, LseMode::Base2})
    for (const bool emptyPositive : {false, true})
      expectShardsEqualTheWhole(variantOf(GetParam(), base, emptyPositive));
}

INSTANTIATE_TEST_SUITE_P(All,
                         Shards,
                         testing::Values(IterateKind::TopkLogical,
                                         IterateKind::TopkPhysical,
                                         IterateKind::Dense),
                         [](const auto& info) {
                           return info.param == IterateKind::Dense         ? "Dense"
                                  : info.param == IterateKind::TopkLogical ? "Logical"
                                                                           : "Physical";
                         });

} // namespace
} // namespace mlac
