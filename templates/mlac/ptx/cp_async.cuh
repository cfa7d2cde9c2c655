// 16-byte asynchronous copies, waited for by a barrier in shared memory or by groups.
// PTX ISA: "cp.async", "cp.async.mbarrier.arrive", "cp.async.commit_group", "cp.async.wait_group";
// sm_80.
#pragma once

#include "mlac/base/types.cuh"

namespace mlac {

/// Copies 16 bytes from device to shared memory, or writes 16 zero bytes and reads nothing where
/// `present` is false.
__device__ __forceinline__ void copy16(u32 destination, const void* source, bool present) {
#ifdef MLAC_SIMT
  simt::abi->copyAsync(destination, source, 16, present);
#else
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(destination),
               "l"(source),
               "r"(present ? 16 : 0)
               : "memory");
#endif
}

/// Arrives at `barrier` when all of this thread's earlier copies have landed. The barrier counts
/// one such arrival a thread.
__device__ __forceinline__ void arriveWhenCopied(u32 barrier) {
#ifdef MLAC_SIMT
  simt::abi->arriveWhenCopied(barrier);
#else
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(barrier) : "memory");
#endif
}

/// Makes a group of this thread's copies that are in none yet.
__device__ __forceinline__ void commitCopies() {
#ifdef MLAC_SIMT
  simt::abi->commitCopies();
#else
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

/// Returns when at most the latest `kGroupsLeft` of this thread's groups are still under way. The
/// others have landed for this thread; for the rest of the CTA a barrier must follow.
template <i32 kGroupsLeft>
__device__ __forceinline__ void waitForCopies() {
#ifdef MLAC_SIMT
  simt::abi->waitCopies(kGroupsLeft);
#else
  asm volatile("cp.async.wait_group %0;" ::"n"(kGroupsLeft) : "memory");
#endif
}

} // namespace mlac
