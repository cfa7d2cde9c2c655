// Probes of mlac/ptx/cp_async.cuh, bulk_copy.cuh and prefetch.cuh.
#include "tests/simt/wrappers/ProbeParts.h"

#include <array>

namespace mlac::probes {
namespace {

constexpr ProbeRow bulkRow(std::string_view name, std::string_view callee) {
  return {.name = name,
          .header = "bulk_copy",
          .threads = 64,
          .smemBytes = 128 + 1024,
          .inWords = 256 * 4,
          .outWords = 256 * 4,
          .callee = callee,
          .body = R"(
  // One slot, filled four times by two copies of different sizes.
  const u32 full = sharedAddress(smem);
  const u32 empty = full + 8;
  const u32 slot = full + 128;
  if (thread == 0) {
    initBarrier(full, 1);
    initBarrier(empty, 64);
    fenceBarrierInit();
  }
  syncCta();
  for (u32 round = 0; round < 4; ++round) {
    if (thread == 0) {
      if (round > 0) {
        waitForPhase(empty, (round - 1) & 1);
        fenceBeforeBulkCopy();
      }
      const u32* const source = in + round * 256;
      arriveExpectingBytes(full, 1024);
      CALLEE(slot, source + 20, 944, full);
      CALLEE(slot + 944, source, 80, full);
    }
    waitForPhase(full, round & 1);
    for (u32 i = 0; i < 4; ++i)
      out[round * 256 + i * 64 + thread] = loadSharedU32(slot + (i * 64 + thread) * 37 % 256 * 4);
    arrive(empty);
  }
)"};
}

constexpr auto kCopyProbes = std::to_array<ProbeRow>({
    bulkRow("copy_bulk", "copyBulk"),
    bulkRow("copy_bulk_once", "copyBulkOnce"),
    {.name = "fence_before_bulk_copy",
     .header = "bulk_copy",
     .threads = 64,
     .smemBytes = 128 + 256,
     .inWords = 64,
     .outWords = 128,
     .body = R"(
  // The copy lands where every thread has written, and read, before.
  const u32 barrier = sharedAddress(smem);
  const u32 words = barrier + 128;
  if (thread == 0) {
    initBarrier(barrier, 1);
    fenceBarrierInit();
  }
  storeSharedU32(words + thread * 4, thread * 3);
  syncCta();
  out[thread] = loadSharedU32(words + (thread + 9) % 64 * 4);
  fenceBeforeBulkCopy();
  syncCta();
  if (thread == 0) {
    fenceBeforeBulkCopy();
    arriveExpectingBytes(barrier, 256);
    copyBulk(words, in, 256, barrier);
  }
  waitForPhase(barrier, 0);
  out[64 + thread] = loadSharedU32(words + (thread + 9) % 64 * 4);
)"},
    {.name = "copy16",
     .header = "cp_async",
     .threads = 64,
     .smemBytes = 128 + 64 * 16,
     .inWords = 64 * 4 + 64,
     .outWords = 64 * 4,
     .body = R"(
  // Rows that are not present are read nowhere, and come as zeros.
  const u32 barrier = sharedAddress(smem);
  const u32 rows = barrier + 128;
  if (thread == 0)
    initBarrier(barrier, 64);
  syncCta();
  const bool present = (in[256 + thread] & 1) != 0;
  copy16(rows + thread * 16, in + (63 - thread) * 4, present);
  arriveWhenCopied(barrier);
  waitForPhase(barrier, 0);
  const Word4 row = loadSharedWord4(rows + (thread * 3 + 1) % 64 * 16);
  out[thread * 4] = row.x;
  out[thread * 4 + 1] = row.y;
  out[thread * 4 + 2] = row.z;
  out[thread * 4 + 3] = row.w;
)"},
    {.name = "arrive_when_copied",
     .header = "cp_async",
     .threads = 64,
     .smemBytes = 128 + 64 * 16 + 4,
     .inWords = 64 * 4,
     .outWords = 64 * 4 + 64,
     .body =
         R"(
  // One warp copies for both; its arrivals cover the copies, the plain one a word stored beside.
  const u32 barrier = sharedAddress(smem);
  const u32 rows = barrier + 128;
  const u32 word = rows + 64 * 16;
  if (thread == 0)
    initBarrier(barrier, 32 + 1);
  syncCta();
  if (warp == 0) {
    copy16(rows + lane * 16, in + lane * 4, true);
    copy16(rows + (32 + lane) * 16, in + (32 + lane) * 4, true);
    arriveWhenCopied(barrier);
    if (lane == 0) {
      storeSharedU32(word, in[5]);
      arrive(barrier);
    }
  }
  waitForPhase(barrier, 0);
  const Word4 row = loadSharedWord4(rows + (thread * 3 + 1) % 64 * 16);
  out[thread * 4] = row.x;
  out[thread * 4 + 1] = row.y;
  out[thread * 4 + 2] = row.z;
  out[thread * 4 + 3] = row.w;
  out[256 + thread] = loadSharedU32(word) + thread;
)"},
    {.name = "copy_groups",
     .header = "cp_async",
     .threads = 64,
     .smemBytes = 3 * 64 * 16,
     .inWords = 3 * 64 * 4,
     .outWords = 3 * 64 * 4,
     .body =
         R"(
  // The older groups are read by the thread that copied them, all by others after a barrier.
  const u32 rows = sharedAddress(smem);
  for (u32 group = 0; group < 3; ++group) {
    const u32 row = group * 64 + thread;
    copy16(rows + row * 16, in + row * 4, true);
    commitCopies();
  }
  waitForCopies<2>();
  const Word4 first = loadSharedWord4(rows + thread * 16);
  waitForCopies<1>();
  const Word4 second = loadSharedWord4(rows + (64 + thread) * 16);
  waitForCopies<0>();
  syncCta();
  const Word4 other = loadSharedWord4(rows + (thread * 29 + 7) % 192 * 16);
  const Word4 read[3] = {first, second, other};
  for (u32 group = 0; group < 3; ++group) {
    u32* const to = out + (group * 64 + thread) * 4;
    to[0] = read[group].x;
    to[1] = read[group].y;
    to[2] = read[group].z;
    to[3] = read[group].w;
  }
)"},
    {.name = "prefetch_to_l2",
     .header = "prefetch",
     .threads = 128,
     .ctas = 2,
     .inWords = 1024,
     .outWords = 1024,
     .body = R"(
  // A hint changes nothing: neither of words that are read later, nor of those just written.
  for (u32 i = 0; i < 4; ++i) {
    const u32 at = (cell * 5 + i * 256) % 1024;
    prefetchToL2(in + at);
    prefetchToL2(reinterpret_cast<const u8*>(in + at) + 3);
    out[i * 256 + cell] = in[at] + i;
    prefetchToL2(out + i * 256 + cell);
  }
)"},
});

} // namespace

std::span<const ProbeRow> copyProbes() {
  return kCopyProbes;
}

} // namespace mlac::probes
