// What CpuKernel promises around the arithmetic: arguments are checked, threads do not change bits.
#include "compiler/cpu/CpuKernel.h"

#include "compiler/ir/ImportSpec.h"
#include "tools/cpu/CpuRun.h"

#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <functional>
#include <limits>
#include <thread>

namespace mlac {
namespace {

Variant sparse() {
  Variant variant;
  variant.name = "sparse";
  variant.heads = 3;
  variant.latent = 32;
  variant.rope = 16;
  variant.page = 16;
  variant.iterate = IterateKind::TopkLogical;
  variant.topk = 40;
  variant.minQueries = 1;
  variant.maxQueries = 2;
  variant.causal = true;
  variant.scale = 0.125F;
  variant.lse = LseMode::Natural;
  variant.maxLogit = true;
  return variant;
}

/// A kernel and a launch of it that is right, for tests to spoil.
class CpuKernelTest : public testing::Test {
protected:
  CpuKernelTest()
      : kernel(compileForCpu(sparse())), problem(verify::makeProblem(sparse(), {.tokens = 8})),
        cache(*problem), outputs(verify::freshOutputs(*problem)),
        args(bindCpuArgs(*problem, cache, outputs)) {}

  void expectRefused(const std::function<void(CpuArgs&)>& spoil, const char* named) {
    CpuArgs spoilt = args;
    spoil(spoilt);
    const Status status = kernel->run(spoilt, 1);
    ASSERT_FALSE(status) << named;
    EXPECT_EQ(status.error().code, ErrorCode::InvalidArgument);
    EXPECT_NE(status.error().message.find(named), std::string::npos) << status.error().message;
    EXPECT_EQ(outputs.out, verify::freshOutputs(*problem).out) << "written before refusal";
  }

