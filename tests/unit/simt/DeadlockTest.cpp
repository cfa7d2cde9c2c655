// Kernels that do not end: threads that wait for one another, and loops.
#include "tests/unit/simt/TrialBench.h"

namespace mlac::simt {
namespace {

class Deadlock : public testing::Test {
protected:
  TrialBench bench;
};

TEST_F(Deadlock, AMissingArrivalIsADeadlockThatSaysWhoWaitsForWhat) {
  const Finding finding = bench.expectFault({.body = R"(
  if (thread == 0)
    initBarrier(shared, 3);
  syncCta();
  if (thread < (faulty ? 2 : 3))
    arrive(shared);
  if (warp == 1)
    waitForPhase(shared, 0); // never
)"},
                                            FindingKind::Deadlock);
  ASSERT_EQ(finding.places.size(), 1U);
  EXPECT_TRUE(isAt(finding.places[0],
                   nameOfThread(0, 32) + " and 31 more",
                   "waits for phase 0 of the barrier at 1024: 1 of 3 arrivals and 0 bytes",
                   "// never"));
  EXPECT_EQ(finding.summary, "32 of 64 threads wait and nobody can go on");
}

TEST_F(Deadlock, ADeadlockNamesEachPlaceWhereSomebodyWaits) {
  const Finding finding = bench.expectFault({.body = R"(
  if (warp == 1) {
    if (faulty)
      syncThreads(3, 64); // alone
  } else {
    syncThreads(faulty ? 4 : 5, faulty ? 64 : 32); // alone too
  }
)"},
                                            FindingKind::Deadlock);
  ASSERT_EQ(finding.places.size(), 2U);
  EXPECT_TRUE(isAt(finding.places[0],
                   nameOfThread(0, 32) + " and 31 more",
                   "waits at CTA barrier 3, where 32 of 64 threads have come",
                   "// alone"));
  EXPECT_TRUE(isAt(finding.places[1],
                   nameOfThread(0, 0) + " and 31 more",
                   "waits at CTA barrier 4, where 32 of 64 threads have come",
                   "// alone too"));
}

TEST_F(Deadlock, ACtaBarrierThatAWarpHasLeftIsADeadlock) {
  const Finding finding = bench.expectFault({.body = R"(
  if (faulty && warp == 0)
    return;
  syncCta(); // waits for warp 0
)"},
                                            FindingKind::Deadlock);
  ASSERT_EQ(finding.places.size(), 1U);
  EXPECT_TRUE(isAt(finding.places[0],
                   nameOfThread(0, 32) + " and 31 more",
                   "32 of 64 threads have come",
                   "// waits for warp 0"));
}

TEST(Endless, AKernelThatNeverEndsIsStoppedAtTheStatedSteps) {
  TrialBench bench({.maxSteps = 20000});
  const Finding finding = bench.expectFault({.body = R"(
  for (u32 i = 0; faulty || i < 10; ++i)
    out[thread] = i; // round and round
)"},
                                            FindingKind::StepLimit);
  ASSERT_EQ(finding.places.size(), 1U);
  EXPECT_TRUE(isAt(finding.places[0], nameOfThread(0, 0), "is still running", "// round"));
  EXPECT_NE(finding.summary.find("20000 basic blocks"), std::string::npos) << finding.summary;
}

TEST(Endless, AWaitByPollingThatNobodyEndsIsStoppedToo) {
  TrialBench bench({.maxSteps = 20000});
  const Trial trial = {.body = R"(
  if (thread == 0 && !faulty)
    storeRelease(out, 1);
  if (thread == 32)
    while (loadAcquire(out) == 0) {
    }
)"};
  const Finding finding = bench.expectFault(trial, FindingKind::StepLimit);
  ASSERT_EQ(finding.places.size(), 1U);
  EXPECT_EQ(finding.places[0].who, nameOfThread(0, 32));
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const Outcome done = bench.run(trial, true, seed);
    ASSERT_TRUE(done.finding);
    EXPECT_EQ(done.finding->kind, FindingKind::StepLimit);
  }
}

} // namespace
} // namespace mlac::simt
