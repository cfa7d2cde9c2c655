// Asynchronous copies against bounds, alignments and the bytes their barriers expect.
#include "tests/unit/simt/TrialBench.h"

namespace mlac::simt {
namespace {

class CopyLimits : public testing::Test {
protected:
  /// The one place of the trial's fault.
  Place placeOf(const Trial& trial, FindingKind kind) {
    Finding finding = bench.expectFault(trial, kind);
    EXPECT_EQ(finding.places.size(), 1U) << describe(finding);
    finding.places.resize(1);
    return finding.places.front();
  }

  TrialBench bench;
};

TEST_F(CopyLimits, ACopyPastTheEndOfItsSourceIsOutOfBounds) {
  const Place place = placeOf({.body = R"(
  if (thread == 7) {
    copy16(shared, in + (faulty ? 1024 : 1020), true); // the last row
    commitCopies();
    waitForCopies<0>();
  }
)"},
                              FindingKind::OutOfBounds);
  EXPECT_TRUE(isAt(place,
                   nameOfThread(0, 7),
                   "copies from device memory at byte 4096 of allocation 1 (4096 bytes)",
                   "// the last row"));
}

TEST_F(CopyLimits, ACopyThatIsNotPresentReadsNothing) {
  const auto out = bench.expectSound({.body = R"(
  copy16(shared + thread * 16, nullptr, false);
  commitCopies();
  waitForCopies<0>();
  out[thread] = loadSharedU32(shared + thread * 16) + 1;
)"});
  EXPECT_EQ(out[5], 1U) << "zeros";
}

TEST_F(CopyLimits, ACopyPastTheEndOfSharedMemoryIsOutOfBounds) {
  const Place place = placeOf({.body = R"(
  const u32 barrier = shared;
  if (thread == 0) {
    initBarrier(barrier, 1);
    fenceBarrierInit();
    arriveExpectingBytes(barrier, 512);
    copyBulk(shared + (faulty ? 528 : 512), in, 512, barrier); // up to the end
    waitForPhase(barrier, 0);
  }
)"},
                              FindingKind::OutOfBounds);
  EXPECT_TRUE(isAt(place, nameOfThread(0, 0), "copies to", "// up to the end"));
}

TEST_F(CopyLimits, ABulkCopyOfOddSizeIsMisaligned) {
  const Place place = placeOf({.body = R"(
  const u32 barrier = shared + 512;
  if (thread == 0) {
    initBarrier(barrier, 1);
    fenceBarrierInit();
    const u32 bytes = faulty ? 24 : 32;
    arriveExpectingBytes(barrier, bytes);
    copyBulk(shared, in, bytes, barrier); // 24
    waitForPhase(barrier, 0);
  }
)"},
                              FindingKind::Misaligned);
  EXPECT_TRUE(isAt(place, nameOfThread(0, 0), "copies", "// 24"));
}

TEST_F(CopyLimits, ACopyFromAnOddAddressIsMisaligned) {
  const Place place = placeOf({.body = R"(
  copy16(shared + thread * 16, in + thread * 4 + (faulty && thread == 3 ? 2 : 0), true); // source
  commitCopies();
  waitForCopies<0>();
)"},
                              FindingKind::Misaligned);
  EXPECT_TRUE(isAt(place, nameOfThread(0, 3), "copies from", "// source"));
}

TEST_F(CopyLimits, ACopyToAnOddAddressIsMisaligned) {
  const Place place = placeOf({.body = R"(
  if (thread == 6) {
    copy16(shared + (faulty ? 24 : 32), in, true); // target
    commitCopies();
    waitForCopies<0>();
  }
)"},
                              FindingKind::Misaligned);
  EXPECT_TRUE(isAt(place, nameOfThread(0, 6), "copies to", "// target"));
}

TEST_F(CopyLimits, ACopyThatItsPhaseDidNotExpectIsUnbalanced) {
  const Finding finding = bench.expectFault({.body = R"(
  const u32 barrier = shared + 512;
  if (thread == 0) {
    initBarrier(barrier, 1);
    fenceBarrierInit();
    arriveExpectingBytes(barrier, faulty ? 16 : 32);
    copyBulk(shared, in, 16, barrier);
    copyBulk(shared + 16, in, 16, barrier); // one too many
    waitForPhase(barrier, 0);
    arriveExpectingBytes(barrier, 16);
    copyBulk(shared + 32, in, 16, barrier);
    waitForPhase(barrier, 1);
  }
)"},
                                            FindingKind::UnbalancedBytes);
  ASSERT_EQ(finding.places.size(), 1U);
  EXPECT_TRUE(isAt(finding.places[0], nameOfThread(0, 0), "issued it", "// one too many"));
  EXPECT_NE(finding.summary.find("a copy for phase 0 of the barrier at 1536 lands in phase 1"),
            std::string::npos)
      << finding.summary;
}

TEST_F(CopyLimits, BytesThatNobodyBringsAreADeadlockThatNamesThem) {
  const Place place = placeOf({.body = R"(
  const u32 barrier = shared + 512;
  if (thread == 0) {
    initBarrier(barrier, 1);
    fenceBarrierInit();
    arriveExpectingBytes(barrier, faulty ? 48 : 32);
    copyBulk(shared, in, 32, barrier);
    waitForPhase(barrier, 0); // for 16 more
  }
)"},
                              FindingKind::Deadlock);
  EXPECT_TRUE(isAt(
      place, nameOfThread(0, 0), "0 of 1 arrivals and 16 bytes are missing", "// for 16 more"));
}

TEST_F(CopyLimits, BytesThatNobodyBringsOrWaitsForAreUnbalanced) {
  const Finding finding = bench.expectFault({.body = R"(
  const u32 barrier = shared + 512;
  if (thread == 0) {
    initBarrier(barrier, 1);
    if (faulty)
      arriveExpectingBytes(barrier, 48);
  }
)"},
                                            FindingKind::UnbalancedBytes);
  EXPECT_NE(finding.summary.find("barrier at 1536 expects 48 more bytes"), std::string::npos)
      << finding.summary;
}

TEST_F(CopyLimits, ACopyMustNotOutliveItsCta) {
  const Place place = placeOf({.body = R"(
  if (thread == 9) {
    copy16(shared, in, true); // and gone
    commitCopies();
    if (!faulty)
      waitForCopies<0>();
  }
)"},
                              FindingKind::UnbalancedBytes);
  EXPECT_TRUE(isAt(place, nameOfThread(0, 9), "issued it", "// and gone"));
}

} // namespace
} // namespace mlac::simt
