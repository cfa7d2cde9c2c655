// What the templates build on, in kernels that are right: they must pass, and write what they
// should, in the fixed order and in random ones.
#include "tests/unit/simt/TrialBench.h"

namespace mlac::simt {
namespace {

class Model : public testing::Test {
protected:
  TrialBench bench;
};

/// Word i of the input.
constexpr std::uint32_t input(std::uint32_t i) {
  return 1000 + i;
}

TEST_F(Model, NamedBarriersHandABufferFromProducersToConsumers) {
  const auto out = bench.expectSound({.body = R"(
  // Barrier 1: filled. Barrier 2: read.
  for (u32 round = 0; round < 6; ++round) {
    if (warp == 0) {
      if (round > 0)
        syncThreads(2, 64);
      storeSharedU32(shared + lane * 4, in[round * 32 + lane]);
      arriveThreads(1, 64);
    } else {
      syncThreads(1, 64);
      out[round * 32 + lane] = loadSharedU32(shared + (31 - lane) * 4);
      if (round < 5)
        arriveThreads(2, 64);
    }
  }
)"});
  for (std::uint32_t round = 0; round < 6; ++round)
    for (std::uint32_t lane = 0; lane < 32; ++lane)
      EXPECT_EQ(out[round * 32 + lane], input(round * 32 + 31 - lane));
}

TEST_F(Model, CopyGroupsComeInTheOrderOfTheirCommits) {
  const auto out = bench.expectSound({.body = R"(
  // Two groups ahead, as a pipeline of three slots.
  for (u32 group = 0; group < 8; ++group) {
    if (group < 6)
      copy16(shared + (group % 3 * 64 + thread) * 16, in + (group * 8 + thread % 8) * 4, true);
    commitCopies();
    if (group >= 2) {
      waitForCopies<2>();
      out[(group - 2) * 64 + thread] = loadSharedU32(shared + ((group - 2) % 3 * 64 + thread) * 16);
    }
  }
)",
                                      .smemBytes = 3 * 1024});
  for (std::uint32_t group = 0; group < 6; ++group)
    for (std::uint32_t thread = 0; thread < 64; ++thread)
      EXPECT_EQ(out[group * 64 + thread], input((group * 8 + thread % 8) * 4));
}

TEST_F(Model, CopiesArriveAtABarrierForTheirThread) {
  const auto out = bench.expectSound({.body = R"(
  const u32 barrier = shared + 1024;
  if (thread == 0)
    initBarrier(barrier, 32);
  syncCta();
  if (warp == 0) {
    copy16(shared + lane * 16, in + lane * 4, true);
    copy16(shared + (32 + lane) * 16, in + (32 + lane) * 4, lane % 2 == 0);
    arriveWhenCopied(barrier);
  }
  waitForPhase(barrier, 0);
  out[thread] = loadSharedU32(shared + (thread ^ 1) * 16);
)",
                                      .smemBytes = 1032});
  EXPECT_EQ(out[0], input(4));
  EXPECT_EQ(out[32], 0U) << "row 33 is not present";
  EXPECT_EQ(out[33], input(32 * 4));
}

constexpr Trial kRing = {.body = R"(
  // Warp 0 fills two slots by bulk copies, warp 1 reads them.
  const u32 full = shared;
  const u32 empty = shared + 16;
  const u32 slots = shared + 128;
  if (thread == 0) {
    for (u32 slot = 0; slot < 2; ++slot) {
      initBarrier(full + slot * 8, 1);
      initBarrier(empty + slot * 8, 32);
    }
    fenceBarrierInit();
  }
  syncCta();
  for (u32 round = 0; round < 9; ++round) {
    const u32 slot = round % 2;
    const u32 parity = round / 2 & 1;
    if (thread == 0) {
      waitForPhase(empty + slot * 8, parity ^ 1); // the first time round nobody has to leave
      if (!faulty)
        fenceBeforeBulkCopy();
      arriveExpectingBytes(full + slot * 8, 128);
      copyBulk(slots + slot * 128, in + round * 32, 128, full + slot * 8);
    }
    if (warp == 1) {
      waitForPhase(full + slot * 8, parity);
      out[round * 32 + lane] = loadSharedU32(slots + slot * 128 + lane * 4); // consumes
      arrive(empty + slot * 8);
    }
  }
)"};

TEST_F(Model, ARingOfTwoSlotsIsFilledByBulkCopies) {
  const auto out = bench.expectSound(kRing);
  for (std::uint32_t i = 0; i < 9 * 32; ++i)
    EXPECT_EQ(out[i], input(i));
}

TEST_F(Model, ARingWithoutItsProxyFenceIsFoundOutAtTheFirstRefill) {
  const Finding finding = bench.expectFault(kRing, FindingKind::MissingProxyFence);
  ASSERT_EQ(finding.places.size(), 2U);
  EXPECT_TRUE(isAt(finding.places[0], nameOfThread(0, 0), "copies 128 bytes", "copyBulk(slots"));
  EXPECT_TRUE(isAt(finding.places[1], nameOfThread(0, 32), "reads byte 0 of it", "// consumes"));
}

TEST_F(Model, BytesMayLandBeforeTheyAreExpected) {
  const auto out = bench.expectSound({.body = R"(
  const u32 barrier = shared + 512;
  if (thread == 0) {
    initBarrier(barrier, 2);
    fenceBarrierInit();
    arriveExpectingBytes(barrier, 16);
    copyBulk(shared, in, 16, barrier);
    copyBulk(shared + 16, in + 4, 16, barrier);
    arriveExpectingBytes(barrier, 16);
  }
  syncCta();
  waitForPhase(barrier, 0);
  out[thread] = loadSharedU32(shared + thread % 8 * 4);
)"});
  EXPECT_EQ(out[6], input(6));
}

TEST_F(Model, AWaitForTheOtherParityReturnsAtOnceInTheFirstPhase) {
  const auto out = bench.expectSound({.body = R"(
  if (thread == 0) {
    initBarrier(shared, 64);
    waitForPhase(shared, 1);
    out[0] = 7;
  }
)"});
  EXPECT_EQ(out[0], 7U);
}

TEST_F(Model, AFlagIsPolledWhileACopyIsUnderWay) {
  const auto out = bench.expectSound({.body = R"(
  // Thread 32 never waits, it polls; the copy must land all the same.
  const u32 barrier = shared + 512;
  if (thread == 0) {
    initBarrier(barrier, 1);
    fenceBarrierInit();
    arriveExpectingBytes(barrier, 64);
    copyBulk(shared, in, 64, barrier);
    waitForPhase(barrier, 0);
    out[1] = loadSharedU32(shared + 60);
    storeRelease(out + 2, 1);
  }
  if (thread == 32) {
    while (loadAcquire(out + 2) == 0) {
    }
    out[0] = out[1];
  }
)"});
  EXPECT_EQ(out[0], input(15));
}

TEST_F(Model, PartsOfAWarpGoTheirOwnWaysByMasks) {
  const auto out = bench.expectSound({.body = R"(
  const u32 half = lane / 16;
  const u32 mask = 0xffffu << half * 16;
  if (half == 0) {
    storeSharedU32(shared + thread * 4, thread);
    simt::abi->syncWarp(mask);
    out[thread] = loadSharedU32(shared + (thread ^ 15) * 4);
  } else {
    out[thread] = simt::shuffle(simt::kShuffleXor, mask, thread, 1);
    out[64 + thread] = simt::abi->vote(simt::kVoteBallot, mask, lane % 4 == 0);
    out[128 + thread] = simt::abi->vote(simt::kVoteAll, mask, lane >= 16);
    out[192 + thread] = simt::abi->vote(simt::kVoteAny, mask, lane < 16);
    out[256 + thread] = simt::abi->reduce(simt::kReduceMin, mask, static_cast<i32>(lane) - 20);
  }
)"});
  EXPECT_EQ(out[32], 47U);
  EXPECT_EQ(out[48], 49U);
  EXPECT_EQ(out[64 + 48], 0x1111'0000U) << "lanes outside the mask have no vote";
  EXPECT_EQ(out[128 + 48], 1U);
  EXPECT_EQ(out[192 + 48], 0U);
  EXPECT_EQ(out[256 + 48], static_cast<std::uint32_t>(-4));
}

TEST_F(Model, AHalfThatWaitsDoesNotHoldUpTheOther) {
  const auto out = bench.expectSound({.body = R"(
  // Lanes 16 and up wait at their own barrier for what lane 0 does after lanes 0 to 15 met.
  if (thread == 0)
    initBarrier(shared + 512, 1);
  syncCta();
  if (lane >= 16)
    waitForPhase(shared + 512, 0);
  else
    simt::abi->syncWarp(0xffff);
  if (thread == 0)
    arrive(shared + 512);
  syncWarp();
  out[thread] = 1;
)"});
  EXPECT_EQ(out[63], 1U);
}

TEST_F(Model, SumsInSharedMemoryNeedNoOrderAmongThemselves) {
  const auto out = bench.expectSound({.body = R"(
  u32* const sum = reinterpret_cast<u32*>(smem);
  if (thread == 0)
    *sum = 5;
  syncCta();
  addShared(sum, thread);
  syncCta();
  out[thread] = *sum;
)"});
  EXPECT_EQ(out[17], 5U + 63U * 64U / 2U);
}

} // namespace
} // namespace mlac::simt
