// Barriers in shared memory that count arrivals and bytes of asynchronous copies.
// PTX ISA: "mbarrier.*"; sm_80, with expect_tx and try_wait from sm_90.
#pragma once

#include "mlac/base/types.cuh"

namespace mlac {

__device__ __forceinline__ void initBarrier(u32 barrier, u32 arrivals) {
#ifdef MLAC_SIMT
  simt::abi->initBarrier(barrier, arrivals);
#else
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
#endif
}

/// Arrives once and adds `bytes` to what the current phase waits for. sm_90.
__device__ __forceinline__ void arriveExpectingBytes(u32 barrier, u32 bytes) {
#ifdef MLAC_SIMT
  simt::abi->arriveExpectingBytes(barrier, bytes);
#else
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes)
               : "memory");
#endif
}

/// Arrives once: releases this thread's earlier accesses to those who wait for the phase.
__device__ __forceinline__ void arrive(u32 barrier) {
#ifdef MLAC_SIMT
  simt::abi->arriveBarrier(barrier);
#else
  asm volatile("{\n"
               "  .reg .b64 state;\n"
               "  mbarrier.arrive.shared.b64 state, [%0];\n"
               "}" ::"r"(barrier)
               : "memory");
#endif
}

/// Returns once the phase of that parity has completed; its writes are then visible to this thread.
__device__ __forceinline__ void waitForPhase(u32 barrier, u32 parity) {
#if defined(MLAC_SIMT)
  simt::abi->waitBarrier(barrier, parity);
#elif __CUDA_ARCH__ >= 900
  asm volatile("{\n"
               "  .reg .pred done;\n"
               "again:\n"
               "  mbarrier.try_wait.parity.shared.b64 done, [%0], %1;\n"
               "  @!done bra again;\n"
               "}" ::"r"(barrier),
               "r"(parity)
               : "memory");
#else
  asm volatile("{\n"
               "  .reg .pred done;\n"
               "again:\n"
               "  mbarrier.test_wait.parity.shared.b64 done, [%0], %1;\n"
               "  @!done bra again;\n"
               "}" ::"r"(barrier),
               "r"(parity)
               : "memory");
#endif
}

} // namespace mlac
