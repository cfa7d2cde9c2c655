// The numbered barriers of a CTA, for some of its warps.
// PTX ISA: "bar.sync", "bar.arrive"; sm_20.
#pragma once

#include "mlac/base/types.cuh"

namespace mlac {

/// Waits until `threads` threads (a multiple of 32), this one included, have come to barrier `id`
/// (0 to 15; syncCta uses 0). All of a warp must call. What those threads accessed before is
/// ordered before what this one does after.
__device__ __forceinline__ void syncThreads(u32 id, u32 threads) {
#ifdef MLAC_SIMT
  simt::abi->syncNamed(id, threads);
#else
  asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
#endif
}

/// Comes to barrier `id` without waiting: this thread's earlier accesses are ordered before what
/// those who wait do after. Counts among `threads`, which all must name alike.
__device__ __forceinline__ void arriveThreads(u32 id, u32 threads) {
#ifdef MLAC_SIMT
  simt::abi->arriveNamed(id, threads);
#else
  asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory");
#endif
}

} // namespace mlac
