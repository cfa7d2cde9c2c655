// The planner: what it chooses, what it refuses, and that its choices are the table's cheapest.
#include "runtime/plan/Planner.h"

#include "TestFamily.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace mlac::test {
namespace {

constexpr int kSms = 132;

Result<Plan>
planFor(const KernelFamily& family, std::int64_t tokens, std::int64_t maxSeqLen = 131072) {
  return planLaunch(family, kSms, {.tokens = tokens, .requests = tokens, .maxSeqLen = maxSeqLen});
}

Result<Plan> balanced(const KernelFamily& family, std::int64_t tokens, int kernel = -1) {
  return planLaunch(
      family,
      kSms,
      {.tokens = tokens, .requests = 1, .maxSeqLen = 4096, .kernel = kernel, .balance = true});
}

TEST(Planner, ZeroTokensGiveAnEmptyPlan) {
  const KernelFamily family = balancedFamilyOf(logicalVariant());
  for (const auto& plan : {planFor(family, 0), balanced(family, 0)}) {
    ASSERT_TRUE(plan) << plan.error().message;
    EXPECT_EQ(plan->gridCtas, 0);
    EXPECT_EQ(plan->parts, 0);
    EXPECT_EQ(plan->workspaceBytes + plan->scheduleBytes, 0U);
  }
}

TEST(Planner, NoOtherRowOrSplitIsCheaper) {
  const KernelFamily family = balancedFamilyOf(logicalVariant());
  for (const std::int64_t tokens : {1, 2, 7, 64, 133, 1000, 40000}) {
    const auto plan = planFor(family, tokens);
    const auto parts = balanced(family, tokens);
    ASSERT_TRUE(plan && parts);
    const PlanShape shape{.tokens = tokens, .requests = tokens};
    for (const PlanRow& row : family.table) {
      for (int splits = 1; splits <= row.maxSplits; ++splits)
        EXPECT_LE(plan->predictedNs, predictNs(family, row, kSms, shape, splits));
      EXPECT_LE(parts->predictedNs, predictBalancedNs(family, row, kSms, shape, 132));
    }
  }
}

TEST(Planner, PredictionFollowsTheDocumentedFormula) {
  KernelFamily family = familyOf(logicalVariant());
  family.table[0].tileNs = 100;
  // 300 tokens * 2 CTAs * 2 splits = 1200 CTAs on 264 places: 5 waves of ceil(128 / 2) tiles, each
  // bound by 18432 B * 264 / (30 * 132 B/ns), a quarter of its arithmetic exposed.
  const double tileNs = 18432.0 * 264 / (30.0 * 132) + 100 / 4.0;
  const double expected = 5 * (2000 + 64 * tileNs) + 2500 + 2 * 300 * 1.0;
  EXPECT_DOUBLE_EQ(predictNs(family, family.table[0], kSms, {.tokens = 300, .requests = 300}, 2),
                   expected);
}

TEST(Planner, PredictedTimeNeverFallsAsTokensGrow) {
  const KernelFamily family = familyOf(logicalVariant());
  double last = 0;
  for (std::int64_t tokens = 1; tokens < 5000; tokens += 37) {
    const auto plan = planFor(family, tokens);
    ASSERT_TRUE(plan);
    EXPECT_GE(plan->predictedNs, last) << tokens;
    last = plan->predictedNs;
  }
}

TEST(Planner, FewTokensAreSplitAndManyAreNot) {
  const KernelFamily family = familyOf(logicalVariant());
  const auto few = planFor(family, 1);
  const auto many = planFor(family, 4096);
  ASSERT_TRUE(few && many);
  EXPECT_GT(few->splits, 1);
  EXPECT_EQ(many->splits, 1);
  EXPECT_EQ(many->workspaceBytes, 0U);
}

TEST(Planner, SplitsStayBelowTheRowsLimitAndItsTiles) {
  KernelFamily family = familyOf(logicalVariant());
  family.table.resize(1);
  family.table[0].combineFixedNs = 0;
  family.table[0].combineSplitNs = 0;
  const auto limited = planFor(family, 1);
  ASSERT_TRUE(limited);
  EXPECT_LE(limited->splits, family.table[0].maxSplits);
  family.variant.topk = 40; // three tiles of 16
  const auto tiles = planFor(family, 1);
  ASSERT_TRUE(tiles);
  EXPECT_LE(tiles->splits, 3);
}

TEST(Planner, RowLengthComesFromTheIteration) {
  Variant variant = logicalVariant();
  EXPECT_EQ(keysPerRow(variant, 100), 2048);
  variant.iterate = IterateKind::Dense;
  EXPECT_EQ(keysPerRow(variant, 100), 100);
  variant.iterate = IterateKind::Window;
  variant.window = 64;
  EXPECT_EQ(keysPerRow(variant, 100), 64);
  EXPECT_EQ(keysPerRow(variant, 10), 10);
}

TEST(Planner, AnEmptyContextIsPlannedWithoutSplits) {
  Variant variant = logicalVariant();
  variant.iterate = IterateKind::Dense;
  const auto plan = planFor(familyOf(variant), 4, 0);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->splits, 1);
}

