#include "compiler/schedule/Schedule.h"

#include <gtest/gtest.h>

namespace mlac {
namespace {

TEST(Schedule, PrintsEveryKnobSoThatSetCanRepeatIt) {
  Schedule schedule;
  schedule.shapeClass = "many";
  schedule.stages = 7;
  EXPECT_EQ(
      printSchedule(schedule),
      "class=many engine=mma_sync gather=bulk row_reuse=l2 query_home=registers head_groups=1 "
      "head_tiles=1 dim_splits=1 key_slices=1 stages=7 merge_passes=1 qk_chains=1 ctas_per_sm=1");
}

TEST(Schedule, EveryPrintedWordIsAnOverrideThatGivesTheSameSchedule) {
  Schedule schedule;
  schedule.shapeClass = "few";
  schedule.gather = Gather::CpAsync;
  schedule.rowReuse = RowReuse::None;
  schedule.queryHome = QueryHome::Shared;
  schedule.queryGroup = 2;
  schedule.headGroups = 2;
  schedule.headTiles = 3;
  schedule.dimSplits = 4;
  schedule.stages = 5;
  Schedule rebuilt;
  rebuilt.shapeClass = "few";
  std::string words = printSchedule(schedule);
  words.erase(0, words.find(' ') + 1); // class=few is not a knob
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    const auto set = parseOverride(words.substr(0, end));
    ASSERT_TRUE(set) << set.error().message;
    ASSERT_TRUE(applyOverrides(rebuilt, {*set}));
    words.erase(0, end + 1);
  }
  EXPECT_EQ(rebuilt, schedule);
}

TEST(Schedule, TilesOfAGroupMultiplyItsHeadsNotItsWarps) {
  Schedule schedule;
  schedule.headGroups = 2;
  schedule.headTiles = 3;
  schedule.dimSplits = 4;
  EXPECT_EQ(schedule.groupHeads(), 24);
  EXPECT_EQ(schedule.ctaHeads(), 48);
  EXPECT_EQ(schedule.warps(), 8);
}

TEST(Schedule, AnOverrideWithAClassLeavesOtherClassesAlone) {
  Schedule few;
  few.shapeClass = "few";
  Schedule many;
  many.shapeClass = "many";
  const auto set = parseOverride("many.stages=4");
  ASSERT_TRUE(set);
  ASSERT_TRUE(applyOverrides(few, {*set}));
  ASSERT_TRUE(applyOverrides(many, {*set}));
  EXPECT_EQ(few.stages, 2);
  EXPECT_EQ(many.stages, 4);
}

TEST(Schedule, BadOverridesSayWhatIsAllowed) {
  const auto messageOf = [](const char* text) {
    const auto set = parseOverride(text);
    return set ? std::string("accepted") : set.error().message;
  };
  EXPECT_NE(messageOf("stages").find("write KEY=VALUE"), std::string::npos);
  EXPECT_NE(messageOf("stages=0").find("a number from 1 to 64"), std::string::npos);
  EXPECT_NE(messageOf("stages=4x").find("a number from 1 to 64"), std::string::npos);
  EXPECT_NE(messageOf("stages=99999999999999").find("a number from 1 to 64"), std::string::npos);
  for (const char* const part : {"known keys are", " head_tiles ", " row_reuse "})
    EXPECT_NE(messageOf("depth=4").find(part), std::string::npos) << part;
  EXPECT_NE(messageOf("gather=tma").find("bulk or cp_async"), std::string::npos);
  EXPECT_NE(messageOf("head_tiles=0").find("a number from 1 to 8"), std::string::npos);
  EXPECT_NE(messageOf("head_tiles=9").find("a number from 1 to 8"), std::string::npos);
  EXPECT_NE(messageOf("row_reuse=l1").find("none or l2"), std::string::npos);
  EXPECT_NE(messageOf("query_home=l2").find("registers or shared"), std::string::npos);
}

} // namespace
} // namespace mlac
