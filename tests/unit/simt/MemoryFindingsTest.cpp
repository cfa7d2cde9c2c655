// What plain accesses do wrong: each kernel is right but for one line, and found out by it.
#include "tests/unit/simt/TrialBench.h"

#include <fmt/format.h>

namespace mlac::simt {
namespace {

class MemoryFindings : public testing::Test {
protected:
  TrialBench bench;
};

void expectSummary(const Finding& finding, std::string_view text) {
  EXPECT_NE(finding.summary.find(text), std::string::npos) << finding.summary;
}

TEST_F(MemoryFindings, ASharedAccessPastTheCtasBytesIsOutOfBounds) {
  constexpr Trial kTrial = {.body = R"(
  if (thread == 33)
    storeSharedU32(shared + (faulty ? 1024 : 1020), 1); // the last word or the next
)"};
  const Finding finding = bench.expectFault(kTrial, FindingKind::OutOfBounds);
  ASSERT_EQ(finding.places.size(), 1U);
  EXPECT_TRUE(isAt(finding.places[0], nameOfThread(0, 33), "writes", "(faulty ? 1024 : 1020)"));
  expectSummary(finding, "4 bytes at 2048 of shared memory; the CTA has [1024, 2048)");
}

TEST_F(MemoryFindings, AnAccessThroughAPointerToSharedMemoryIsHeldToTheSameBounds) {
  constexpr Trial kTrial = {.body = R"(
  u32* const words = reinterpret_cast<u32*>(smem);
  if (thread == 1)
    words[faulty ? 256 : 255] = 7; // by pointer
)"};
  const Finding finding = bench.expectFault(kTrial, FindingKind::OutOfBounds);
  ASSERT_EQ(finding.places.size(), 1U);
  EXPECT_TRUE(isAt(finding.places[0], nameOfThread(0, 1), "writes", "// by pointer"));
}

TEST_F(MemoryFindings, ADeviceAccessPastItsAllocationNamesAllocationAndPlace) {
  constexpr Trial kTrial = {.body = R"(
  if (thread == 2)
    out[faulty ? 1024 : 1023] = 1; // the tail
)"};
  const Finding finding = bench.expectFault(kTrial, FindingKind::OutOfBounds);
  ASSERT_EQ(finding.places.size(), 1U);
  EXPECT_TRUE(isAt(finding.places[0],
                   nameOfThread(0, 2),
                   "writes device memory at byte 4096 of allocation 2 (4096 bytes)",
                   "// the tail"));
}

TEST_F(MemoryFindings, ADeviceAccessBeforeItsAllocationIsOutOfBounds) {
  constexpr Trial kTrial = {.body = R"(
  out[thread] = in[static_cast<i64>(thread) - (faulty ? 1 : 0)]; // one too low
)"};
  const Finding finding = bench.expectFault(kTrial, FindingKind::OutOfBounds);
  ASSERT_EQ(finding.places.size(), 1U);
  EXPECT_TRUE(isAt(finding.places[0],
                   nameOfThread(0, 0),
                   "reads device memory at byte -4 of allocation 1",
                   "// one too low"));
}

TEST_F(MemoryFindings, AVectorAcrossTheEndOfAnAllocationIsOutOfBounds) {
  CUdeviceptr odd = 0; // 24 bytes: one vector and a half
  check(bench.driver(), bench.driver().cuMemAlloc(&odd, 24));
  check(bench.driver(), bench.driver().cuMemsetD8(odd, 1, 24));
  const std::string body = fmt::format(R"(
  const uint4* const vectors = reinterpret_cast<const uint4*>({}ull);
  const uint4 v = vectors[faulty ? 1 : 0]; // half of it
  out[thread] = v.x;
)",
                                       odd);
  const Finding finding = bench.expectFault({.body = body}, FindingKind::OutOfBounds);
  ASSERT_EQ(finding.places.size(), 1U);
  EXPECT_TRUE(isAt(finding.places[0], nameOfThread(0, 0), "reads", "// half of it"));
  expectSummary(finding, "16 bytes");
}

TEST_F(MemoryFindings, ANullPointerIsOutOfBounds) {
  constexpr Trial kTrial = {.body = R"(
  const u32* from = in;
  if (faulty)
    from = nullptr;
  asm("" : "+r"(from)); // the compiler is not to see it
  out[thread] = from[thread]; // reads it
)"};
  const Finding finding = bench.expectFault(kTrial, FindingKind::OutOfBounds);
  ASSERT_EQ(finding.places.size(), 1U);
  EXPECT_TRUE(isAt(finding.places[0], nameOfThread(0, 0), "reads", "// reads it"));
}

TEST_F(MemoryFindings, AStoreIntoAConstantIsAWriteToConstant) {
  constexpr Trial kTrial = {.body = R"(
  static const u32 kTable[4] = {2, 3, 5, 7};
  const u32* table = kTable;
  asm("" : "+r"(table)); // the compiler is not to see it
  if (faulty && thread == 40)
    const_cast<u32*>(table)[1] = 4; // changes the table
  out[thread] = table[thread % 4];
)"};
  const Finding finding = bench.expectFault(kTrial, FindingKind::ReadOnlyWrite);
  ASSERT_EQ(finding.places.size(), 1U);
  EXPECT_TRUE(isAt(finding.places[0], nameOfThread(0, 40), "writes", "// changes the table"));
}

TEST_F(MemoryFindings, ASharedReadBeforeAnyWriteIsUninitialised) {
  constexpr Trial kTrial = {.body = R"(
  if (!faulty || thread != 9)
    storeSharedU32(shared + thread * 4, thread);
  out[thread] = loadSharedU32(shared + thread * 4); // its own word
)"};
  const Finding finding = bench.expectFault(kTrial, FindingKind::Uninitialised);
  ASSERT_EQ(finding.places.size(), 1U);
  EXPECT_TRUE(isAt(finding.places[0], nameOfThread(0, 9), "reads", "// its own word"));
  expectSummary(finding, fmt::format("byte {} ", 1024 + 9 * 4));
}

TEST_F(MemoryFindings, SharedMemoryIsForgottenBetweenCtas) {
  constexpr Trial kTrial = {.body = R"(
  if (cta == 0 || !faulty)
    storeSharedU32(shared + thread * 4, thread);
  out[cta * 64 + thread] = loadSharedU32(shared + thread * 4);
)",
                            .ctas = 2};
  const Finding finding = bench.expectFault(kTrial, FindingKind::Uninitialised);
  ASSERT_EQ(finding.places.size(), 1U);
  EXPECT_TRUE(isAt(finding.places[0], nameOfThread(1, 0), "reads", "loadSharedU32"));
}

