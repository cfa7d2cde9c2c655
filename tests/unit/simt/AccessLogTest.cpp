// What a warp instruction costs, by its lanes' addresses, and which accesses make one.
#include "simt/count/AccessLog.h"

#include <gtest/gtest.h>

namespace mlac::simt {
namespace {

/// Lane l at base + l * stride.
LaneAddresses strided(int base, int strideBytes, std::uint32_t lanes = ~0U) {
  LaneAddresses addresses;
  addresses.lanes = lanes;
  for (std::size_t lane = 0; lane < addresses.at.size(); ++lane)
    addresses.at[lane] =
        static_cast<std::uint64_t>(base) + lane * static_cast<std::uint64_t>(strideBytes);
  return addresses;
}

TEST(BankConflicts, WordsInARowHaveNone) {
  EXPECT_EQ(bankConflicts(strided(0, 4), 4), 0);
  EXPECT_EQ(bankConflicts(strided(64, 4), 4), 0);
}

TEST(BankConflicts, AnEvenStrideOfWordsServesTheBanksSeveralTimes) {
  EXPECT_EQ(bankConflicts(strided(0, 2 * 4), 4), 1);
  EXPECT_EQ(bankConflicts(strided(0, 4 * 4), 4), 3);
  EXPECT_EQ(bankConflicts(strided(0, 32 * 4), 4), 31) << "all lanes at one bank";
}

TEST(BankConflicts, AnOddStrideOfWordsHasNone) {
  EXPECT_EQ(bankConflicts(strided(0, 3 * 4), 4), 0);
  EXPECT_EQ(bankConflicts(strided(0, 33 * 4), 4), 0) << "the padded column";
}

TEST(BankConflicts, LanesOfOneWordAreServedTogether) {
  EXPECT_EQ(bankConflicts(strided(256, 0), 4), 0);
  EXPECT_EQ(bankConflicts(strided(0, 1), 1), 0) << "four bytes of one word";
  EXPECT_EQ(bankConflicts(strided(0, 2), 2), 0);
}

TEST(BankConflicts, EightByteAccessesAreServedHalfAWarpAtATime) {
  EXPECT_EQ(bankConflicts(strided(0, 8), 8), 0);
  EXPECT_EQ(bankConflicts(strided(0, 16), 8), 2) << "one in each half";
  EXPECT_EQ(bankConflicts(strided(0, 128), 8), 2 * 15);
}

TEST(BankConflicts, SixteenByteAccessesAreServedAQuarterAtATime) {
  EXPECT_EQ(bankConflicts(strided(0, 16), 16), 0);
  EXPECT_EQ(bankConflicts(strided(0, 32), 16), 4) << "one in each quarter";
  EXPECT_EQ(bankConflicts(strided(0, 128), 16), 4 * 7);
  EXPECT_EQ(bankConflicts(strided(0, 144), 16), 0) << "rows padded by 16 bytes";
}

TEST(BankConflicts, LanesThatSkipTheAccessCostNothing) {
  EXPECT_EQ(bankConflicts(strided(0, 128, 0xf), 4), 3);
  EXPECT_EQ(bankConflicts(strided(0, 128, 1), 4), 0);
  EXPECT_EQ(bankConflicts(strided(0, 128, 0), 4), 0);
}

TEST(Sectors, AWarpOfWordsInARowTakesFour) {
  EXPECT_EQ(sectorsTouched(strided(0, 4), 4), 4);
  EXPECT_EQ(sectorsTouched(strided(4, 4), 4), 5) << "one word past a sector's start";
}

TEST(Sectors, EachLaneTakesOneOfItsOwnWhenFarApart) {
  EXPECT_EQ(sectorsTouched(strided(0, 32), 4), 32);
  EXPECT_EQ(sectorsTouched(strided(0, 4096), 4), 32);
}

TEST(Sectors, OneThatSeveralLanesTouchCountsOnce) {
  EXPECT_EQ(sectorsTouched(strided(96, 0), 4), 1);
  EXPECT_EQ(sectorsTouched(strided(0, 16), 16), 16);
}

TEST(Sectors, AnAccessAcrossABoundaryTakesBoth) {
  EXPECT_EQ(sectorsTouched(strided(24, 0, 1), 16), 2);
  EXPECT_EQ(sectorsTouched(strided(16, 0, 1), 16), 1);
}

TEST(Sectors, LanesThatSkipTheAccessTakeNone) {
  EXPECT_EQ(sectorsTouched(strided(0, 32, 0x101), 4), 2);
  EXPECT_EQ(sectorsTouched(strided(0, 32, 0), 4), 0);
}

class AccessLogTest : public testing::Test {
protected:
  void add(std::uint32_t lane,
           std::uint32_t site,
           std::uint32_t address,
           AccessSpace space = AccessSpace::Shared,
           bool write = false) {
    EXPECT_TRUE(log.add(lane, {site, 4, space, write, address}));
  }

