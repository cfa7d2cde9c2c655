// Lanes of a warp that do not do together what they must, and the closest that is allowed.
#include "tests/unit/simt/TrialBench.h"

#include <fmt/format.h>

namespace mlac::simt {
namespace {

class WarpFindings : public testing::Test {
protected:
  /// The places of the divergence that the trial done wrong is found to be.
  std::vector<Place> divergence(const Trial& trial, std::size_t count) {
    Finding finding = bench.expectFault(trial, FindingKind::DivergentWarp);
    EXPECT_EQ(finding.places.size(), count) << describe(finding);
    finding.places.resize(count);
    return finding.places;
  }

  TrialBench bench;
};

TEST_F(WarpFindings, LanesInTwoBranchesDiverge) {
  const auto places = divergence({.body = R"(
  u32 got = 0;
  if (faulty && thread >= 48)
    got = ballot(true); // upper half
  else
    got = shuffleXor(1.0f, 1) == 1.0f; // lower half
  out[thread] = got;
)"},
                                 2);
  EXPECT_TRUE(isAt(places[0], nameOfThread(0, 48), "is at a vote", "// upper half"));
  EXPECT_TRUE(isAt(places[1], nameOfThread(0, 32), "is at a shuffle", "// lower half"));
}

TEST_F(WarpFindings, ALaneThatHasEndedBeforeIsMissed) {
  const auto places = divergence({.body = R"(
  if (faulty && thread == 32)
    return;
  syncWarp(); // waits for lane 0
)"},
                                 2);
  EXPECT_TRUE(isAt(places[0], nameOfThread(0, 33), "is at a warp barrier", "// waits for lane 0"));
  EXPECT_TRUE(isAt(places[1], nameOfThread(0, 32), "has returned from the kernel", ""));
}

TEST_F(WarpFindings, ALaneThatEndsWhileOthersWaitIsMissed) {
  const auto places = divergence({.body = R"(
  if (faulty && thread == 35)
    return;
  out[thread] = ballot(true); // waits for lane 3
)"},
                                 2);
  EXPECT_TRUE(isAt(places[0], nameOfThread(0, 32), "waits for its warp", "// waits for lane 3"));
  EXPECT_TRUE(isAt(places[1], nameOfThread(0, 35), "has returned from the kernel", ""));
}

TEST_F(WarpFindings, AnAlignedInstructionMustBeTheSamePlaceForAllLanes) {
  const auto places = divergence({.body = R"(
  if (!faulty)
    out[thread] = ballot(lane & 1);
  else if (lane < 16)
    out[thread] = ballot(lane & 1); // the one vote
  else
    out[thread] = ballot(lane & 1); // the other
)"},
                                 2);
  EXPECT_TRUE(isAt(places[0], nameOfThread(0, 16), "is at a vote", "// the other"));
  EXPECT_TRUE(isAt(places[1], nameOfThread(0, 0), "is at a vote", "// the one vote"));
}

TEST_F(WarpFindings, AWarpBarrierMayBeReachedAtTwoPlaces) {
  bench.expectSound({.body = R"(
  storeSharedU32(shared + thread * 4, thread);
  if (lane < 16)
    syncWarp();
  else
    syncWarp();
  out[thread] = loadSharedU32(shared + (thread ^ 16) * 4);
)"});
}

TEST_F(WarpFindings, ReductionsOfTwoKindsDiverge) {
  const auto places = divergence({.body = R"(
  const unsigned kind = faulty && lane == 7 ? simt::kReduceMax : simt::kReduceAdd;
  out[thread] = simt::abi->reduce(kind, kFullWarp, lane); // by kind
)"},
                                 2);
  EXPECT_TRUE(isAt(places[0], nameOfThread(0, 7), "is at a reduction", "// by kind"));
  EXPECT_TRUE(isAt(places[1], nameOfThread(0, 0), "is at a reduction", "// by kind"));
}

TEST_F(WarpFindings, LanesMustPassTheSameMask) {
  const auto places = divergence({.body = R"(
  simt::abi->syncWarp(faulty && lane == 1 ? 0x7fffffffu : kFullWarp); // by mask
)"},
                                 2);
  EXPECT_TRUE(isAt(places[0], nameOfThread(0, 1), "is at a warp barrier", "// by mask"));
  EXPECT_TRUE(isAt(places[1], nameOfThread(0, 0), "is at a warp barrier", "// by mask"));
}

TEST_F(WarpFindings, ALaneMustBeInTheMaskItPasses) {
  const auto places = divergence({.body = R"(
  const u32 mask = lane < 16 ? 0x0000ffffu : 0xffff0000u;
  simt::abi->syncWarp(faulty && lane == 0 ? 0x0000fffeu : mask); // by mask
)"},
                                 1);
  EXPECT_TRUE(isAt(places[0], nameOfThread(0, 0), "", "// by mask"));
}

TEST_F(WarpFindings, AShuffleMustNotReadALaneOutsideItsMask) {
  const auto places = divergence({.body = R"(
  if (lane < 16)
    out[thread] = simt::shuffle(simt::kShuffleFrom, 0xffff, lane, faulty ? 20 : 3); // reads
)"},
                                 1);
  EXPECT_TRUE(isAt(places[0], nameOfThread(0, 0), "reads it", "// reads"));
}

TEST_F(WarpFindings, ACtaBarrierMustBeTheSamePlaceForAllLanesOfAWarp) {
  const auto places = divergence({.body = R"(
  if (faulty ? thread < 48 : thread < 32)
    syncCta(); // these
  else
    syncCta(); // those
)"},
                                 2);
  EXPECT_TRUE(isAt(places[0], nameOfThread(0, 48), "comes here", "// those"));
  EXPECT_TRUE(isAt(places[1], "another lane of warp 1", "comes there", "// these"));
}

TEST_F(WarpFindings, HalfAWarpCannotMultiply) {
  const auto places = divergence({.body = R"(
  float d[4] = {};
  const u32 a[4] = {};
  if (!faulty || lane < 16)
    mmaBf16(d, a, 0, 0); // multiplies
  out[thread] = d[0] == 0.0f;
)"},
                                 2);
  EXPECT_TRUE(isAt(places[0], nameOfThread(0, 0), "waits for its warp", "// multiplies"));
  EXPECT_TRUE(isAt(places[1], nameOfThread(0, 16), "has returned from the kernel", ""));
}

TEST_F(WarpFindings, AMatrixRowAtAnOddAddressIsMisaligned) {
  const Finding finding = bench.expectFault({.body = R"(
  storeSharedU32(shared + thread * 4, thread);
  syncCta();
  u32 m[2];
  loadMatrix2(m, shared + lane % 16 * 16 + (faulty && thread == 37 ? 8 : 0)); // a row a lane
  out[thread] = m[0] + m[1];
)"},
                                            FindingKind::Misaligned);
  ASSERT_EQ(finding.places.size(), 1U);
  EXPECT_TRUE(isAt(finding.places[0], nameOfThread(0, 37), "reads 16 bytes", "// a row a lane"));
}

TEST_F(WarpFindings, AMatrixRowIsReadByTheLaneThatNamesIt) {
  const Finding finding = bench.expectFault({.body = R"(
  storeSharedU32(shared + thread * 4, thread); // fills
  if (!faulty)
    syncCta();
  if (warp == 1) {
    u32 m[2];
    loadMatrix2(m, shared + lane % 16 * 16); // a row a lane
    out[thread] = m[0] + m[1];
  }
)"},
                                            FindingKind::DataRace);
  ASSERT_EQ(finding.places.size(), 2U);
  EXPECT_TRUE(isAt(finding.places[0], nameOfThread(0, 32), "reads 16 bytes", "// a row a lane"));
  EXPECT_TRUE(isAt(finding.places[1], nameOfThread(0, 0), "writes it", "// fills"));
}

} // namespace
} // namespace mlac::simt
