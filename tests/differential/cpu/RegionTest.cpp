// The regions of mla.attention decide what the CPU kernel computes: tests change them and watch the
// result.
#include "common/Variant.h"
#include "compiler/cpu/CpuKernel.h"
#include "compiler/ir/ImportSpec.h"
#include "compiler/ir/MlaOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

namespace mlac {
namespace {

using mlir::Value;
using mlir::arith::CmpIPredicate;
using RegionEdit = std::function<Value(mlir::ImplicitLocOpBuilder&, mlir::Block&)>;

constexpr int kLatent = 16;
constexpr int kKeys = 4;
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// Two query tokens at positions 2 and 3 of one request that sees 4 keys. Key k's value is k + 1;
/// queries are 0.
class RegionTest : public testing::Test {
protected:
  RegionTest() : context(mlir::MLIRContext::Threading::DISABLED) {
    variant.name = "edited";
    variant.heads = 2;
    variant.latent = kLatent;
    variant.output = ElementType::F32;
    variant.page = 2;
    variant.minQueries = variant.maxQueries = 2;
    variant.scale = 1.0F;
    variant.lse = LseMode::Natural;
    variant.maxLogit = true;
    module = mla::importVariants(context, {variant});
    for (int key = 0; key < kKeys; ++key)
      setKey(key, static_cast<float>(key + 1));
  }

  /// Small integers and NaN are what bf16 keeps of an f32's upper half.
  void setKey(int key, float value) {
    const auto bits = static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16);
    std::fill_n(cache.begin() + key * kLatent, kLatent, bits);
  }

  /// Makes a region yield what `edit` builds in place of its `result`th value.
  void editRegion(mlir::Region& region, int result, const RegionEdit& edit) {
    mlir::Operation* end = region.front().getTerminator();
    mlir::ImplicitLocOpBuilder builder(end->getLoc(), end);
    end->setOperand(result, edit(builder, region.front()));
  }

  mla::AttentionOp attention() { return module->lookupSymbol<mla::AttentionOp>("edited"); }

  void run() {
    auto kernel = compileForCpu(*module, "edited");
    ASSERT_TRUE(kernel) << kernel.error().message;
    const std::vector<std::uint16_t> query(2 * 2 * kLatent);
    CpuArgs args;
    args.qLatent = query.data();
    args.qLatentTokenStride = 2 * kLatent;
    args.qLatentHeadStride = kLatent;
    args.cache = cache.data();
    args.tokenStrideBytes = kLatent * 2;
    args.pageStrideBytes = variant.page * args.tokenStrideBytes;
    args.slots = kKeys;
    args.tokens = 2;
    args.requests = 1;
    args.blockTable = blockTable.data();
    args.maxPages = 2;
    args.seqLens = &seqLen;
    args.out = out;
    args.outTokenStride = 2 * kLatent;
    args.outHeadStride = kLatent;
    args.lse = &lse[0][0];
    args.maxLogit = &maxLogit[0][0];
    args.lseTokenStride = args.maxLogitTokenStride = 2;
    args.lseHeadStride = args.maxLogitHeadStride = 1;
    const Status status = kernel->run(args, 1);
    ASSERT_TRUE(status) << status.error().message;
  }

  void expectRow(int token, int head, const std::vector<double>& logits) {
    double total = 0;
    double sum = 0;
    double largest = -kInfinity;
    for (std::size_t key = 0; key < logits.size(); ++key) {
      total += std::exp(logits[key]);
      sum += std::exp(logits[key]) * static_cast<double>(key + 1);
      largest = std::max(largest, logits[key]);
    }
    const double mean = total == 0 ? 0 : sum / total;
    for (int dim = 0; dim < kLatent; ++dim)
      EXPECT_NEAR(out[token][head][dim], mean, 1e-5) << token << " " << head << " " << dim;
    if (total == 0)
      EXPECT_EQ(lse[token][head], -kInfinity);
    else
      EXPECT_NEAR(lse[token][head], std::log(total), 1e-5);
    if (largest == -kInfinity)
      EXPECT_EQ(maxLogit[token][head], -kInfinity);
    else
      EXPECT_NEAR(maxLogit[token][head], largest, 1e-5);
  }

