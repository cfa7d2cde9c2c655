// Probes of mlac/ptx/address.cuh and atomic.cuh.
#include "tests/simt/wrappers/ProbeParts.h"

#include <array>

namespace mlac::probes {
namespace {

constexpr auto kSharedProbes = std::to_array<ProbeRow>({
    {.name = "shared_address",
     .header = "address",
     .threads = 64,
     .smemBytes = 4096,
     .inWords = 128,
     .outWords = 128,
     .body = R"(
  // Where shared memory starts differs between machines; distances do not.
  const u32 offset = in[thread] % 4096;
  out[thread] = sharedAddress(smem + offset) - sharedAddress(smem);
  // A word written through its pointer is found through its address.
  reinterpret_cast<u32*>(smem)[thread] = in[64 + thread];
  syncCta();
  out[64 + thread] = loadSharedU32(sharedAddress(smem) + (thread * 5 + 3) % 64 * 4);
)"},
    {.name = "make_early",
     .header = "address",
     .threads = 128,
     .inWords = 256,
     .outWords = 256,
     .body = R"(
  // The address is what it was, before a branch and after it.
  const u32* const here = in + (thread * 7 + 3) % 128;
  makeEarly(here);
  makeEarly(out);
  u32 value = 5;
  if (in[128 + thread] % 2 == 0)
    value += *here;
  out[thread] = value;
  out[128 + thread] = static_cast<u32>(here - in);
)"},
    {.name = "shared_word4",
     .header = "address",
     .threads = 64,
     .smemBytes = 64 * 16,
     .inWords = 64 * 4,
     .outWords = 64 * 4,
     .body = R"(
  const u32 base = sharedAddress(smem);
  storeSharedWord4(base + thread * 16,
                   {in[thread], in[64 + thread], in[128 + thread], in[192 + thread]});
  syncCta();
  const Word4 v = loadSharedWord4(base + (thread * 7 + 3) % 64 * 16);
  out[thread * 4] = v.x;
  out[thread * 4 + 1] = v.y;
  out[thread * 4 + 2] = v.z;
  out[thread * 4 + 3] = v.w;
)"},
    {.name = "shared_i32",
     .header = "address",
     .threads = 128,
     .smemBytes = 128 * 4,
     .inWords = 128,
     .outWords = 128,
     .body = R"(
  const u32 base = sharedAddress(smem);
  storeSharedI32(base + thread * 4, static_cast<i32>(in[thread]));
  syncCta();
  // An arithmetic shift: the sign came along.
  out[thread] = static_cast<u32>(loadSharedI32(base + (thread * 7 + 3) % 128 * 4) >> 3);
)"},
    {.name = "shared_u32",
     .header = "address",
     .threads = 128,
     .smemBytes = 128 * 4,
     .inWords = 128,
     .outWords = 128,
     .body = R"(
  const u32 base = sharedAddress(smem);
  storeSharedU32(base + thread * 4, in[thread]);
  syncCta();
  out[thread] = loadSharedU32(base + (thread * 7 + 3) % 128 * 4) >> 3;
)"},
});

constexpr auto kAtomicProbes = std::to_array<ProbeRow>({
    {.name = "add_shared",
     .header = "atomic",
     .threads = 256,
     .smemBytes = 64 * 4,
     .inWords = 256,
     .outWords = 64,
     .body = R"(
  u32* const sums = reinterpret_cast<u32*>(smem);
  if (thread < 64)
    sums[thread] = thread;
  syncCta();
  addShared(sums + in[thread] % 64, in[thread]);
  addShared(sums, 1);
  syncCta();
  if (thread < 64)
    out[thread] = sums[thread];
)"},
    {.name = "add_relaxed",
     .header = "atomic",
     .threads = 64,
     .ctas = 4,
     .inWords = 256,
     .outWords = 258,
     .body = R"(
  // Each number comes back once, to whom does not matter.
  const u32 ticket = addRelaxed(out + 256, 1);
  out[ticket] = in[ticket] ^ ticket;
  addRelaxed(out + 257, in[cell]);
)"},
    {.name = "add_acquire_release",
     .header = "atomic",
     .threads = 64,
     .ctas = 4,
     .smemBytes = 4,
     .inWords = 256,
     .outWords = 256 + 64 + 1,
     .body = R"(
  // The last CTA to come sums what all have written.
  out[cell] = in[cell] * 3 + 1;
  syncCta();
  const u32 base = sharedAddress(smem);
  if (thread == 0)
    storeSharedU32(base, addAcquireRelease(out + 320, 1));
  syncCta();
  if (loadSharedU32(base) == gridDim.x - 1)
    out[256 + thread] = out[thread] + out[64 + thread] + out[128 + thread] + out[192 + thread];
)"},
    {.name = "release_acquire",
     .header = "atomic",
     .threads = 64,
     .ctas = 2,
     .smemBytes = 4,
     .inWords = 64,
     .outWords = 64 + 64 + 2,
     .body =
         R"(
  // The first CTA to come writes and the second reads, so that the one waited for is running.
  const u32 base = sharedAddress(smem);
  u32* const tickets = out + 128;
  u32* const flag = out + 129;
  if (thread == 0)
    storeSharedU32(base, addRelaxed(tickets, 1));
  syncCta();
  if (loadSharedU32(base) == 0) {
    out[thread] = in[thread] * 5;
    syncCta();
    if (thread == 0)
      storeRelease(flag, 7);
  } else {
    if (thread == 0)
      while (loadAcquire(flag) == 0) {
      }
    syncCta();
    out[64 + thread] = out[63 - thread] + loadAcquire(flag);
  }
)"},
});

} // namespace

std::span<const ProbeRow> sharedProbes() {
  return kSharedProbes;
}

std::span<const ProbeRow> atomicProbes() {
  return kAtomicProbes;
}

} // namespace mlac::probes