constexpr Trial kNeighbour = {.body = R"(
  storeSharedU32(shared + thread * 4, thread); // hands over
  if (!faulty)
    syncCta();
  if (warp == 1)
    out[thread] = loadSharedU32(shared + lane * 4); // takes
)"};

TEST_F(MemoryFindings, AReadThatNothingOrdersAfterTheWriteIsADataRace) {
  const Finding finding = bench.expectFault(kNeighbour, FindingKind::DataRace);
  ASSERT_EQ(finding.places.size(), 2U);
  EXPECT_TRUE(isAt(finding.places[0], nameOfThread(0, 32), "reads 4 bytes", "// takes"));
  EXPECT_TRUE(isAt(finding.places[1], nameOfThread(0, 0), "writes it", "// hands over"));
}

TEST_F(MemoryFindings, ARaceIsFoundInEveryOrder) {
  for (std::uint64_t seed = 1; seed <= kRandomOrders; ++seed) {
    const Outcome done = bench.run(kNeighbour, true, seed);
    ASSERT_TRUE(done.finding) << seed;
    const FindingKind kind = done.finding->kind;
    EXPECT_TRUE(kind == FindingKind::DataRace || kind == FindingKind::Uninitialised)
        << describe(*done.finding);
    EXPECT_EQ(done.finding->seed, seed);
  }
}