  Variant variant;
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<std::uint16_t> cache = std::vector<std::uint16_t>(kKeys * kLatent);
  std::vector<std::int32_t> blockTable = {0, 1};
  std::int32_t seqLen = kKeys;
  float out[2][2][kLatent] = {};
  float lse[2][2] = {};
  float maxLogit[2][2] = {};
};

TEST_F(RegionTest, UnchangedRegionsGiveTheMeanOfAllKeys) {
  run();
  for (int token = 0; token < 2; ++token)
    for (int head = 0; head < 2; ++head)
      expectRow(token, head, {0, 0, 0, 0});
}

TEST_F(RegionTest, MaskSeesQueryAndKeyPositions) {
  editRegion(attention().getMask(), 0, [](auto& b, mlir::Block& block) -> Value {
    return mlir::arith::CmpIOp::create(
        b, CmpIPredicate::sle, block.getArgument(2), block.getArgument(1));
  });
  run();
  expectRow(0, 1, {0, 0, 0});
  expectRow(1, 1, {0, 0, 0, 0});
}

TEST_F(RegionTest, MaskSeesHeadAndToken) {
  editRegion(attention().getMask(), 0, [](auto& b, mlir::Block& block) -> Value {
    return mlir::arith::CmpIOp::create(
        b, CmpIPredicate::eq, block.getArgument(0), block.getArgument(3));
  });
  run();
  expectRow(0, 0, {0, 0, 0, 0});
  expectRow(0, 1, {});
  expectRow(1, 0, {});
  expectRow(1, 1, {0, 0, 0, 0});
}

TEST_F(RegionTest, WhatAMaskedRecordHoldsNeverReachesTheOutput) {
  setKey(3, kNaN);
  editRegion(attention().getMask(), 0, [](auto& b, mlir::Block& block) -> Value {
    Value last = mlir::arith::ConstantOp::create(b, b.getI32IntegerAttr(3));
    return mlir::arith::CmpIOp::create(b, CmpIPredicate::ne, block.getArgument(2), last);
  });
  run();
  expectRow(0, 0, {0, 0, 0});
  expectRow(1, 1, {0, 0, 0});
}

TEST_F(RegionTest, ScoreSeesItsScoreAndEveryPosition) {
  // s + k + 2 q + 4 h + 8 t
  editRegion(attention().getScore(), 0, [](auto& b, mlir::Block& block) -> Value {
    Value sum = block.getArgument(0);
    for (const auto& [argument, factor] : {std::pair{3, 1}, {2, 2}, {1, 4}, {4, 8}}) {
      Value weight = mlir::arith::ConstantOp::create(b, b.getF32FloatAttr(factor));
      Value number = mlir::arith::SIToFPOp::create(b, b.getF32Type(), block.getArgument(argument));
      sum = mlir::arith::AddFOp::create(b, sum, mlir::arith::MulFOp::create(b, number, weight));
    }
    return sum;
  });
  run();
  for (int token = 0; token < 2; ++token)
    for (int head = 0; head < 2; ++head) {
      const double base = 2 * (2 + token) + 4 * head + 8 * token;
      expectRow(token, head, {base, base + 1, base + 2, base + 3});
    }
}

TEST_F(RegionTest, IntervalAndSlotMapAreTheRegions) {
  editRegion(attention().getInterval(), 1, [](auto& b, mlir::Block&) -> Value {
    return mlir::arith::ConstantOp::create(b, b.getI32IntegerAttr(2));
  });
  run();
  expectRow(0, 0, {0, 0});
  // Slot 3 for every key: the value is 4 whatever the block table says.
  editRegion(attention().getSlots(), 1, [](auto& b, mlir::Block&) -> Value {
    return mlir::arith::ConstantOp::create(b, b.getI64IntegerAttr(3));
  });
  run();
  EXPECT_FLOAT_EQ(out[0][0][0], 4);
}

} // namespace
} // namespace mlac
