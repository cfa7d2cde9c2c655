// Barriers used against their rules, and phases that depend on who comes first.
#include "tests/unit/simt/TrialBench.h"

namespace mlac::simt {
namespace {

class BarrierFindings : public testing::Test {
protected:
  /// The one place of the trial's fault.
  Place placeOf(const Trial& trial, FindingKind kind) {
    Finding finding = bench.expectFault(trial, kind);
    EXPECT_EQ(finding.places.size(), 1U) << describe(finding);
    finding.places.resize(1);
    summary = finding.summary;
    return finding.places.front();
  }

  void expectSummary(std::string_view text) const {
    EXPECT_NE(summary.find(text), std::string::npos) << summary;
  }

  TrialBench bench;
  std::string summary;
};

TEST_F(BarrierFindings, ABarrierThatNobodyInitialisedIsMisused) {
  const Place place = placeOf({.body = R"(
  if (thread == 0) {
    if (!faulty)
      initBarrier(shared, 1);
    arrive(shared); // the first
  }
)"},
                              FindingKind::BarrierMisuse);
  EXPECT_TRUE(isAt(place, nameOfThread(0, 0), "arrives", "// the first"));
  expectSummary("there is no barrier at 1024");
}

TEST_F(BarrierFindings, ItsInitialisationMustBeOrderedBeforeItsUse) {
  const Finding finding = bench.expectFault({.body = R"(
  if (thread == 0)
    initBarrier(shared, 64);
  if (!faulty)
    syncCta();
  arrive(shared); // everybody
)"},
                                            FindingKind::BarrierMisuse);
  ASSERT_EQ(finding.places.size(), 2U);
  EXPECT_TRUE(isAt(finding.places[0], nameOfThread(0, 1), "arrives", "// everybody"));
  EXPECT_TRUE(isAt(finding.places[1], nameOfThread(0, 0), "initialises it", ""));
}

TEST_F(BarrierFindings, NobodyStoresOverABarrier) {
  const Place place = placeOf({.body = R"(
  if (thread == 0) {
    initBarrier(shared + 8, 1);
    storeSharedU32(shared + (faulty ? 12 : 16), 1); // beside it
  }
)"},
                              FindingKind::BarrierMisuse);
  EXPECT_TRUE(isAt(place, nameOfThread(0, 0), "writes 4 bytes at 1036", "// beside it"));
  expectSummary("the barrier at 1032");
}

TEST_F(BarrierFindings, ABarrierIsInitialisedOnce) {
  const Place place = placeOf({.body = R"(
  if (thread == 0) {
    initBarrier(shared, 1);
    initBarrier(shared + (faulty ? 0 : 8), 1); // the next
  }
)"},
                              FindingKind::BarrierMisuse);
  EXPECT_TRUE(isAt(place, nameOfThread(0, 0), "initialises", "// the next"));
}

TEST_F(BarrierFindings, ABarrierOfNoArrivalsIsMisused) {
  const Place place = placeOf({.body = R"(
  if (thread == 0)
    initBarrier(shared, faulty ? 0 : 1); // for nobody
)"},
                              FindingKind::BarrierMisuse);
  EXPECT_TRUE(isAt(place, nameOfThread(0, 0), "initialises it", "// for nobody"));
}

TEST_F(BarrierFindings, ABarrierLiesAtAMultipleOfEight) {
  const Place place = placeOf({.body = R"(
  if (thread == 0)
    initBarrier(shared + (faulty ? 4 : 8), 1); // there
)"},
                              FindingKind::Misaligned);
  EXPECT_TRUE(isAt(place, nameOfThread(0, 0), "initialises", "// there"));
}

TEST_F(BarrierFindings, AParityIsZeroOrOne) {
  const Place place = placeOf({.body = R"(
  if (thread == 0) {
    initBarrier(shared, 1);
    waitForPhase(shared, faulty ? 3 : 1); // returns at once
  }
)"},
                              FindingKind::BarrierMisuse);
  EXPECT_TRUE(isAt(place, nameOfThread(0, 0), "waits", "// returns at once"));
  expectSummary("parity 3");
}

TEST_F(BarrierFindings, NamedBarriersCountWholeWarps) {
  const Place place = placeOf({.body = R"(
  syncThreads(1, faulty ? 63 : 64); // all
)"},
                              FindingKind::BarrierMisuse);
  EXPECT_TRUE(isAt(place, nameOfThread(0, 0), "comes to it", "// all"));
}

TEST_F(BarrierFindings, ThereAreSixteenNamedBarriers) {
  const Place place = placeOf({.body = R"(
  syncThreads(faulty ? 16 : 15, 64); // the last
)"},
                              FindingKind::BarrierMisuse);
  EXPECT_TRUE(isAt(place, nameOfThread(0, 0), "comes to it", "// the last"));
}

TEST_F(BarrierFindings, ANamedBarrierIsForAsManyThreadsAsAllSay) {
  const Place place = placeOf({.body = R"(
  syncThreads(2, faulty && warp == 1 ? 32 : 64); // as many
)"},
                              FindingKind::BarrierMisuse);
  EXPECT_TRUE(isAt(place, nameOfThread(0, 32), "comes to it", "// as many"));
  expectSummary("for 64 threads and for 32");
}

TEST_F(BarrierFindings, AnArrivalMoreThanAPhaseTakesOverrunsIt) {
  const Place place = placeOf({.body = R"(
  const u32 barrier = shared + 256;
  if (thread == 0) {
    initBarrier(barrier, faulty ? 1 : 2);
    fenceBarrierInit();
    arriveExpectingBytes(barrier, 16);
    arrive(barrier); // a second time
    copyBulk(shared, in, 16, barrier);
    waitForPhase(barrier, 0);
  }
)"},
                              FindingKind::PhaseOverrun);
  EXPECT_TRUE(isAt(place, nameOfThread(0, 0), "arrives", "// a second time"));
  expectSummary("one arrival more than the 1 of phase 0");
}

TEST_F(BarrierFindings, AnArrivalThatMayCountInAnEarlierPhaseOverrunsIt) {
  const Place place = placeOf({.body = R"(
  if (thread == 0)
    initBarrier(shared, 1);
  syncCta();
  if (thread == 0)
    arrive(shared);
  if (thread == 32) {
    if (!faulty)
      waitForPhase(shared, 0);
    arrive(shared); // for phase 1
  }
)"},
                              FindingKind::PhaseOverrun);
  EXPECT_TRUE(isAt(place, nameOfThread(0, 32), "arrives", "// for phase 1"));
  expectSummary("after the end of its phase 0");
}

TEST_F(BarrierFindings, TheArrivalOfLandedCopiesCanOverrunAPhaseToo) {
  const Place place = placeOf({.body = R"(
  const u32 barrier = shared + 256;
  if (thread == 0) {
    initBarrier(barrier, faulty ? 2 : 3);
    fenceBarrierInit();
    arriveExpectingBytes(barrier, 16);
    for (u32 i = 0; i < 2; ++i) {
      copy16(shared + i * 16, in, true);
      arriveWhenCopied(barrier);
    }
    copyBulk(shared + 32, in, 16, barrier); // keeps the phase open
    waitForPhase(barrier, 0);
  }
)"},
                              FindingKind::PhaseOverrun);
  EXPECT_TRUE(isAt(place, nameOfThread(0, 0), "issued the copies", ""));
  expectSummary("one arrival of landed copies more than the 2 of phase 0");
}

TEST_F(BarrierFindings, APhaseThatAWaitingThreadCanMissIsLost) {
  const Place place = placeOf({.body = R"(
  const u32 full = shared;
  const u32 empty = shared + 8;
  if (thread == 0) {
    initBarrier(full, 1);
    initBarrier(empty, 1);
  }
  syncCta();
  if (thread == 0) {
    waitForPhase(full, 0); // may sleep through the next phase
    arrive(empty);
  }
  if (thread == 32) {
    arrive(full);
    if (!faulty)
      waitForPhase(empty, 0);
    arrive(full); // completes it
  }
)"},
                              FindingKind::PhaseLost);
  EXPECT_TRUE(isAt(place, nameOfThread(0, 0), "waited there", ""));
  expectSummary("phase 1 of the barrier at 1024 completes");
}

TEST_F(BarrierFindings, AWaitWhoseParityCanMeanAnOlderPhaseIsAliased) {
  const Place place = placeOf({.body = R"(
  const u32 full = shared;
  const u32 ready = shared + 8;
  if (thread == 0) {
    initBarrier(full, 1);
    initBarrier(ready, 1);
  }
  syncCta();
  if (thread == 0) {
    arrive(full);
    waitForPhase(ready, 0);
    arrive(full);
  }
  if (thread == 32) {
    if (!faulty)
      waitForPhase(full, 0);
    arrive(ready);
    waitForPhase(full, 1); // by parity 1
  }
)"},
                              FindingKind::PhaseAliased);
  EXPECT_TRUE(isAt(place, nameOfThread(0, 32), "waits", "// by parity 1"));
}

} // namespace
} // namespace mlac::simt
