// f32 to two packed 16-bit elements, rounded to nearest even.
// PTX ISA: "cvt.rn.bf16x2.f32", "cvt.rn.f16x2.f32"; sm_80.
#pragma once

#include "mlac/base/types.cuh"

namespace mlac {

__device__ __forceinline__ u32 packBf16(float low, float high) {
  u32 packed;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(packed) : "f"(high), "f"(low));
  return packed;
}

__device__ __forceinline__ u32 packF16(float low, float high) {
  u32 packed;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(packed) : "f"(high), "f"(low));
  return packed;
}

} // namespace mlac
