// CTAs that work together, on several threads of the host, and grids that follow one another.
#include "tests/unit/simt/TrialBench.h"

#include <fmt/format.h>

namespace mlac::simt {
namespace {

// Each CTA writes a part; the last to come adds all of them up.
constexpr Trial kLastCtaSums = {.body = R"(
  u32* const parts = out + 64;
  u32* const come = out + 512;
  u32* const isLast = reinterpret_cast<u32*>(smem);
  for (u32 i = thread; i < 16; i += 64)
    parts[cta * 16 + i] = in[cta * 16 + i]; // its part
  syncCta();
  if (thread == 0) {
    const u32 before = faulty ? addRelaxed(come, 1) : addAcquireRelease(come, 1);
    *isLast = before + 1 == gridDim.x;
  }
  syncCta();
  if (*isLast != 0 && thread < 16) {
    u32 sum = 0;
    for (u32 other = 0; other < gridDim.x; ++other)
      sum += parts[other * 16 + thread]; // all parts
    out[thread] = sum;
  }
)",
                                .ctas = 12};

TEST(Grid, TheLastCtaSumsUpWhatTheOthersReleased) {
  TrialBench bench({.osThreads = 4});
  const auto out = bench.expectSound(kLastCtaSums);
  for (std::uint32_t i = 0; i < 16; ++i)
    EXPECT_EQ(out[i], 12 * (1000 + i) + 16 * 66) << i;
}

TEST(Grid, TheLastCtaMayNotTrustARelaxedCount) {
  for (const int osThreads : {1, 4}) {
    TrialBench bench({.osThreads = osThreads});
    const Outcome done = bench.run(kLastCtaSums, true);
    ASSERT_TRUE(done.finding) << osThreads << " threads of the host";
    EXPECT_EQ(done.finding->kind, FindingKind::DataRace);
    ASSERT_EQ(done.finding->places.size(), 2U);
    EXPECT_NE(done.finding->places[0].what.find("reads"), std::string::npos);
    EXPECT_TRUE(isAt(done.finding->places[0], done.finding->places[0].who, "", "// all parts"));
    EXPECT_TRUE(isAt(done.finding->places[1], done.finding->places[1].who, "", "// its part"));
  }
}

TEST(Grid, OrderIsHandedOnThroughAThirdCta) {
  TrialBench bench({.osThreads = 4});
  // 0 releases to 1, 1 to 2, and so on, by a flag each; all read what 0 wrote.
  const auto out = bench.expectSound({.body = R"(
  u32* const flags = out + 512;
  if (thread == 0) {
    if (cta == 0)
      out[0] = 42;
    while (cta > 0 && loadAcquire(flags + cta) == 0) {
    }
    out[1 + cta] = out[0] + cta;
    storeRelease(flags + cta + 1, 1);
  }
)",
                                      .ctas = 4});
  EXPECT_EQ(out[4], 45U);
}

TEST(Grid, EveryCtaKnowsItsPlace) {
  TrialBench bench;
  const auto out = bench.expectSound({.body = R"(
  out[cta * blockDim.x + thread] = cta * 1000 + thread + gridDim.x * 100000;
)",
                                      .threads = 96,
                                      .ctas = 5});
  EXPECT_EQ(out[0], 500000U);
  EXPECT_EQ(out[4 * 96 + 95], 504095U);
}

TEST(Grid, OfSeveralCtasThatGoWrongTheFirstIsReportedHoweverLongItTakes) {
  TrialBench bench({.osThreads = 4});
  for (const std::uint32_t slow : {3U, 4U}) {
    const std::string body = fmt::format(R"(
  if (thread == 0 && cta == {})
    for (u32 i = 0; i < 100000; ++i)
      out[cta] = i;
  if (faulty && cta >= 3 && thread == cta)
    out[5000] = 1;
)",
                                         slow);
    const Outcome done = bench.run({.body = body, .ctas = 8}, true);
    ASSERT_TRUE(done.finding);
    ASSERT_EQ(done.finding->places.size(), 1U);
    EXPECT_EQ(done.finding->places[0].who, nameOfThread(3, 3));
  }
}

constexpr Trial kWriter = {.body = R"(
  out[thread] = in[thread] * 2;
  allowNextGrid();
)"};

constexpr Trial kReader = {.body = R"(
  const u32 own = in[thread]; // of nobody's making
  if (!faulty)
    waitForPreviousGrid();
  out[64 + thread] = out[thread] + own; // of the grid before
)"};

TEST(DependentLaunch, MayReadTheGridBeforeOnceItHasWaited) {
  TrialBench bench;
  for (std::uint64_t seed = 0; seed <= kRandomOrders; ++seed) {
    ASSERT_FALSE(bench.run(kWriter, false, seed).finding);
    const Outcome done = bench.runDependent(kReader, false, seed);
    ASSERT_FALSE(done.finding) << describe(*done.finding);
    EXPECT_EQ(done.out[64 + 9], 3 * 1009U);
  }
}

TEST(DependentLaunch, ThatDoesNotWaitRacesWithTheGridBefore) {
  TrialBench bench;
  ASSERT_FALSE(bench.run(kWriter, false).finding);
  const Outcome done = bench.runDependent(kReader, true);
  EXPECT_NE(done.code, 0);
  ASSERT_TRUE(done.finding);
  EXPECT_EQ(done.finding->kind, FindingKind::DataRace);
  ASSERT_EQ(done.finding->places.size(), 2U);
  EXPECT_TRUE(isAt(done.finding->places[0], nameOfThread(0, 0), "reads", "// of the grid before"));
  EXPECT_TRUE(isAt(done.finding->places[1], "the grid before", "writes it", ""));
}

TEST(DependentLaunch, EachThreadMustWaitForItself) {
  TrialBench bench;
  constexpr Trial kOneWaits = {.body = R"(
  if (!faulty || thread == 0)
    waitForPreviousGrid();
  if (thread < 2)
    out[64 + thread] = out[thread]; // of the grid before
)"};
  ASSERT_FALSE(bench.run(kWriter, false).finding);
  ASSERT_FALSE(bench.runDependent(kOneWaits, false).finding);
  ASSERT_FALSE(bench.run(kWriter, false).finding);
  const Outcome done = bench.runDependent(kOneWaits, true);
  ASSERT_TRUE(done.finding);
  ASSERT_EQ(done.finding->places.size(), 2U);
  EXPECT_TRUE(isAt(done.finding->places[0], nameOfThread(0, 1), "reads", "// of the grid before"));
}

TEST(DependentLaunch, MayReadWithoutWaitingWhatOlderGridsWrote) {
  TrialBench bench;
  ASSERT_FALSE(bench.run(kWriter, false).finding);
  // A grid between that touches other words; it runs, and waits, on its own.
  ASSERT_FALSE(bench
                   .runDependent({.body = R"(
  waitForPreviousGrid();
  out[512 + thread] = 1;
)"},
                                 false)
                   .finding);
  const Outcome done = bench.runDependent(kReader, true);
  EXPECT_FALSE(done.finding) << describe(*done.finding);
  EXPECT_EQ(done.out[64], 3000U);
}

TEST(DependentLaunch, AnOrdinaryLaunchNeedNotWait) {
  TrialBench bench;
  ASSERT_FALSE(bench.run(kWriter, false).finding);
  EXPECT_FALSE(bench.run(kReader, true).finding);
}

} // namespace
} // namespace mlac::simt
