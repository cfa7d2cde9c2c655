// What the lanes of a warp tell one another.
// PTX ISA: "shfl.sync", "vote.sync", "bar.warp.sync"; sm_70. Reached through the compiler's
// builtins.
#pragma once

#include "mlac/base/types.cuh"

namespace mlac {

__device__ __forceinline__ float shuffleXor(float x, i32 lanes) {
  return __shfl_xor_sync(kFullWarp, x, lanes);
}

__device__ __forceinline__ i64 shuffleFrom(i64 x, i32 lane) {
  return __shfl_sync(kFullWarp, x, lane);
}

__device__ __forceinline__ u32 shuffleFrom(u32 x, i32 lane) {
  return __shfl_sync(kFullWarp, x, lane);
}

/// Bit l is set where lane l says true.
__device__ __forceinline__ u32 ballot(bool vote) {
  return __ballot_sync(kFullWarp, vote);
}

__device__ __forceinline__ bool anyLane(bool vote) {
  return __any_sync(kFullWarp, vote);
}

__device__ __forceinline__ void syncWarp() {
  __syncwarp();
}

__device__ __forceinline__ void syncCta() {
  __syncthreads();
}

} // namespace mlac