TEST(Planner, GridsBeyondTheLimitAreRefusedWithTheNumber) {
  const KernelFamily family = familyOf(logicalVariant());
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  // One CTA a token fits to the last token; two do not.
  const auto most = planFor(family, kMost);
  ASSERT_TRUE(most) << most.error().message;
  EXPECT_EQ(most->kernel, 1);
  EXPECT_EQ(most->splits, 1);
  EXPECT_EQ(most->gridCtas, kMaxGridCtas);
  const auto forced =
      planLaunch(family, kSms, {.tokens = kMost, .requests = 1, .maxSeqLen = 1, .kernel = 0});
  expectError(forced, ErrorCode::InvalidArgument, "2147483647");
}

TEST(Planner, ACombineBeyondTheGridIsNotPlanned) {
  KernelFamily family = familyOf(logicalVariant());
  family.kernels[2].ctasPerToken = 1 << 28; // seven tokens' fit
  const auto plan = [&](std::int64_t tokens, int splits) {
    return planLaunch(
        family, kSms, {.tokens = tokens, .requests = tokens, .maxSeqLen = 4096, .splits = splits});
  };
  EXPECT_TRUE(plan(7, 4));
  EXPECT_TRUE(plan(8, 1));
  expectError(plan(8, 4), ErrorCode::InvalidArgument, "more than 2147483647 thread blocks");
}

TEST(Planner, NegativeAndOversizedCountsAreRefused) {
  const KernelFamily family = familyOf(logicalVariant());
  const auto plan = [&](const PlanShape& shape) { return planLaunch(family, kSms, shape); };
  expectError(plan({.tokens = -1}), ErrorCode::InvalidArgument, "tokens is -1");
  expectError(plan({.tokens = 1, .requests = -2}), ErrorCode::InvalidArgument, "requests is -2");
  expectError(plan({.tokens = 1, .requests = 1, .maxSeqLen = -3}),
              ErrorCode::InvalidArgument,
              "maxSeqLen is -3");
  expectError(plan({.tokens = std::int64_t{1} << 31, .requests = 1}),
              ErrorCode::InvalidArgument,
              "tokens is 2147483648");
  expectError(plan({.tokens = 1}), ErrorCode::InvalidArgument, "requests is 0");
}

TEST(Planner, ForcedKernelAndSplitsAreHonouredOrRefused) {
  const KernelFamily family = familyOf(logicalVariant());
  const auto plan = planLaunch(
      family, kSms, {.tokens = 4096, .requests = 4096, .maxSeqLen = 1, .splits = 5, .kernel = 1});
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(plan->kernel, 1);
  EXPECT_EQ(plan->splits, 5);
  expectError(planLaunch(family, kSms, {.tokens = 1, .requests = 1, .splits = 65}),
              ErrorCode::InvalidArgument,
              "65 splits");
  expectError(planLaunch(family, kSms, {.tokens = 1, .requests = 1, .kernel = 2}),
              ErrorCode::InvalidArgument,
              "kernel 2");
}

TEST(Planner, WorkspaceSectionsAreAlignedAndHoldEveryPartial) {
  Variant variant = logicalVariant();
  variant.maxLogit = true;
  const WorkspaceLayout layout = workspaceLayout(variant, 15);
  const std::size_t rows = std::size_t{3} * 8 * 5;
  EXPECT_EQ(layout.partialOutOffset, 0U);
  EXPECT_GE(layout.partialLseOffset, rows * 512 * 4);
  EXPECT_GE(layout.partialMaxOffset, layout.partialLseOffset + rows * 4);
  EXPECT_GE(layout.bytes, layout.partialMaxOffset + rows * 4);
  for (const std::size_t offset : {layout.partialLseOffset, layout.partialMaxOffset, layout.bytes})
    EXPECT_EQ(offset % 256, 0U);
  EXPECT_EQ(workspaceLayout(variant, 0).bytes, 0U);
}

