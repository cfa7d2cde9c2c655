#include "verify/KeySlots.h"

#include "TinyProblem.h"

#include <gtest/gtest.h>

#include <limits>

namespace mlac::verify {
namespace {

using Slots = std::vector<std::int64_t>;

/// One request of 5 keys on pages 7, 0, 3 of two tokens each; `queries` tokens of it.
Problem fiveKeys(Variant variant, int queries = 1) {
  variant.maxQueries = 0;
  Problem problem = mustMake(variant, {.tokens = queries, .requests = 1, .context = 5});
  putInts(problem, Input::BlockTable, {7, 0, 3});
  problem.slots = 16;
  return problem;
}

TEST(KeySlots, DenseWalksTheBlockTable) {
  EXPECT_EQ(attendedSlots(fiveKeys(tinyVariant()), 0), (Slots{14, 15, 0, 1, 6}));
}

TEST(KeySlots, CausalTokensSeeOneKeyMoreEach) {
  Variant variant = tinyVariant();
  variant.causal = true;
  const Problem problem = fiveKeys(variant, 3);
  EXPECT_EQ(attendedSlots(problem, 0), (Slots{14, 15, 0}));
  EXPECT_EQ(attendedSlots(problem, 1), (Slots{14, 15, 0, 1}));
  EXPECT_EQ(attendedSlots(problem, 2), (Slots{14, 15, 0, 1, 6}));
}

TEST(KeySlots, AWindowEndsAtTheQuery) {
  Variant variant = tinyVariant();
  variant.iterate = IterateKind::Window;
  variant.window = 2;
  const Problem problem = fiveKeys(variant, 2);
  EXPECT_EQ(attendedSlots(problem, 0), (Slots{0, 1}));
  EXPECT_EQ(attendedSlots(problem, 1), (Slots{1, 6}));
}

TEST(KeySlots, ExplicitKeyEndReplacesTheDefaultAndMovesTheWindow) {
  Variant variant = tinyVariant();
  Problem problem = fiveKeys(variant);
  putInts(problem, Input::KeyEnd, {2});
  EXPECT_EQ(attendedSlots(problem, 0), (Slots{14, 15}));
  problem.variant.iterate = IterateKind::Window;
  problem.variant.window = 1;
  EXPECT_EQ(attendedSlots(problem, 0), (Slots{15}));
}

TEST(KeySlots, QueryStartGivesUnevenRequests) {
  Variant variant = tinyVariant();
  variant.causal = true;
  variant.maxQueries = 0;
  Problem problem = mustMake(variant, {.tokens = 4, .requests = 2, .context = 4});
  putInts(problem, Input::QueryStart, {0, 1, 4});
  putInts(problem, Input::SeqLens, {2, 4});
  EXPECT_EQ(placeOf(problem, 0).end, 2);
  EXPECT_EQ(placeOf(problem, 1).request, 1);
  EXPECT_EQ(placeOf(problem, 1).end, 2);
  EXPECT_EQ(placeOf(problem, 3).end, 4);
}

TEST(KeySlots, MissingPagesAndLengthsPastTheTableHaveNoSlot) {
  Problem problem = fiveKeys(tinyVariant());
  putInts(problem, Input::BlockTable, {7, -1, 8});
  putInts(problem, Input::SeqLens, {100});
  EXPECT_EQ(attendedSlots(problem, 0), (Slots{14, 15})) << "page 8 lies past 16 slots";
}

TEST(KeySlots, ARequestIdOutOfRangeIsEmpty) {
  Problem problem = fiveKeys(tinyVariant());
  for (const std::int32_t id : {-1, 1, std::numeric_limits<std::int32_t>::max()}) {
    putInts(problem, Input::TokenRequest, {id});
    EXPECT_TRUE(attendedSlots(problem, 0).empty()) << id;
  }
  putInts(problem, Input::TokenRequest, {0});
  EXPECT_EQ(attendedSlots(problem, 0).size(), 5U);
}

TEST(KeySlots, LogicalIndicesAreBoundedOnBothSidesAndKeepTheirOrder) {
  Variant variant = tinyVariant();
  variant.iterate = IterateKind::TopkLogical;
  variant.topk = 7;
  Problem problem = fiveKeys(variant);
  const std::int32_t most = std::numeric_limits<std::int32_t>::max();
  putInts(problem, Input::Indices, {4, -1, 0, 5, 0, most, 2});
  EXPECT_EQ(attendedSlots(problem, 0), (Slots{6, 14, 14, 0}));
  putInts(problem, Input::TopkLength, {3});
  EXPECT_EQ(attendedSlots(problem, 0), (Slots{6, 14}));
  putInts(problem, Input::TopkLength, {-5});
  EXPECT_TRUE(attendedSlots(problem, 0).empty());
}

TEST(KeySlots, PhysicalIndicesAreSlots) {
  Variant variant = tinyVariant();
  variant.iterate = IterateKind::TopkPhysical;
  variant.topk = 5;
  Problem problem = mustMake(variant, {.tokens = 1, .context = 5});
  problem.slots = 9;
  putInts(problem, Input::Indices, {8, 9, -1, 0, 8});
  EXPECT_EQ(attendedSlots(problem, 0), (Slots{8, 0, 8}));
}

TEST(KeySlots, ConvertLeavesColumnsInPlaceAndSpreadsInterleavedPages) {
  Variant variant = tinyVariant();
  variant.iterate = IterateKind::TopkLogical;
  variant.topk = 6;
  Problem problem = fiveKeys(variant);
  putInts(problem, Input::Indices, {4, -1, 1, 5, 2, 0});
  putInts(problem, Input::TopkLength, {5});
  EXPECT_EQ(convertedSlots(problem, 0, 2), (Slots{6, -1, 15, -1, 0, -1}));
  EXPECT_EQ(convertedSlots(problem, 0, 10), (Slots{30, -1, 71, -1, 0, -1}));
}

} // namespace
} // namespace mlac::verify
