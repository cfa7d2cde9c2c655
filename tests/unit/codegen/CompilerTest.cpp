#include "compiler/Compiler.h"

#include "tests/unit/schedule/ScheduleFixtures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace mlac {
namespace {

Compiled compiled(const Variant& variant, const char* targetName) {
  auto result = compileFamily({variant, &target(targetName), {}});
  EXPECT_TRUE(result) << result.error().message;
  return std::move(*result);
}

TEST(Compiler, ALogicalFamilyHasAttentionCombineScheduleConvertAndMerge) {
  Variant variant = sparseVariant(8);
  variant.lse = LseMode::Natural;
  const KernelFamily family = compiled(variant, "sm_120").family;
  ASSERT_EQ(family.kernels.size(), 7U);
  EXPECT_EQ(family.kernels[0].entry, "sparse_few");
  EXPECT_EQ(family.kernels[1].entry, "sparse_some");
  EXPECT_EQ(family.kernels[2].entry, "sparse_many");
  EXPECT_EQ(family.kernels[3].role, KernelRole::Combine);
  EXPECT_EQ(family.kernels[4].role, KernelRole::Schedule);
  EXPECT_EQ(family.kernels[5].role, KernelRole::Convert);
  EXPECT_EQ(family.kernels[6].role, KernelRole::Merge);
  ASSERT_EQ(family.table.size(), 3U);
  EXPECT_EQ(family.table[2].kernel, 2);
}

TEST(Compiler, TheCombineStartsEarlyWhereTheTargetCanAndWaitsThere) {
  for (const char* name : {"sm_90", "sm_120"}) {
    const Compiled made = compiled(sparseVariant(16), name);
    const Kernel& combine = made.family.kernels[3];
    ASSERT_EQ(combine.role, KernelRole::Combine);
    EXPECT_TRUE(combine.startsEarly);
    EXPECT_NE(made.sources[3].find("kStartsEarly = true"), std::string::npos);
    for (int attention : {0, 1, 2})
      EXPECT_NE(made.sources[attention].find("allowNextGrid();"), std::string::npos) << attention;
  }
  const Compiled older = compiled(sparseVariant(16), "sm_89");
  EXPECT_FALSE(older.family.kernels[3].startsEarly);
  EXPECT_NE(older.sources[3].find("kStartsEarly = false"), std::string::npos);
  EXPECT_EQ(older.sources[0].find("allowNextGrid();"), std::string::npos);
}

TEST(Compiler, AFamilyIsDeterministicToTheByte) {
  const Compiled first = compiled(sparseVariant(20), "sm_90");
  const Compiled second = compiled(sparseVariant(20), "sm_90");
  EXPECT_EQ(first.family, second.family);
  EXPECT_EQ(first.sources, second.sources);
  EXPECT_EQ(first.stages.schedule, second.stages.schedule);
}

TEST(Compiler, SourcesSayWhereTheyComeFrom) {
  const Compiled result = compiled(sparseVariant(8), "sm_120");
  const std::string& source = result.sources[2];
  EXPECT_NE(source.find("// target    sm_120"), std::string::npos);
  EXPECT_NE(source.find("// schedule  class=many"), std::string::npos);
  EXPECT_NE(source.find("// templates " + result.family.templateDigest), std::string::npos);
  EXPECT_NE(source.find("//   attention sparse {"), std::string::npos);
}

TEST(Compiler, ImpossibleOverridesAreTheBudgetsOwnMessage) {
  const auto result =
      compileFamily({sparseVariant(8), &target("sm_120"), {*parseOverride("many.stages=6")}});
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().message.find("101376"), std::string::npos) << result.error().message;
}

TEST(Compiler, HeadsBeyondOneCtaAreSharedByCtas) {
  const KernelFamily family = compiled(sparseVariant(128), "sm_120").family;
  EXPECT_EQ(family.kernels[1].ctasPerToken, 2);
  EXPECT_EQ(family.kernels[1].threads, 256);
  EXPECT_LE(family.kernels[1].dynamicSmemBytes, 101376);
}

TEST(Compiler, ACombineIsCountedInTilesOf16DimsBy8Heads) {
  const auto tilesFor = [](int heads, int latent) {
    Variant variant = sparseVariant(heads);
    variant.latent = latent;
    const KernelFamily family = compiled(variant, "sm_90").family;
    const auto combine =
        std::find_if(family.kernels.begin(), family.kernels.end(), [](const Kernel& kernel) {
          return kernel.role == KernelRole::Combine;
        });
    EXPECT_EQ(combine->threads, 256);
    EXPECT_EQ(combine->dynamicSmemBytes, 256 * 32);
    return combine->ctasPerToken;
  };
  EXPECT_EQ(tilesFor(8, 512), 32);
  EXPECT_EQ(tilesFor(5, 80), 5);
  EXPECT_EQ(tilesFor(20, 512), 3 * 32);
}

TEST(Compiler, AMergeHasALaneForEachEightDimsAndRowsToFillFourWarps) {
  const auto mergeOf = [](int heads, int latent) {
    Variant variant = sparseVariant(heads);
    variant.latent = latent;
    variant.lse = LseMode::Base2;
    return compiled(variant, "sm_90").family.kernels.back();
  };
  const auto expect = [&](int heads, int latent, int threads, int ctasPerToken) {
    const Kernel merge = mergeOf(heads, latent);
    ASSERT_EQ(merge.role, KernelRole::Merge);
    EXPECT_EQ(merge.threads, threads) << heads << " heads, latent " << latent;
    EXPECT_EQ(merge.ctasPerToken, ctasPerToken) << heads << " heads, latent " << latent;
    EXPECT_EQ(merge.dynamicSmemBytes, 0);
  };
  expect(8, 512, 128, 4);
  expect(5, 256, 128, 2);
  expect(1, 512, 64, 1);
  expect(3, 80, 96, 1);
  expect(8, 768, 128, 8);
  expect(8, 2048, 128, 8);
}

TEST(Compiler, WithoutAnLseThereIsNothingToMergeBy) {
  Variant variant = sparseVariant(8);
  variant.lse = LseMode::None;
  for (const Kernel& kernel : compiled(variant, "sm_90").family.kernels)
    EXPECT_NE(kernel.role, KernelRole::Merge);
}

TEST(Compiler, ScoresAreSummedWhereWarpsDivideTheDims) {
  const std::vector<std::string> sources = compiled(sparseVariant(32), "sm_90").sources;
  EXPECT_NE(sources[1].find("kDimSplits = 4"), std::string::npos);
  EXPECT_NE(sources[1].find("scores = sumShares<Shape>("), std::string::npos);
  EXPECT_NE(sources[2].find("kDimSplits = 1"), std::string::npos);
  EXPECT_EQ(sources[2].find("sumShares"), std::string::npos);
}

TEST(Compiler, RowsThatAreReadOnceAreCopiedAsSuch) {
  const Compiled made = compiled(sparseVariant(16), "sm_90");
  EXPECT_NE(made.sources[0].find("kRowsReused = true"), std::string::npos) << "two head CTAs";
  EXPECT_NE(made.sources[2].find("kRowsReused = false"), std::string::npos);
}

} // namespace
} // namespace mlac
