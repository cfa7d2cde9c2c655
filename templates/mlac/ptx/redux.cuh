// One number of all the lanes of a warp.
// PTX ISA: "redux.sync"; sm_80.
#pragma once

#include "mlac/base/types.cuh"

namespace mlac {

/// Sum over the lanes, modulo 2^32; every lane gets it.
__device__ __forceinline__ i32 reduceAdd(i32 x) {
#ifdef MLAC_SIMT
  return simt::abi->reduce(simt::kReduceAdd, kFullWarp, x);
#else
  i32 sum;
  asm volatile("redux.sync.add.s32 %0, %1, %2;" : "=r"(sum) : "r"(x), "r"(kFullWarp));
  return sum;
#endif
}

/// The smallest of the lanes' numbers.
__device__ __forceinline__ i32 reduceMin(i32 x) {
#ifdef MLAC_SIMT
  return simt::abi->reduce(simt::kReduceMin, kFullWarp, x);
#else
  i32 least;
  asm volatile("redux.sync.min.s32 %0, %1, %2;" : "=r"(least) : "r"(x), "r"(kFullWarp));
  return least;
#endif
}

/// The largest of the lanes' numbers.
__device__ __forceinline__ i32 reduceMax(i32 x) {
#ifdef MLAC_SIMT
  return simt::abi->reduce(simt::kReduceMax, kFullWarp, x);
#else
  i32 most;
  asm volatile("redux.sync.max.s32 %0, %1, %2;" : "=r"(most) : "r"(x), "r"(kFullWarp));
  return most;
#endif
}

} // namespace mlac
