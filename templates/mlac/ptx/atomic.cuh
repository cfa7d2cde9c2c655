// Atomic operations: sums in shared memory, and words of device memory by which CTAs meet.
// PTX ISA: "red", relaxed, at CTA scope, reached through the compiler's builtin; "atom",
// "ld.acquire" and "st.release" at GPU scope; sm_70.
#pragma once

#include "mlac/base/types.cuh"

namespace mlac {

/// Adds to a word of shared memory and returns what it held before. Orders nothing else.
__device__ __forceinline__ u32 addShared(u32* word, u32 value) {
#ifdef MLAC_SIMT
  return static_cast<u32>(
      simt::abi->atomic(simt::kAtomicAdd, word, sizeof value, value, simt::kRelaxed));
#else
  return atomicAdd(word, value);
#endif
}

/// Adds to a word of device memory and returns what it held before. Orders nothing else.
__device__ __forceinline__ u32 addRelaxed(u32* word, u32 value) {
#ifdef MLAC_SIMT
  return static_cast<u32>(
      simt::abi->atomic(simt::kAtomicAdd, word, sizeof value, value, simt::kRelaxed));
#else
  u32 before;
  asm volatile("atom.relaxed.gpu.global.add.u32 %0, [%1], %2;"
               : "=r"(before)
               : "l"(word), "r"(value)
               : "memory");
  return before;
#endif
}

/// The same, and orders: what happened before an earlier release of the word is ordered before what
/// this thread does after, and what it did before is ordered before what follows a later acquire.
__device__ __forceinline__ u32 addAcquireRelease(u32* word, u32 value) {
#ifdef MLAC_SIMT
  return static_cast<u32>(
      simt::abi->atomic(simt::kAtomicAdd, word, sizeof value, value, simt::kAcquireRelease));
#else
  u32 before;
  asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], %2;"
               : "=r"(before)
               : "l"(word), "r"(value)
               : "memory");
  return before;
#endif
}

/// A word of device memory; what happened before the release that wrote it is ordered before what
/// this thread does after.
__device__ __forceinline__ u32 loadAcquire(const u32* word) {
#ifdef MLAC_SIMT
  return static_cast<u32>(
      simt::abi->atomic(simt::kAtomicLoad, const_cast<u32*>(word), sizeof(u32), 0, simt::kAcquire));
#else
  u32 value;
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(word) : "memory");
  return value;
#endif
}

/// Writes a word of device memory; what this thread did before is ordered before what follows an
/// acquire that reads it.
__device__ __forceinline__ void storeRelease(u32* word, u32 value) {
#ifdef MLAC_SIMT
  simt::abi->atomic(simt::kAtomicStore, word, sizeof value, value, simt::kRelease);
#else
  asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(word), "r"(value) : "memory");
#endif
}

} // namespace mlac
