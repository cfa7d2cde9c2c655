// What the lanes of a warp tell one another.
// PTX ISA: "shfl.sync", "vote.sync", "bar.warp.sync"; sm_70; "elect.sync"; sm_90. Reached through
// the compiler's builtins where it has them.
#pragma once

#include "mlac/base/types.cuh"

namespace mlac {

__device__ __forceinline__ float shuffleXor(float x, i32 lanes) {
#ifdef MLAC_SIMT
  return simt::shuffle(simt::kShuffleXor, kFullWarp, x, lanes);
#else
  return __shfl_xor_sync(kFullWarp, x, lanes);
#endif
}

__device__ __forceinline__ i64 shuffleFrom(i64 x, i32 lane) {
#ifdef MLAC_SIMT
  return simt::shuffle(simt::kShuffleFrom, kFullWarp, x, lane);
#else
  return __shfl_sync(kFullWarp, x, lane);
#endif
}

__device__ __forceinline__ u32 shuffleFrom(u32 x, i32 lane) {
#ifdef MLAC_SIMT
  return simt::shuffle(simt::kShuffleFrom, kFullWarp, x, lane);
#else
  return __shfl_sync(kFullWarp, x, lane);
#endif
}

/// The value of the lane `lanes` (0 to 31) below; the first `lanes` lanes get their own.
__device__ __forceinline__ u32 shuffleUp(u32 x, i32 lanes) {
#ifdef MLAC_SIMT
  return simt::shuffle(simt::kShuffleUp, kFullWarp, x, lanes);
#else
  return __shfl_up_sync(kFullWarp, x, lanes);
#endif
}

/// The value of the lane `lanes` (0 to 31) above; the last `lanes` lanes get their own.
__device__ __forceinline__ u32 shuffleDown(u32 x, i32 lanes) {
#ifdef MLAC_SIMT
  return simt::shuffle(simt::kShuffleDown, kFullWarp, x, lanes);
#else
  return __shfl_down_sync(kFullWarp, x, lanes);
#endif
}

/// Bit l is set where lane l says true.
__device__ __forceinline__ u32 ballot(bool vote) {
#ifdef MLAC_SIMT
  return simt::abi->vote(simt::kVoteBallot, kFullWarp, vote);
#else
  return __ballot_sync(kFullWarp, vote);
#endif
}

__device__ __forceinline__ bool anyLane(bool vote) {
#ifdef MLAC_SIMT
  return simt::abi->vote(simt::kVoteAny, kFullWarp, vote) != 0;
#else
  return __any_sync(kFullWarp, vote);
#endif
}

__device__ __forceinline__ bool allLanes(bool vote) {
#ifdef MLAC_SIMT
  return simt::abi->vote(simt::kVoteAll, kFullWarp, vote) != 0;
#else
  return __all_sync(kFullWarp, vote);
#endif
}

/// True in one lane of the warp. Unlike a comparison with a lane number it tells the assembler that
/// the lane is alone, and instructions that take uniform registers need no loop over lanes. sm_90.
__device__ __forceinline__ bool electLane() {
#ifdef MLAC_SIMT
  simt::abi->vote(simt::kVoteAny, kFullWarp, true); // all lanes come, but nothing is ordered
  return threadIdx.x % 32 == 0;
#else
  u32 elected;
  asm volatile("{\n\t"
               ".reg .pred p;\n\t"
               "elect.sync _|p, 0xffffffff;\n\t"
               "selp.u32 %0, 1, 0, p;\n\t"
               "}"
               : "=r"(elected));
  return elected != 0;
#endif
}

__device__ __forceinline__ void syncWarp() {
#ifdef MLAC_SIMT
  simt::abi->syncWarp(kFullWarp);
#else
  __syncwarp();
#endif
}

__device__ __forceinline__ void syncCta() {
#ifdef MLAC_SIMT
  simt::abi->syncCta();
#else
  __syncthreads();
#endif
}

} // namespace mlac