  Result<CpuKernel> kernel;
  Result<verify::Problem> problem;
  HostCache cache;
  verify::Outputs outputs;
  CpuArgs args;
};

TEST_F(CpuKernelTest, NullPointersAreRefusedByName) {
  expectRefused([](CpuArgs& a) { a.qLatent = nullptr; }, "`qLatent`");
  expectRefused([](CpuArgs& a) { a.qRope = nullptr; }, "`qRope`");
  expectRefused([](CpuArgs& a) { a.cache = nullptr; }, "`cache`");
  expectRefused([](CpuArgs& a) { a.blockTable = nullptr; }, "`blockTable`");
  expectRefused([](CpuArgs& a) { a.seqLens = nullptr; }, "`seqLens`");
  expectRefused([](CpuArgs& a) { a.indices = nullptr; }, "`indices`");
  expectRefused([](CpuArgs& a) { a.out = nullptr; }, "`out`");
  expectRefused([](CpuArgs& a) { a.lse = nullptr; }, "`lse`");
  expectRefused([](CpuArgs& a) { a.maxLogit = nullptr; }, "`maxLogit`");
}

TEST_F(CpuKernelTest, WrongNumbersAreRefusedByName) {
  expectRefused([](CpuArgs& a) { a.tokens = -1; }, "`tokens`");
  expectRefused([](CpuArgs& a) { a.requests = -1; }, "`requests`");
  expectRefused([](CpuArgs& a) { a.slots = -1; }, "`slots`");
  expectRefused([](CpuArgs& a) { a.maxPages = -1; }, "`maxPages`");
  expectRefused([](CpuArgs& a) { a.tokenStrideBytes = 94; }, "`tokenStrideBytes`");
  expectRefused([](CpuArgs& a) { a.pageStrideBytes += 1; }, "`pageStrideBytes`");
  expectRefused([](CpuArgs& a) { a.outTokenStride = 31; }, "`outTokenStride`");
  expectRefused([](CpuArgs& a) { a.outHeadStride = 31; }, "`outHeadStride`");
  expectRefused([](CpuArgs& a) { a.outTokenStride = 95; }, "overlap");
  expectRefused([](CpuArgs& a) { a.lseHeadStride = 0; }, "`lseHeadStride`");
  expectRefused([](CpuArgs& a) { a.maxLogitTokenStride = 0; }, "`maxLogitTokenStride`");
  expectRefused([](CpuArgs& a) { a.indicesStride = 39; }, "`indicesStride`");
  expectRefused([](CpuArgs& a) { a.blockTableStride = 0; }, "`blockTableStride`");
  expectRefused([](CpuArgs& a) { a.requests = 3; }, "`queryStart`");
  expectRefused([](CpuArgs& a) { a.requests = 0; }, "`queryStart`");
}

TEST_F(CpuKernelTest, MisalignedPointersAreRefusedByName) {
  expectRefused([](CpuArgs& a) { a.out = static_cast<std::byte*>(a.out) + 1; }, "`out`");
  expectRefused([](CpuArgs& a) { a.cache = static_cast<const std::byte*>(a.cache) + 1; },
                "`cache`");
}

TEST_F(CpuKernelTest, TokenRequestNeedsAPositionWhereOneMatters) {
  const std::vector<std::int32_t> requests(problem->tokens, 0);
  expectRefused([&](CpuArgs& a) { a.tokenRequest = requests.data(); }, "`keyEnd`");
}

TEST_F(CpuKernelTest, TokensOfRequestsOutOfRangeAreEmptyRows) {
  // Request 0 stands in the middle, so that its neighbours would have keys to offer.
  const std::vector<std::int32_t> seqLens(3, 16);
  const std::vector<std::int32_t> tables(3, 0);
  constexpr std::int32_t kLargest = std::numeric_limits<std::int32_t>::max();
  const std::vector<std::int32_t> requests = {-1, 1, 0, kLargest, -kLargest - 1, -1, 1, 0};
  const std::vector<std::int32_t> keyEnd(requests.size(), 16);
  args.seqLens = seqLens.data() + 1;
  args.blockTable = tables.data() + 1;
  args.blockTableStride = args.maxPages = args.requests = 1;
  args.tokenRequest = requests.data();
  args.keyEnd = keyEnd.data();
  const std::vector<std::int32_t> indices(args.tokens * args.indicesStride, 0);
  args.indices = indices.data();
  ASSERT_TRUE(kernel->run(args, 1));
  for (int token = 0; token < args.tokens; ++token)
    EXPECT_EQ(std::isinf(args.lse[token * args.lseTokenStride]), requests[token] != 0) << token;
}

TEST_F(CpuKernelTest, ZeroTokensReadAndWriteNothing) {
  const Status status = kernel->run(CpuArgs{}, 1);
  EXPECT_TRUE(status) << status.error().message;
}

TEST_F(CpuKernelTest, ThreadCountDoesNotChangeBits) {
  auto alone = runOnCpu(*kernel, *problem, 1);
  ASSERT_TRUE(alone) << alone.error().message;
  for (const int threads : {0, 2, 5, 64}) {
    auto shared = runOnCpu(*kernel, *problem, threads);
    ASSERT_TRUE(shared) << shared.error().message;
    EXPECT_EQ(alone->out, shared->out) << threads;
    EXPECT_EQ(alone->lse, shared->lse) << threads;
    EXPECT_EQ(alone->maxLogit, shared->maxLogit) << threads;
  }
}

TEST_F(CpuKernelTest, LaunchesAtTheSameTimeDoNotDisturbEachOther) {
  auto alone = runOnCpu(*kernel, *problem, 1);
  ASSERT_TRUE(alone) << alone.error().message;
  std::vector<verify::Outputs> results(4);
  std::vector<std::thread> callers;
  for (verify::Outputs& result : results)
    callers.emplace_back([&] {
      if (auto shared = runOnCpu(*kernel, *problem, 2))
        result = std::move(*shared);
    });
  for (std::thread& caller : callers)
    caller.join();
  for (const verify::Outputs& result : results)
    EXPECT_EQ(result.out, alone->out);
}

TEST(CompileForCpu, ManyThreadsMayCompileAtOnce) {
  std::vector<std::thread> callers;
  std::atomic<int> compiled{0};
  for (int i = 0; i < 3; ++i)
    callers.emplace_back([&] { compiled += static_cast<bool>(compileForCpu(sparse())); });
  for (std::thread& caller : callers)
    caller.join();
  EXPECT_EQ(compiled, 3);
}

TEST(CompileForCpu, NamesLikeCLibraryFunctionsAreHarmless) {
  Variant variant = sparse();
  variant.name = "expf";
  auto kernel = compileForCpu(variant);
  ASSERT_TRUE(kernel) << kernel.error().message;
  auto problem = verify::makeProblem(variant, {.tokens = 2});
  ASSERT_TRUE(problem) << problem.error().message;
  auto outputs = runOnCpu(*kernel, *problem, 1);
  EXPECT_TRUE(outputs) << outputs.error().message;
}

TEST(CompileForCpu, PicksOneAttentionOfAModuleAndLeavesTheModuleAlone) {
  Variant other = sparse();
  other.name = "other";
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  auto module = mla::importVariants(context, {sparse(), other});
  auto kernel = compileForCpu(*module, "other");
  ASSERT_TRUE(kernel) << kernel.error().message;
  EXPECT_EQ(kernel->variant(), other);
  EXPECT_TRUE(compileForCpu(*module, "sparse"));
  EXPECT_EQ(compileForCpu(*module, "absent").error().code, ErrorCode::InvalidInput);
}

} // namespace
} // namespace mlac
