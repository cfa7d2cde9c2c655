// What agents know of one another: clocks, what is handed from CTA to CTA, and agents for copies.
#include "simt/memory/VectorClock.h"

#include "simt/exec/AsyncCopies.h"

#include <gtest/gtest.h>

namespace mlac::simt {
namespace {

VectorClock clockOf(std::initializer_list<std::pair<std::uint32_t, std::uint32_t>> ticks) {
  VectorClock clock;
  for (const auto& [agent, tick] : ticks)
    clock.raise(agent, tick);
  return clock;
}

TEST(VectorClock, KnowsNothingOfAgentsItHasNotHeardOf) {
  const VectorClock clock = clockOf({{2, 7}});
  EXPECT_EQ(clock.at(2), 7U);
  EXPECT_EQ(clock.at(0), 0U);
  EXPECT_EQ(clock.at(900), 0U);
  EXPECT_TRUE(clock.covers(2, 7));
  EXPECT_FALSE(clock.covers(2, 8));
  EXPECT_FALSE(clock.covers(900, 1));
}

TEST(VectorClock, NeverGoesBack) {
  VectorClock clock = clockOf({{1, 5}});
  clock.raise(1, 3);
  EXPECT_EQ(clock.at(1), 5U);
  clock.join(clockOf({{0, 1}, {1, 2}}));
  EXPECT_EQ(clock.at(1), 5U);
}

TEST(VectorClock, JoinTakesTheLaterTickOfEachAgent) {
  VectorClock clock = clockOf({{0, 4}, {1, 1}});
  clock.join(clockOf({{1, 6}, {3, 2}}));
  EXPECT_EQ(clock.at(0), 4U);
  EXPECT_EQ(clock.at(1), 6U);
  EXPECT_EQ(clock.at(2), 0U);
  EXPECT_EQ(clock.at(3), 2U);
}

TEST(VectorClock, CoversAnotherOnlyWhereItIsBehindInNothing) {
  const VectorClock ahead = clockOf({{0, 4}, {1, 6}});
  EXPECT_TRUE(ahead.covers(clockOf({{0, 4}})));
  EXPECT_TRUE(ahead.covers(clockOf({})));
  EXPECT_FALSE(ahead.covers(clockOf({{0, 5}})));
  EXPECT_FALSE(ahead.covers(clockOf({{0, 1}, {7, 1}}))) << "agent 7 is unknown to it";
  EXPECT_FALSE(clockOf({}).covers(ahead));
}

TEST(Knowledge, JoinsEachKindByItself) {
  Knowledge mine;
  mine.seen.raise(0, 3);
  Knowledge theirs;
  theirs.seen.raise(1, 4);
  theirs.proxied.raise(2, 5);
  theirs.happened.raise(3, 6);
  joinForeign(theirs.foreign, 9, clockOf({{0, 7}}));
  mine.join(theirs);
  EXPECT_TRUE(mine.seen.covers(0, 3));
  EXPECT_TRUE(mine.seen.covers(1, 4));
  EXPECT_FALSE(mine.seen.covers(2, 1)) << "what a fence covers is not what was seen";
  EXPECT_FALSE(mine.seen.covers(3, 1)) << "what happened need not be visible";
  EXPECT_TRUE(mine.proxied.covers(2, 5));
  EXPECT_TRUE(mine.happened.covers(3, 6));
  ASSERT_EQ(mine.foreign.size(), 1U);
  EXPECT_EQ(mine.foreign.front().first, 9U);
  EXPECT_TRUE(mine.foreign.front().second.covers(0, 7));
}

TEST(Knowledge, KeepsOneClockForEachOtherCta) {
  ForeignKnowledge foreign;
  joinForeign(foreign, 4, clockOf({{0, 1}}));
  joinForeign(foreign, 5, clockOf({{0, 2}}));
  joinForeign(foreign, 4, clockOf({{1, 3}}));
  ASSERT_EQ(foreign.size(), 2U);
  EXPECT_TRUE(foreign[0].second.covers(0, 1));
  EXPECT_TRUE(foreign[0].second.covers(1, 3));
  EXPECT_FALSE(foreign[1].second.covers(1, 1));
}

constexpr std::uint32_t kThreads = 64;

TEST(CopyAgents, EachCopyUnderWayIsAnAgentOfItsOwnBehindTheThreads) {
  CopyAgents agents(kThreads);
  const CopyAgents::Made first = agents.make({});
  const CopyAgents::Made second = agents.make({});
  EXPECT_EQ(first.agent, kThreads);
  EXPECT_EQ(second.agent, kThreads + 1);
  EXPECT_EQ(first.tick, 1U);
  EXPECT_EQ(second.tick, 1U);
}

TEST(CopyAgents, ANumberIsNotUsedAgainWhileItsCopyIsUnderWay) {
  CopyAgents agents(kThreads);
  const CopyAgents::Made first = agents.make({});
  const VectorClock knowsAll = clockOf({{first.agent, 100}});
  EXPECT_NE(agents.make(knowsAll).agent, first.agent);
}

TEST(CopyAgents, ANumberIsNotUsedAgainByAThreadThatHasNotWaitedForItsCopy) {
  CopyAgents agents(kThreads);
  const CopyAgents::Made first = agents.make({});
  agents.landed(first.agent);
  EXPECT_NE(agents.make({}).agent, first.agent);
}

TEST(CopyAgents, ANumberWhoseCopyWasWaitedForComesBackWithALaterTick) {
  CopyAgents agents(kThreads);
  const CopyAgents::Made first = agents.make({});
  agents.landed(first.agent);
  const CopyAgents::Made second = agents.make(clockOf({{first.agent, first.tick}}));
  EXPECT_EQ(second.agent, first.agent);
  EXPECT_EQ(second.tick, first.tick + 1);
  agents.landed(second.agent);
  EXPECT_NE(agents.make(clockOf({{first.agent, first.tick}})).agent, first.agent)
      << "knowing the first copy is not knowing the second";
}

} // namespace
} // namespace mlac::simt