TEST(Planner, WorkspaceHoldsHeadsInEights) {
  const auto bytesFor = [](int heads) {
    Variant variant = logicalVariant();
    variant.heads = heads;
    return workspaceLayout(variant, 15).bytes;
  };
  EXPECT_EQ(bytesFor(5), bytesFor(8));
  EXPECT_EQ(bytesFor(17), bytesFor(24));
  EXPECT_LT(bytesFor(8), bytesFor(9));
}

// The combining kernel takes its tiles a CTA from the grid (kernels/combine.cuh): the smallest
// power of two, of eight at most, with which all CTAs together have every tile.
TEST(Planner, EveryTileOfACombineIsCoveredAndNoCtaIsIdle) {
  for (std::int64_t tiles = 1; tiles <= 5000; ++tiles) {
    const std::int64_t ctas = combineCtas(tiles);
    std::int64_t each = 1;
    while (each < 8 && ctas * each < tiles)
      each *= 2;
    ASSERT_GE(ctas * each, tiles);
    ASSERT_LT((ctas - 1) * each, tiles) << "the last CTA of " << tiles << " tiles has none";
  }
}

TEST(Planner, FewTilesHaveACombiningCtaEachAndManyFillTheGpu) {
  EXPECT_EQ(combineCtas(1), 1);
  EXPECT_EQ(combineCtas(511), 511);
  EXPECT_EQ(combineCtas(512), 256);
  EXPECT_EQ(combineCtas(1023), 512);
  EXPECT_EQ(combineCtas(1024), 256);
  EXPECT_EQ(combineCtas(2048), 256);
  EXPECT_EQ(combineCtas(4096), 512) << "eight warps have eight tiles at most";
  for (std::int64_t tiles = 256; tiles <= 5000; ++tiles)
    ASSERT_GE(combineCtas(tiles), 256);
}

TEST(Planner, ABalancedBatchHasAPartForEveryPlaceOfItsCtas) {
  KernelFamily family = balancedFamilyOf(logicalVariant());
  const auto partsWith = [&](int ctasPerSm, int ctasPerToken) {
    family.table[0].ctasPerSm = ctasPerSm;
    family.kernels[0].ctasPerToken = ctasPerToken;
    const auto plan = balanced(family, 10, 0);
    EXPECT_TRUE(plan) << plan.error().message;
    EXPECT_EQ(plan->splits, 1);
    EXPECT_EQ(plan->gridCtas, (10 + plan->parts) * ctasPerToken);
    return plan->parts;
  };
  EXPECT_EQ(partsWith(2, 2), 132);
  EXPECT_EQ(partsWith(3, 2), 198);
  EXPECT_EQ(partsWith(2, 1), 264);
  EXPECT_EQ(partsWith(1, 5), 26) << "26 tokens' CTAs run at a time";
  EXPECT_EQ(partsWith(1, 133), 1) << "a token's CTAs do not all run at a time";
}

TEST(Planner, BalancedWorkspaceHasTwoSlotsForEachBoundary) {
  KernelFamily family = balancedFamilyOf(logicalVariant());
  family.table[0].ctasPerSm = 1; // 66 parts
  for (const std::int64_t tokens : {1, 10, 40000}) {
    const auto plan = balanced(family, tokens, 0);
    EXPECT_EQ(plan->workspaceBytes, workspaceLayout(family.variant, 130).bytes) << tokens;
  }
  family.kernels[0].ctasPerToken = kSms; // one part
  EXPECT_EQ(balanced(family, 10, 0)->workspaceBytes, 0U);
}

TEST(Planner, AScheduleHoldsEveryTokensCutAndEveryPiece) {
  const KernelFamily family = balancedFamilyOf(logicalVariant());
  EXPECT_EQ(scheduleBytes(10, 132), 16U + 10 * 16 + 142 * 32);
  EXPECT_EQ(balanced(family, 10, 0)->scheduleBytes, scheduleBytes(10, 132));
  EXPECT_EQ(planFor(family, 10)->scheduleBytes, 0U);
}

TEST(Planner, APieceCostsAsManyTilesAsItsFixedTimeWithinBounds) {
  KernelFamily family = balancedFamilyOf(logicalVariant());
  const auto pieceTiles = [&](double fixedNs, double tileNs) {
    family.table[0].fixedNs = fixedNs;
    family.table[0].tileNs = tileNs;
    return balanced(family, 10, 0)->pieceTiles;
  };
  EXPECT_EQ(pieceTiles(2000, 150), 13);
  EXPECT_EQ(pieceTiles(100, 150), 1);
  EXPECT_EQ(pieceTiles(100000, 150), 64);
  EXPECT_EQ(pieceTiles(2000, 0), 1);
}