  Counters flushed() {
    Counters counters;
    log.flush(counters);
    return counters;
  }

  AccessLog log;
};

TEST_F(AccessLogTest, LanesAtOneSiteMakeOneInstruction) {
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    add(lane, 1, lane * 128);
  const Counters counters = flushed();
  EXPECT_EQ(counters.sharedLoads, 1);
  EXPECT_EQ(counters.sharedConflicts, 31);
  EXPECT_EQ(counters.sharedStores, 0);
}

TEST_F(AccessLogTest, SitesAndDirectionsAreInstructionsOfTheirOwn) {
  add(0, 1, 0);
  add(1, 2, 128);
  add(1, 2, 128, AccessSpace::Shared, true);
  const Counters counters = flushed();
  EXPECT_EQ(counters.sharedLoads, 2);
  EXPECT_EQ(counters.sharedStores, 1);
  EXPECT_EQ(counters.sharedConflicts, 0) << "one lane each";
}

TEST_F(AccessLogTest, TheNthTimesRoundALoopBelongTogether) {
  for (std::uint32_t round = 0; round < 3; ++round) {
    add(0, 1, round * 4);
    add(1, 1, round * 4 + 128);
  }
  add(1, 1, 1024); // goes round once more
  const Counters counters = flushed();
  EXPECT_EQ(counters.sharedLoads, 4);
  EXPECT_EQ(counters.sharedConflicts, 3) << "the last round is lane 1's alone";
}

TEST_F(AccessLogTest, AFlushForgetsWhatItCounted) {
  add(0, 1, 0);
  EXPECT_EQ(flushed().sharedLoads, 1);
  EXPECT_EQ(flushed(), Counters());
}

TEST_F(AccessLogTest, DeviceMemoryCountsBytesByLaneAndSectorsByWarp) {
  for (std::uint32_t lane = 0; lane < 8; ++lane) {
    add(lane, 1, lane * 4, AccessSpace::Global);
    add(lane, 2, 1024, AccessSpace::Global, true);
  }
  const Counters counters = flushed();
  EXPECT_EQ(counters.globalLoadBytes, 32);
  EXPECT_EQ(counters.globalLoadSectors, 1);
  EXPECT_EQ(counters.globalStoreBytes, 32);
  EXPECT_EQ(counters.globalStoreSectors, 1);
  EXPECT_EQ(counters.sharedLoads + counters.sharedStores, 0);
}

TEST_F(AccessLogTest, CopiesCountTheSectorsOfTheirWarpInstruction) {
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    EXPECT_TRUE(log.add(lane, {1, 16, AccessSpace::Async, false, std::uint64_t{lane} * 16}));
  const Counters counters = flushed();
  EXPECT_EQ(counters.asyncSectors, 16) << "two copies of 16 bytes a sector";
  EXPECT_EQ(counters.globalLoadBytes, 0);
}

TEST_F(AccessLogTest, ALaneFarAheadOfItsWarpAsksForAFlush) {
  int logged = 1;
  while (log.add(3, {1, 4, AccessSpace::Shared, false, 0}) && logged < 1'000'000)
    ++logged;
  EXPECT_LT(logged, 1'000'000);
  EXPECT_EQ(flushed().sharedLoads, logged);
  EXPECT_TRUE(log.add(3, {1, 4, AccessSpace::Shared, false, 0}));
}

} // namespace
} // namespace mlac::simt
