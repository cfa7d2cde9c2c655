// Bulk asynchronous copies, and the fences between them and ordinary accesses.
// PTX ISA: "cp.async.bulk", "fence.proxy.async", "fence.mbarrier_init"; sm_90.
#pragma once

#include "mlac/base/types.cuh"

namespace mlac {

/// Copies `bytes` (a multiple of 16, both ends 16-byte aligned) from device to shared memory;
/// `barrier` counts them. The destination is named `.shared::cta` where PTX has it for this: on
/// sm_12x `.shared::cluster` costs some 15 guard instructions more.
__device__ __forceinline__ void
copyBulk(u32 destination, const void* source, u32 bytes, u32 barrier) {
#ifdef MLAC_SIMT
  simt::abi->copyBulk(destination, source, bytes, barrier);
#else
  asm volatile(
      "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
          destination),
      "l"(source),
      "r"(bytes),
      "r"(barrier)
      : "memory");
#endif
}

/// The same; what is copied is the first to leave the L2 cache.
__device__ __forceinline__ void
copyBulkOnce(u32 destination, const void* source, u32 bytes, u32 barrier) {
#ifdef MLAC_SIMT
  simt::abi->copyBulk(destination, source, bytes, barrier);
#else
  // What `createpolicy.fractional.L2::evict_first.b64` makes of the fraction 1.
  constexpr u64 kEvictFirst = 0x12f0000000000000;
  asm volatile(
      "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1], "
      "%2, [%3], %4;" ::"r"(destination),
      "l"(source),
      "r"(bytes),
      "r"(barrier),
      "l"(kEvictFirst)
      : "memory");
#endif
}

/// Orders this thread's earlier ordinary accesses to shared memory before later asynchronous
/// copies.
__device__ __forceinline__ void fenceBeforeBulkCopy() {
#ifdef MLAC_SIMT
  simt::abi->fenceProxy();
#else
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
}

/// Makes initialised barriers visible to the copy engine.
__device__ __forceinline__ void fenceBarrierInit() {
#ifdef MLAC_SIMT
  simt::abi->fenceBarrierInit();
#else
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
#endif
}

} // namespace mlac