TEST_F(MemoryFindings, AWriteWhileOthersMayStillReadIsADataRace) {
  constexpr Trial kTrial = {.body = R"(
  storeSharedU32(shared + thread * 4, in[thread]);
  syncCta();
  const u32 sum = loadSharedU32(shared) + loadSharedU32(shared + thread * 4); // still reading
  if (!faulty)
    syncCta();
  if (thread == 0)
    storeSharedU32(shared, 5); // refills
  out[thread] = sum;
)"};
  const Finding finding = bench.expectFault(kTrial, FindingKind::DataRace);
  ASSERT_EQ(finding.places.size(), 2U);
  // The last thread to come to the barrier goes on first.
  EXPECT_TRUE(isAt(finding.places[0], nameOfThread(0, 0), "writes 4 bytes", "// refills"));
  EXPECT_TRUE(isAt(finding.places[1], nameOfThread(0, 63), "reads it", "// still reading"));
}

TEST_F(MemoryFindings, TwoThreadsThatWriteOneWordRace) {
  constexpr Trial kTrial = {.body = R"(
  if (thread == 3 || (faulty && thread == 4))
    out[0] = thread; // both
)"};
  const Finding finding = bench.expectFault(kTrial, FindingKind::DataRace);
  ASSERT_EQ(finding.places.size(), 2U);
  EXPECT_TRUE(isAt(finding.places[0], nameOfThread(0, 4), "writes", "// both"));
  EXPECT_TRUE(isAt(finding.places[1], nameOfThread(0, 3), "writes it", "// both"));
}

TEST_F(MemoryFindings, NeighbouringBytesOfAWordDoNotRace) {
  constexpr Trial kTrial = {.body = R"(
  u8* const bytes = reinterpret_cast<u8*>(out);
  bytes[faulty && thread == 6 ? 5 : thread] = 1; // a byte each
)"};
  const Finding finding = bench.expectFault(kTrial, FindingKind::DataRace);
  ASSERT_EQ(finding.places.size(), 2U);
  EXPECT_TRUE(isAt(finding.places[0], nameOfThread(0, 6), "writes 1 bytes", "// a byte each"));
  EXPECT_TRUE(isAt(finding.places[1], nameOfThread(0, 5), "writes it", "// a byte each"));
}

TEST_F(MemoryFindings, CtasThatShareAWordRace) {
  constexpr Trial kTrial = {.body = R"(
  if (thread == 8)
    out[faulty ? 0 : cta] = cta; // each CTA its own
)",
                            .ctas = 2};
  const Finding finding = bench.expectFault(kTrial, FindingKind::DataRace);
  ASSERT_EQ(finding.places.size(), 2U);
  // Which of the two was first is up to the host; they are one each.
  const bool oneFirst = finding.places[0].who == nameOfThread(0, 8);
  EXPECT_TRUE(isAt(finding.places[0], nameOfThread(oneFirst ? 0 : 1, 8), "writes", "// each CTA"));
  EXPECT_TRUE(isAt(finding.places[1], nameOfThread(oneFirst ? 1 : 0, 8), "writes", "// each CTA"));
}

TEST_F(MemoryFindings, AShuffleOrdersNothing) {
  constexpr Trial kTrial = {.body = R"(
  storeSharedU32(shared + thread * 4, thread); // hands over
  if (faulty)
    out[512 + thread] = shuffleUp(thread, 1);
  else
    syncWarp();
  out[thread] = loadSharedU32(shared + (thread ^ 1) * 4); // takes
)"};
  const Finding finding = bench.expectFault(kTrial, FindingKind::DataRace);
  ASSERT_EQ(finding.places.size(), 2U);
  // The last lane to come to the shuffle goes on first.
  EXPECT_TRUE(isAt(finding.places[0], nameOfThread(0, 31), "reads", "// takes"));
  EXPECT_TRUE(isAt(finding.places[1], nameOfThread(0, 30), "writes it", "// hands over"));
}

