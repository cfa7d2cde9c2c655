// What becomes of samples, and how many launches a graph holds.
#include "tools/bench/GraphTimer.h"

#include <gtest/gtest.h>

namespace mlac {
namespace {

TEST(Timing, TakesTheMiddleOfAnOddNumberOfSamples) {
  const Timing timing = timingOf({9, 1, 5});
  EXPECT_EQ(timing.medianUs, 5);
  EXPECT_EQ(timing.minUs, 1);
  EXPECT_EQ(timing.maxUs, 9);
}

TEST(Timing, TakesTheMeanOfTheTwoInTheMiddle) {
  EXPECT_EQ(timingOf({8, 2, 4, 100}).medianUs, 6);
  EXPECT_EQ(timingOf({3}).medianUs, 3);
}

TEST(LaunchesPerGraph, AreWholeRoundsAndAtLeastSixteen) {
  EXPECT_EQ(launchesPerGraph(2), 16);
  EXPECT_EQ(launchesPerGraph(3), 18);
  EXPECT_EQ(launchesPerGraph(16), 16);
  EXPECT_EQ(launchesPerGraph(128), 128);
}

} // namespace
} // namespace mlac
