// 16-byte asynchronous copies that complete on a barrier in shared memory.
// PTX ISA: "cp.async", "cp.async.mbarrier.arrive"; sm_80.
#pragma once

#include "mlac/base/types.cuh"

namespace mlac {

/// Copies 16 bytes from device to shared memory, or writes 16 zero bytes and reads nothing where
/// `present` is false.
__device__ __forceinline__ void copy16(u32 destination, const void* source, bool present) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(destination),
               "l"(source),
               "r"(present ? 16 : 0)
               : "memory");
}

/// Arrives at `barrier` when all of this thread's earlier copies have landed. The barrier counts
/// one such arrival a thread.
__device__ __forceinline__ void arriveWhenCopied(u32 barrier) {
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(barrier) : "memory");
}

} // namespace mlac