TEST(Planner, BalanceIsRefusedWhereItCannotBe) {
  const KernelFamily family = balancedFamilyOf(logicalVariant());
  expectError(planLaunch(family, kSms, {.tokens = 1, .requests = 1, .splits = 3, .balance = true}),
              ErrorCode::InvalidArgument,
              "splits is 3, but a balanced batch is cut by its lengths; give 0");
  expectError(balanced(familyOf(logicalVariant()), 1),
              ErrorCode::InvalidArgument,
              "'glm5_decode' was packed without its schedule kernel, or without its combine; pack "
              "it again, or plan "
              "without balance");
}

TEST(Planner, BalancedGridsBeyondTheLimitAreRefused) {
  KernelFamily family = balancedFamilyOf(logicalVariant());
  family.kernels[2].ctasPerToken = 1;
  EXPECT_EQ(balanced(family, kMaxGridCtas - 132)->gridCtas, kMaxGridCtas);
  const std::string words = "more than 2147483647 thread blocks";
  expectError(balanced(family, kMaxGridCtas - 131), ErrorCode::InvalidArgument, words);
  family.kernels[2].ctasPerToken = 1 << 28; // seven tokens' fit
  EXPECT_TRUE(balanced(family, 7));
  expectError(balanced(family, 8), ErrorCode::InvalidArgument, words);
}

/// The second kernel takes tokens four by four.
KernelFamily groupingFamily() {
  KernelFamily family = balancedFamilyOf(denseVariant());
  family.variant.maxQueries = 0;
  family.kernels[1].queryGroup = 4;
  return family;
}

TEST(Planner, AGroupIsAUnitOfTheGrid) {
  const Kernel grouped = groupingFamily().kernels[1];
  EXPECT_EQ(gridUnits(grouped, {12, 3}), 3);
  EXPECT_EQ(gridUnits(grouped, {15, 3}), 6);
  EXPECT_EQ(gridUnits(grouped, {15, 3, RequestTable::TokenRequest}), 15);
  Kernel single = grouped;
  single.queryGroup = 1;
  EXPECT_EQ(gridUnits(single, {15, 3, RequestTable::QueryStart}), 15);
}

// However tokens are dealt to requests: each has a number for its last group, and so have the
// tokens before and after all of them.
TEST(Planner, GroupsByQueryStartAllHaveANumber) {
  const Kernel grouped = groupingFamily().kernels[1];
  for (const std::vector<int>& starts : std::vector<std::vector<int>>{
           {0, 1, 2, 3}, {3, 3, 7, 11}, {0, 9, 9, 9}, {11, 11, 11, 11}, {1, 6, 10, 11}}) {
    constexpr int kTokens = 11;
    std::int64_t last = 0;
    int begin = 0;
    for (std::size_t range = 0; range <= starts.size(); ++range) {
      const int end = range < starts.size() ? starts[range] : kTokens;
      const std::int64_t first = begin / 4 + static_cast<std::int64_t>(range);
      if (end > begin)
        last = first + (end - begin + 3) / 4;
      begin = end;
    }
    EXPECT_LE(last, gridUnits(grouped, {kTokens, 3, RequestTable::QueryStart}));
  }
}

TEST(Planner, TokensOfARequestHaveEachOthersRowsFromL2) {
  KernelFamily family = groupingFamily();
  const PlanRow& row = family.table[0];
  const PlanShape apart{.tokens = 64, .requests = 64, .maxSeqLen = 32768};
  const PlanShape together{.tokens = 64, .requests = 16, .maxSeqLen = 32768};
  EXPECT_LT(predictNs(family, row, kSms, together, 1), predictNs(family, row, kSms, apart, 1));
  family.variant = logicalVariant();
  EXPECT_EQ(predictNs(family, row, kSms, together, 1), predictNs(family, row, kSms, apart, 1));
}

TEST(Planner, ABalancedBatchIsNotOneOfGroups) {
  const KernelFamily family = groupingFamily();
  EXPECT_EQ(balanced(family, 40)->kernel, 0);
  expectError(
      balanced(family, 40, 1),
      ErrorCode::InvalidArgument,
      "kernel 1 takes a request's tokens in groups, a balanced batch is cut token by token");
}

TEST(Planner, OnlyKnownPositionsNeedRequests) {
  Variant variant = logicalVariant();
  variant.iterate = IterateKind::TopkPhysical;
  variant.causal = false;
  EXPECT_TRUE(planLaunch(familyOf(variant), kSms, {.tokens = 3}));
}

} // namespace
} // namespace mlac::test