TEST_F(MemoryFindings, AWarpBarrierOrdersItsOwnWarpOnly) {
  constexpr Trial kTrial = {.body = R"(
  storeSharedU32(shared + thread * 4, thread); // each its own
  if (faulty)
    syncWarp();
  else
    syncCta();
  if (warp == 1)
    out[thread] = loadSharedU32(shared + lane * 4); // the other warp's
)"};
  const Finding finding = bench.expectFault(kTrial, FindingKind::DataRace);
  ASSERT_EQ(finding.places.size(), 2U);
  EXPECT_TRUE(isAt(finding.places[0], nameOfThread(0, 63), "reads", "// the other warp's"));
  EXPECT_TRUE(isAt(finding.places[1], nameOfThread(0, 31), "writes it", "// each its own"));
}

TEST_F(MemoryFindings, ARelaxedAtomicPublishesNothing) {
  constexpr Trial kTrial = {.body = R"(
  u32* const flag = out + 512;
  if (thread == 0) {
    out[0] = 42; // the data
    faulty ? addRelaxed(flag, 1) : addAcquireRelease(flag, 1);
  }
  if (thread == 32) {
    while (loadAcquire(flag) == 0) {
    }
    out[1] = out[0] + 1; // believes the flag
  }
)"};
  const Finding finding = bench.expectFault(kTrial, FindingKind::DataRace);
  ASSERT_EQ(finding.places.size(), 2U);
  EXPECT_TRUE(isAt(finding.places[0], nameOfThread(0, 32), "reads", "// believes the flag"));
  EXPECT_TRUE(isAt(finding.places[1], nameOfThread(0, 0), "writes it", "// the data"));
}

TEST_F(MemoryFindings, APlainReadOfAWordThatOthersUpdateIsADataRace) {
  constexpr Trial kTrial = {.body = R"(
  addRelaxed(out, 1); // all of them
  if (thread == 63)
    out[1] = faulty ? out[0] != 0 : addRelaxed(out + 2, 1); // peeks
)"};
  const Finding finding = bench.expectFault(kTrial, FindingKind::DataRace);
  ASSERT_EQ(finding.places.size(), 2U);
  EXPECT_TRUE(isAt(finding.places[0], nameOfThread(0, 63), "reads", "// peeks"));
  EXPECT_TRUE(isAt(finding.places[1], nameOfThread(0, 0), "writes it", "// all of them"));
}

TEST_F(MemoryFindings, AVectorAtAnOddAddressIsMisaligned) {
  constexpr Trial kTrial = {.body = R"(
  if (thread == 5) {
    storeSharedWord4(shared + (faulty ? 8 : 16), Word4{1, 2, 3, 4}); // by wrapper
  }
)"};
  const Finding finding = bench.expectFault(kTrial, FindingKind::Misaligned);
  ASSERT_EQ(finding.places.size(), 1U);
  EXPECT_TRUE(isAt(finding.places[0], nameOfThread(0, 5), "writes 16 bytes", "// by wrapper"));
  expectSummary(finding, "multiple of 16 is 8 past one");
}

TEST_F(MemoryFindings, AWideAccessOfDeviceMemoryAtAnOddAddressIsMisaligned) {
  constexpr Trial kTrial = {.body = R"(
  const u64* const wide = reinterpret_cast<const u64*>(in + (faulty ? 1 : 2));
  out[thread] = static_cast<u32>(wide[thread]); // 8 bytes
)"};
  const Finding finding = bench.expectFault(kTrial, FindingKind::Misaligned);
  ASSERT_EQ(finding.places.size(), 1U);
  EXPECT_TRUE(isAt(finding.places[0], nameOfThread(0, 0), "reads 8 bytes", "// 8 bytes"));
  expectSummary(finding, "multiple of 8 is 4 past one");
}

} // namespace
} // namespace mlac::simt
