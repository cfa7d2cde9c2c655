// Asynchronous copies that are read too early, written over, or unfenced.
#include "tests/unit/simt/TrialBench.h"

namespace mlac::simt {
namespace {

class CopyFindings : public testing::Test {
protected:
  std::vector<Place> placesOf(const Trial& trial, FindingKind kind, std::size_t count) {
    Finding finding = bench.expectFault(trial, kind);
    EXPECT_EQ(finding.places.size(), count) << describe(finding);
    finding.places.resize(count);
    return finding.places;
  }

  TrialBench bench;
};

std::string copyOf(std::uint32_t thread) {
  return "an asynchronous copy issued by " + nameOfThread(0, thread);
}

TEST_F(CopyFindings, ASmallCopyMustBeWaitedForByItsOwnThread) {
  const auto places = placesOf({.body = R"(
  copy16(shared + thread * 16, in + thread * 4, true); // brings it
  commitCopies();
  if (!faulty)
    waitForCopies<0>();
  out[thread] = loadSharedU32(shared + thread * 16); // takes it
)"},
                               FindingKind::AsyncRead,
                               2);
  EXPECT_TRUE(isAt(places[0], nameOfThread(0, 0), "reads 4 bytes", "// takes it"));
  EXPECT_TRUE(isAt(places[1], copyOf(0), "writes it", "// brings it"));
}

TEST_F(CopyFindings, AWaitThatLeavesAGroupUnderWayDoesNotCoverIt) {
  const auto places = placesOf({.body = R"(
  for (u32 group = 0; group < 2; ++group) {
    copy16(shared + group * 512 + thread * 16, in + thread * 4, true); // brings it
    commitCopies();
  }
  faulty ? waitForCopies<2>() : waitForCopies<1>();
  out[thread] = loadSharedU32(shared + thread * 16); // takes the first group's
  waitForCopies<0>();
)",
                                .threads = 32},
                               FindingKind::AsyncRead,
                               2);
  EXPECT_TRUE(isAt(places[0], nameOfThread(0, 0), "reads 4 bytes", "// takes the first"));
  EXPECT_TRUE(isAt(places[1], copyOf(0), "writes it", "// brings it"));
}

TEST_F(CopyFindings, OtherThreadsNeedABarrierBehindTheWait) {
  const auto places = placesOf({.body = R"(
  copy16(shared + thread * 16, in + thread * 4, true); // brings it
  commitCopies();
  waitForCopies<0>();
  if (!faulty)
    syncCta();
  out[thread] = loadSharedU32(shared + thread / 2 * 16); // a neighbour's
)"},
                               FindingKind::AsyncRead,
                               2);
  EXPECT_TRUE(isAt(places[0], nameOfThread(0, 1), "reads", "// a neighbour's"));
  EXPECT_TRUE(isAt(places[1], copyOf(0), "writes it", "// brings it"));
}

constexpr Trial kBulkRead = {.body = R"(
  const u32 barrier = shared + 512;
  if (thread == 0) {
    initBarrier(barrier, 1);
    fenceBarrierInit();
    arriveExpectingBytes(barrier, 256);
    copyBulk(shared, in, 256, barrier); // brings it
  }
  syncCta();
  if (!faulty)
    waitForPhase(barrier, 0);
  out[thread] = loadSharedU32(shared + thread * 4); // takes it
)"};

TEST_F(CopyFindings, ABulkCopyMustBeWaitedForByEveryReader) {
  const auto places = placesOf(kBulkRead, FindingKind::AsyncRead, 2);
  EXPECT_TRUE(isAt(places[0], nameOfThread(0, 63), "reads 4 bytes", "// takes it"));
  EXPECT_TRUE(isAt(places[1], copyOf(0), "writes it", "// brings it"));
}

TEST_F(CopyFindings, AnEarlyReadIsFoundInEveryOrder) {
  for (std::uint64_t seed = 1; seed <= kRandomOrders; ++seed) {
    const Outcome done = bench.run(kBulkRead, true, seed);
    ASSERT_TRUE(done.finding) << seed;
    EXPECT_EQ(done.finding->kind, FindingKind::AsyncRead) << describe(*done.finding);
  }
}

TEST_F(CopyFindings, ACopyMustNotLandWhereOthersStillRead) {
  const auto places = placesOf({.body = R"(
  storeSharedU32(shared + thread * 4, thread);
  syncCta();
  const u32 got = loadSharedU32(shared + (thread + 1) % 64 * 4); // still reading
  if (!faulty)
    syncCta();
  if (thread == 0) {
    copy16(shared, in, true); // refills
    commitCopies();
    waitForCopies<0>();
  }
  out[thread] = got;
)"},
                               FindingKind::AsyncOverwrite,
                               2);
  EXPECT_TRUE(isAt(places[0], nameOfThread(0, 0), "copies 16 bytes", "// refills"));
  EXPECT_TRUE(isAt(places[1], nameOfThread(0, 63), "reads byte 0 of it", "// still reading"));
}

TEST_F(CopyFindings, NobodyStoresIntoTheTargetOfACopyUnderWay) {
  const auto places = placesOf({.body = R"(
  if (thread == 0) {
    copy16(shared, in, true); // under way
    commitCopies();
    if (!faulty)
      waitForCopies<0>();
    storeSharedU32(shared + 8, 1); // meddles
    waitForCopies<0>();
  }
)"},
                               FindingKind::AsyncOverwrite,
                               2);
  EXPECT_TRUE(isAt(places[0], nameOfThread(0, 0), "writes 4 bytes", "// meddles"));
  EXPECT_TRUE(isAt(places[1], copyOf(0), "writes it", "// under way"));
}

TEST_F(CopyFindings, NobodyStoresIntoTheSourceOfACopyUnderWay) {
  const auto places = placesOf({.body = R"(
  if (thread == 0) {
    copy16(shared, out + 64, true); // under way
    commitCopies();
    if (!faulty)
      waitForCopies<0>();
    out[66] = 1; // meddles
    waitForCopies<0>();
  }
)"},
                               FindingKind::AsyncOverwrite,
                               2);
  EXPECT_TRUE(isAt(places[0], nameOfThread(0, 0), "writes 4 bytes", "// meddles"));
  EXPECT_TRUE(isAt(places[1], copyOf(0), "reads it", "// under way"));
}

TEST_F(CopyFindings, TwoCopiesToOnePlaceAreNotInOrder) {
  const auto places = placesOf({.body = R"(
  if (thread == 0) {
    copy16(shared, in, true); // one
    copy16(shared + (faulty ? 0 : 16), in + 4, true); // two
    commitCopies();
    waitForCopies<0>();
  }
)"},
                               FindingKind::AsyncOverwrite,
                               2);
  EXPECT_TRUE(isAt(places[0], nameOfThread(0, 0), "copies 16 bytes", "// two"));
  EXPECT_TRUE(isAt(places[1], copyOf(0), "writes byte 0 of it", "// one"));
}

TEST_F(CopyFindings, ABulkCopyOverOrdinaryAccessesNeedsAProxyFence) {
  const auto places = placesOf({.body = R"(
  const u32 barrier = shared + 512;
  if (thread == 0) {
    initBarrier(barrier, 1);
    fenceBarrierInit();
  }
  storeSharedU32(shared + thread * 4, thread); // by the ordinary proxy
  syncCta();
  if (thread == 0) {
    if (!faulty)
      fenceBeforeBulkCopy();
    arriveExpectingBytes(barrier, 256);
    copyBulk(shared, in, 256, barrier); // by the asynchronous one
  }
  waitForPhase(barrier, 0);
  out[thread] = loadSharedU32(shared + thread * 4);
)"},
                               FindingKind::MissingProxyFence,
                               2);
  EXPECT_TRUE(isAt(places[0], nameOfThread(0, 0), "copies 256 bytes", "// by the asynchronous"));
  EXPECT_TRUE(isAt(places[1], nameOfThread(0, 0), "writes byte 0 of it", "// by the ordinary"));
}

TEST_F(CopyFindings, AProxyFenceCoversOnlyWhatItsThreadKnewOf) {
  const auto places = placesOf({.body = R"(
  const u32 barrier = shared + 512;
  if (thread == 0) {
    initBarrier(barrier, 1);
    fenceBarrierInit();
  }
  storeSharedU32(shared + thread * 4, thread); // by the ordinary proxy
  if (faulty && thread == 0)
    fenceBeforeBulkCopy(); // too early for what the others store
  syncCta();
  if (thread == 0) {
    if (!faulty)
      fenceBeforeBulkCopy();
    arriveExpectingBytes(barrier, 256);
    copyBulk(shared, in, 256, barrier); // by the asynchronous one
  }
  waitForPhase(barrier, 0);
)"},
                               FindingKind::MissingProxyFence,
                               2);
  EXPECT_TRUE(isAt(places[1], nameOfThread(0, 1), "writes byte 4 of it", "// by the ordinary"));
}

TEST_F(CopyFindings, ABulkCopyNeedsAFenceAfterItsBarriersInitialisation) {
  const auto places = placesOf({.body = R"(
  const u32 barrier = shared + 512;
  if (thread == 0) {
    initBarrier(barrier, 1);
    if (!faulty)
      fenceBarrierInit();
    arriveExpectingBytes(barrier, 16);
    copyBulk(shared, in, 16, barrier); // by the copy engine
    waitForPhase(barrier, 0);
  }
)"},
                               FindingKind::BarrierMisuse,
                               1);
  EXPECT_TRUE(isAt(places[0], nameOfThread(0, 0), "copies", "// by the copy engine"));
}

} // namespace
} // namespace mlac::simt
