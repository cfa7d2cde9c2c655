// Counters of small kernels against what a hand counts.
#include "tests/unit/simt/TrialBench.h"

#include <map>

namespace mlac::simt {
namespace {

std::map<std::string, std::int64_t> asMap(const Counters& counters) {
  std::map<std::string, std::int64_t> map;
  forEachCounter(counters, [&](const char* name, std::int64_t value) { map.emplace(name, value); });
  return map;
}

/// All counters but steps, which depend on the host's compiler.
void expectCounts(const Outcome& done, Counters wanted) {
  ASSERT_FALSE(done.finding) << describe(*done.finding);
  EXPECT_GT(done.counters.steps, 0);
  wanted.steps = done.counters.steps;
  EXPECT_EQ(asMap(done.counters), asMap(wanted));
}

// Of one CTA of a trial.
constexpr std::int64_t kThreads = 64;
constexpr std::int64_t kWarps = 2;

class CountersOfKernels : public testing::Test {
protected:
  TrialBench bench;
};

TEST(Counters, AddUpFieldByField) {
  Counters ones;
  std::int64_t fields = 0;
  ones.ctas = ones.threads = ones.steps = ones.sharedLoads = ones.sharedStores =
      ones.sharedConflicts = ones.matrixLoads = ones.matrixStores = ones.matrixConflicts =
          ones.globalLoadBytes = ones.globalLoadSectors = ones.globalStoreBytes =
              ones.globalStoreSectors = ones.asyncCopies = ones.asyncBytes = ones.asyncSectors =
                  ones.matrixProducts = ones.ctaBarriers = ones.warpBarriers = ones.barrierWaits =
                      ones.barrierArrivals = ones.shuffles = ones.atomics = 1;
  Counters sum = ones;
  sum += ones;
  forEachCounter(sum, [&](const char* name, std::int64_t value) {
    EXPECT_EQ(value, 2) << name;
    ++fields;
  });
  EXPECT_EQ(fields * sizeof(std::int64_t), sizeof(Counters)) << "a counter is not printed";
}

TEST_F(CountersOfKernels, SharedAccessesAndMatrices) {
  const Outcome done = bench.run({.body = R"(
  storeSharedWord4(shared + thread * 16, Word4{1, 2, 3, 4}); // 0 conflicts
  syncCta();
  u32 sum = loadSharedU32(shared + lane * 8);    // two words a bank: 1 a warp
  sum += loadSharedWord4(shared + lane * 32).x;  // two rows a quarter: 4 a warp
  u32 four[4];
  loadMatrix4(four, shared + lane * 16);         // 0
  u32 two[2];
  loadMatrix2(two, shared + lane % 16 * 64);     // 4 rows a bank: 3 a matrix
  float d[4] = {};
  mmaBf16(d, four, two[0], two[1]);
  mmaBf16(d, four, two[1], two[0]);
  syncCta();
  storeMatrix4(shared + warp * 512 + lane * 16, four); // 0
  if (lane == 0 && sum + d[0] == 0.5f)
    storeSharedU32(shared, 1);                   // never
)",
                                  .ctas = 3},
                                 false);
  constexpr std::int64_t kAllWarps = 3 * kWarps;
  expectCounts(done,
               {.ctas = 3,
                .threads = 3 * kThreads,
                .sharedLoads = 2 * kAllWarps,
                .sharedStores = kAllWarps,
                .sharedConflicts = (1 + 4) * kAllWarps,
                .matrixLoads = 2 * kAllWarps,
                .matrixStores = kAllWarps,
                .matrixConflicts = 6 * kAllWarps,
                .matrixProducts = 2 * kAllWarps,
                .ctaBarriers = 2 * kAllWarps});
}

TEST_F(CountersOfKernels, DeviceMemory) {
  const Outcome done = bench.run({.body = R"(
  const u32 word = in[thread];                              // 4 sectors a warp
  const u32 far = in[lane * 32];                            // a sector each
  const uint4 row = reinterpret_cast<const uint4*>(in)[lane]; // 16 a warp
  const u32 same = in[1];                                   // 1 a warp
  out[1 + thread] = word + far + row.x + same;              // 5 a warp
  if (lane < 8)
    out[129 + thread] = 1;                                  // 32 bytes across 2 sectors
)"},
                                 false);
  expectCounts(done,
               {.ctas = 1,
                .threads = kThreads,
                .globalLoadBytes = kThreads * (4 + 4 + 16 + 4),
                .globalLoadSectors = kWarps * (4 + 32 + 16 + 1),
                .globalStoreBytes = kWarps * (32 + 8) * 4,
                .globalStoreSectors = kWarps * (5 + 2)});
}

TEST_F(CountersOfKernels, WhatLanesDoTogether) {
  const Outcome done = bench.run({.body = R"(
  u32 x = shuffleUp(thread, 1) + shuffleDown(thread, 1); // 2
  x += ballot(lane < 3) + reduceAdd(lane);               // 2
  syncWarp();
  syncWarp();
  syncThreads(1, 64);
  if (warp == 0)
    arriveThreads(2, 64);
  else
    syncThreads(2, 64);
  addRelaxed(out + 64, x);
  if (thread == 5)
    storeRelease(out + 65, loadAcquire(out + 64));
)"},
                                 false);
  expectCounts(done,
               {.ctas = 1,
                .threads = kThreads,
                .ctaBarriers = 2 * kWarps,
                .warpBarriers = 2 * kWarps,
                .shuffles = 4 * kWarps,
                .atomics = 64 + 2});
}

TEST_F(CountersOfKernels, BarriersAndCopies) {
  const Outcome done = bench.run({.body = R"(
  const u32 full = shared + 1536;
  const u32 landed = full + 8;
  if (thread == 0) {
    initBarrier(full, 1);
    initBarrier(landed, 32);
    fenceBarrierInit();
  }
  syncCta();
  if (thread == 0) {
    arriveExpectingBytes(full, 96 + 64);
    copyBulk(shared, in + 4, 96, full);        // bytes 16 to 112: 4 sectors
    copyBulk(shared + 96, in + 32, 64, full);  // 2
  }
  if (warp == 1) {
    copy16(shared + 512 + lane * 16, in + lane * 4, lane < 20); // 20 rows, 10 sectors
    arriveWhenCopied(landed);
  }
  waitForPhase(full, 0);
  if (warp == 1)
    waitForPhase(landed, 0);
)",
                                  .smemBytes = 2048},
                                 false);
  expectCounts(done,
               {.ctas = 1,
                .threads = kThreads,
                .asyncCopies = 2 + 32,
                .asyncBytes = 96 + 64 + 20 * 16,
                .asyncSectors = 4 + 2 + 10,
                .ctaBarriers = 2,
                .barrierWaits = 64 + 32,
                .barrierArrivals = 1});
}

TEST_F(CountersOfKernels, AreTheSameInEveryOrder) {
  const Trial trial = {.body = R"(
  for (u32 i = 0; i < 5 + lane % 3; ++i)
    storeSharedU32(shared + (thread + i % 4 * 64) * 4, i);
  syncCta();
  u32 sum = 0;
  for (u32 i = 0; i < 4; ++i)
    sum += loadSharedU32(shared + (thread * 2 + i) % 64 * 4);
  out[thread] = in[thread * 3] + shuffleUp(sum, 1);
)"};
  const Outcome fixed = bench.run(trial, false);
  ASSERT_FALSE(fixed.finding) << describe(*fixed.finding);
  for (std::uint64_t seed = 1; seed <= kRandomOrders; ++seed)
    expectCounts(bench.run(trial, false, seed), fixed.counters);
}

} // namespace
} // namespace mlac::simt
