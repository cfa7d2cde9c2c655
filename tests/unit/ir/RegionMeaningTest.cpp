// The regions of an imported attention mean what docs/language.md says.
#include "EvaluateRegion.h"
#include "Variants.h"
#include "compiler/ir/ImportSpec.h"
#include "compiler/ir/MlaOps.h"

#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

#include <limits>

namespace mlac {
namespace {

using Integers = std::vector<std::int64_t>;

class RegionMeaning : public testing::Test {
protected:
  mla::AttentionOp import(const Variant& variant) {
    module = mla::importVariants(context, variant);
    return *module->getOps<mla::AttentionOp>().begin();
  }

  /// (begin, end) for a query at 9 of 20 keys; a negative keyEnd is none.
  Integers interval(const Variant& variant, std::int64_t keyEnd = -1) {
    return evaluate(import(variant).getInterval(), {9, 20, keyEnd, keyEnd >= 0});
  }

  /// (k, slot, valid) of an entry, with keys 5..99 visible and block 7 for page 1 alone.
  Integers slot(const Variant& variant, std::int64_t entry, std::int64_t slots = 1 << 20) {
    auto table = [](std::int64_t page) { return page == 1 ? 7 : -1; };
    return evaluate(import(variant).getSlots(), {entry, 5, 100, slots, 0}, table);
  }

private:
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

TEST_F(RegionMeaning, DenseSeesEveryKey) {
  EXPECT_EQ(interval(denseVariant()), (Integers{0, 20}));
}

TEST_F(RegionMeaning, CausalEndsAtTheQuery) {
  Variant variant = sparseVariant();
  variant.causal = true;
  EXPECT_EQ(interval(variant), (Integers{0, 10}));
}

TEST_F(RegionMeaning, WindowEndsAtTheQueryAndNeverStartsBelowZero) {
  Variant variant = denseVariant();
  variant.iterate = IterateKind::Window;
  variant.window = 4;
  EXPECT_EQ(interval(variant), (Integers{6, 10}));
  variant.window = 4096;
  EXPECT_EQ(interval(variant), (Integers{0, 10}));
}

TEST_F(RegionMeaning, KeyEndReplacesTheDefaultAndMovesTheWindow) {
  Variant variant = denseVariant();
  EXPECT_EQ(interval(variant, 7), (Integers{0, 7}));
  EXPECT_EQ(interval(variant, 0), (Integers{0, 0}));
  variant.iterate = IterateKind::Window;
  variant.window = 4;
  EXPECT_EQ(interval(variant, 7), (Integers{3, 7}));
}

/// `k >= q + distance` or, for `isEnd`, `k < q + distance`.
Rule boundRule(bool isEnd, std::int32_t distance) {
  return {
      {.op = ExprOp::Key, .type = ExprType::I32},
      {.op = ExprOp::Query, .type = ExprType::I32},
      {.op = ExprOp::Constant, .type = ExprType::I32, .integer = distance},
      {.op = ExprOp::Add, .type = ExprType::I32, .operands = {1, 2, -1, -1}},
      {.op = isEnd ? ExprOp::Lt : ExprOp::Ge, .type = ExprType::Bool, .operands = {0, 3, -1, -1}}};
}

TEST_F(RegionMeaning, MasksOfPositionsTightenTheIntervalAndAreFree) {
  Variant variant = denseVariant();
  variant.mask = boundRule(true, -2);
  EXPECT_EQ(interval(variant), (Integers{0, 7}));
  EXPECT_EQ(interval(variant, 5), (Integers{0, 5}));
  EXPECT_EQ(interval(variant, 18), (Integers{0, 7})) << "keyEnd does not move the query";
  EXPECT_TRUE(import(variant).isTrivialMask());
  variant.mask = boundRule(false, -4);
  EXPECT_EQ(interval(variant), (Integers{5, 20}));
  EXPECT_EQ(interval(variant, 3), (Integers{5, 3}));
  variant.causal = true;
  EXPECT_EQ(interval(variant), (Integers{5, 10}));
}

TEST_F(RegionMeaning, IntervalsOfMasksStopWhereIntegersDo) {
  constexpr std::int32_t kLargest = std::numeric_limits<std::int32_t>::max();
  Variant variant = denseVariant();
  const auto farAway = [&](std::int64_t query, std::int64_t end) {
    return evaluate(import(variant).getInterval(), {query, 20, end, 1});
  };
  variant.mask = boundRule(true, kLargest);
  EXPECT_EQ(farAway(kLargest, kLargest), (Integers{0, kLargest}));
  variant.mask = boundRule(true, -kLargest);
  EXPECT_EQ(farAway(9, kLargest), (Integers{0, 0}));
  variant.mask = boundRule(false, kLargest);
  EXPECT_EQ(farAway(9, std::numeric_limits<std::int32_t>::min()), (Integers{kLargest, 0}));
}

TEST_F(RegionMeaning, LogicalEntryGoesThroughTheTable) {
  EXPECT_EQ(slot(sparseVariant(), 70), (Integers{70, 7 * 64 + 6, 1}));
}

TEST_F(RegionMeaning, LogicalEntryOutsideIntervalTableOrCacheIsInvalid) {
  EXPECT_EQ(slot(sparseVariant(), 99)[2], 1);
  EXPECT_EQ(slot(sparseVariant(), 100)[2], 0);
  EXPECT_EQ(slot(sparseVariant(), 4)[2], 0);
  EXPECT_EQ(slot(sparseVariant(), -1)[2], 0);
  EXPECT_EQ(slot(sparseVariant(), 63)[2], 0) << "page 0 has no block";
  EXPECT_EQ(slot(sparseVariant(), 70, 7 * 64 + 7)[2], 1);
  EXPECT_EQ(slot(sparseVariant(), 70, 7 * 64 + 6)[2], 0);
}

TEST_F(RegionMeaning, AnyPageSizeDivides) {
  Variant variant = sparseVariant();
  variant.page = 37;
  EXPECT_EQ(slot(variant, 40), (Integers{40, 7 * 37 + 3, 1}));
}

TEST_F(RegionMeaning, SlotsPastTwoToThe31AreExact) {
  constexpr std::int64_t kBlock = 40'000'000;
  auto table = [](std::int64_t) { return kBlock; };
  Integers found =
      evaluate(import(sparseVariant()).getSlots(), {70, 0, 100, std::int64_t{1} << 40, 0}, table);
  EXPECT_EQ(found, (Integers{70, kBlock * 64 + 6, 1}));
}

TEST_F(RegionMeaning, PhysicalEntryIsTheSlot) {
  Variant variant = sparseVariant();
  variant.iterate = IterateKind::TopkPhysical;
  EXPECT_EQ(slot(variant, 12345), (Integers{-1, 12345, 1}));
  EXPECT_EQ(slot(variant, -1)[2], 0);
  EXPECT_EQ(slot(variant, 50, 50)[2], 0);
  EXPECT_EQ(slot(variant, 49, 50)[2], 1);
}

TEST_F(RegionMeaning, DefaultMaskAndScoreAreKnownToBeTrivial) {
  mla::AttentionOp op = import(sparseVariant());
  EXPECT_TRUE(op.isTrivialMask());
  EXPECT_TRUE(op.isIdentityScore());
}

} // namespace
} // namespace mlac
