// Probes of mlac/ptx/mbarrier.cuh, named_barrier.cuh and grid_dependency.cuh.
#include "tests/simt/wrappers/ProbeParts.h"

#include <array>

namespace mlac::probes {
namespace {

constexpr auto kBarrierProbes = std::to_array<ProbeRow>({
    {.name = "mbarrier_phases",
     .header = "mbarrier",
     .threads = 128,
     .smemBytes = 16 + 64 * 4,
     .inWords = 64 * 5,
     .outWords = 64 * 5,
     .body =
         R"(
  // Two warps hand one buffer to the other two, five times: both parities of both barriers.
  const u32 full = sharedAddress(smem);
  const u32 empty = full + 8;
  const u32 words = full + 16;
  if (thread == 0) {
    initBarrier(full, 64);
    initBarrier(empty, 64);
  }
  syncCta();
  const u32 mine = thread % 64;
  for (u32 round = 0; round < 5; ++round) {
    if (thread < 64) {
      if (round > 0)
        waitForPhase(empty, (round - 1) & 1);
      storeSharedU32(words + mine * 4, in[round * 64 + mine]);
      arrive(full);
    } else {
      waitForPhase(full, round & 1);
      out[round * 64 + mine] = loadSharedU32(words + (mine * 5 + round) % 64 * 4);
      arrive(empty);
    }
  }
)"},
    {.name = "mbarrier_bytes",
     .header = "bulk_copy",
     .threads = 64,
     .smemBytes = 128 + 32 * 16,
     .inWords = 32 * 4,
     .outWords = 64 * 4,
     .body =
         R"(
  // The phase ends when every lane of a warp has arrived and every lane's bytes have.
  const u32 barrier = sharedAddress(smem);
  const u32 rows = barrier + 128;
  if (thread == 0) {
    initBarrier(barrier, 32);
    fenceBarrierInit();
  }
  syncCta();
  if (thread < 32) {
    arriveExpectingBytes(barrier, 16);
    copyBulk(rows + lane * 16, in + (31 - lane) * 4, 16, barrier);
  }
  waitForPhase(barrier, 0);
  const Word4 row = loadSharedWord4(rows + (thread * 3 + 1) % 32 * 16);
  out[thread * 4] = row.x;
  out[thread * 4 + 1] = row.y;
  out[thread * 4 + 2] = row.z;
  out[thread * 4 + 3] = row.w;
)"},
    {.name = "sync_threads",
     .header = "named_barrier",
     .threads = 128,
     .smemBytes = 128 * 4,
     .inWords = 128 * 3,
     .outWords = 128 * 3,
     .body = R"(
  // Each half of the CTA goes round on its own.
  const u32 half = thread / 64;
  const u32 words = sharedAddress(smem) + half * 256;
  for (u32 round = 0; round < 3 + half; ++round) {
    const u32 now = round % 3;
    storeSharedU32(words + thread % 64 * 4, in[now * 128 + thread]);
    syncThreads(1 + half, 64);
    out[now * 128 + thread] = loadSharedU32(words + (thread * 5 + now) % 64 * 4);
    syncThreads(1 + half, 64);
  }
)"},
    {.name = "arrive_threads",
     .header = "named_barrier",
     .threads = 128,
     .smemBytes = 64 * 4,
     .inWords = 64 * 4,
     .outWords = 64 * 4,
     .body = R"(
  // Barrier 1: the words are there. Barrier 2: they have been read.
  const u32 words = sharedAddress(smem);
  const u32 mine = thread % 64;
  for (u32 round = 0; round < 4; ++round) {
    if (thread < 64) {
      if (round > 0)
        syncThreads(2, 128);
      storeSharedU32(words + mine * 4, in[round * 64 + mine]);
      arriveThreads(1, 128);
    } else {
      syncThreads(1, 128);
      out[round * 64 + mine] = loadSharedU32(words + (mine * 5 + round) % 64 * 4);
      if (round < 3)
        arriveThreads(2, 128);
    }
  }
)"},
    {.name = "grid_dependency",
     .header = "grid_dependency",
     .threads = 64,
     .ctas = 2,
     .inWords = 128,
     .outWords = 128,
     .body = R"(
  // Launched without the attribute: nothing to wait for, nobody to allow.
  waitForPreviousGrid();
  out[cell] = in[cell] + 1;
  allowNextGrid();
)"},
});

} // namespace

std::span<const ProbeRow> barrierProbes() {
  return kBarrierProbes;
}

} // namespace mlac::probes
