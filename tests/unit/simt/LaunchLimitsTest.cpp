// Launches that no target takes, and instructions that some targets lack.
#include "tests/unit/simt/TrialBench.h"

namespace mlac::simt {
namespace {

class BadLaunch : public testing::Test {
protected:
  void expectRefused(const Trial& trial, std::string_view why, std::string_view limit) {
    Trial small = trial;
    small.threads = 32;
    small.ctas = 1;
    small.smemBytes = 99 * 1024;
    const Outcome fine = bench.run(small, false);
    EXPECT_FALSE(fine.finding) << describe(*fine.finding);
    const Outcome done = bench.run(trial, false);
    EXPECT_NE(done.code, 0);
    ASSERT_TRUE(done.finding);
    EXPECT_EQ(done.finding->kind, FindingKind::BadLaunch);
    EXPECT_NE(done.finding->summary.find(why), std::string::npos) << done.finding->summary;
    EXPECT_NE(done.finding->summary.find(limit), std::string::npos) << done.finding->summary;
    EXPECT_EQ(done.counters.threads, 0) << "nothing ran";
  }

  TrialBench bench{{.target = "sm_120"}};
};

TEST_F(BadLaunch, MoreSharedMemoryThanTheTargetHasNamesBothSizes) {
  expectRefused({.body = "", .smemBytes = 99 * 1024 + 1},
                "101377 bytes of shared memory",
                "101376 on sm_120");
}

TEST_F(BadLaunch, CtasAreWholeWarpsOfAtMost1024Threads) {
  expectRefused({.body = "", .threads = 33}, "33 threads", "whole warps");
  expectRefused({.body = "", .threads = 0}, "0 threads", "at most 1024");
  expectRefused({.body = "", .threads = 1056}, "1056 threads", "at most 1024");
}

TEST_F(BadLaunch, AGridHasCtas) {
  expectRefused({.body = "", .ctas = 0}, "a grid of 0 CTAs", "1 to 2147483647");
}

/// What a target must have for the instruction of `body`.
void expectOnlyFromSm90(std::string_view body, std::string_view instruction) {
  const Trial trial = {.body = body};
  const Outcome fine = TrialBench({.target = "sm_90"}).run(trial, false);
  EXPECT_FALSE(fine.finding) << describe(*fine.finding);
  const Outcome done = TrialBench({.target = "sm_80"}).run(trial, false);
  ASSERT_TRUE(done.finding) << instruction;
  EXPECT_EQ(done.finding->kind, FindingKind::WrongTarget) << describe(*done.finding);
  EXPECT_NE(done.finding->summary.find("sm_80 has no"), std::string::npos);
  EXPECT_NE(done.finding->summary.find(instruction), std::string::npos) << done.finding->summary;
  ASSERT_EQ(done.finding->places.size(), 1U);
  EXPECT_TRUE(isAt(done.finding->places[0], nameOfThread(0, 0), "uses it", "// here"));
}

TEST(WrongTarget, BulkCopiesComeWithSm90) {
  expectOnlyFromSm90(R"(
  if (thread == 0) {
    initBarrier(shared + 512, 1);
    arriveExpectingBytes(shared + 512, 16); // here
    fenceBarrierInit();
    copyBulk(shared, in, 16, shared + 512);
    waitForPhase(shared + 512, 0);
  }
)",
                     "mbarrier.expect_tx");
}

TEST(WrongTarget, FencesOfTheAsynchronousProxyComeWithSm90) {
  expectOnlyFromSm90("\n  fenceBeforeBulkCopy(); // here\n", "fence.proxy.async");
  expectOnlyFromSm90("\n  fenceBarrierInit(); // here\n", "fence.mbarrier_init");
}

TEST(WrongTarget, DependentLaunchComesWithSm90) {
  expectOnlyFromSm90("\n  waitForPreviousGrid(); // here\n", "griddepcontrol");
  expectOnlyFromSm90("\n  allowNextGrid(); // here\n", "griddepcontrol");
}

TEST(WrongTarget, MatrixStoresComeWithSm90) {
  expectOnlyFromSm90(R"(
  const u32 m[4] = {};
  storeMatrix4(shared + warp * 512 + lane * 16, m); // here
)",
                     "stmatrix");
}

TEST(WrongTarget, SmallCopiesAndBarriersDoWithoutIt) {
  TrialBench bench({.target = "sm_80"});
  bench.expectSound({.body = R"(
  if (thread == 0)
    initBarrier(shared + 1024, 64);
  syncCta();
  copy16(shared + thread * 16, in + thread * 4, true);
  arriveWhenCopied(shared + 1024);
  waitForPhase(shared + 1024, 0);
  out[thread] = loadSharedU32(shared + thread * 16);
)",
                     .smemBytes = 1032});
}

} // namespace
} // namespace mlac::simt
