// f32 to two packed 16-bit elements, rounded to nearest even.
// PTX ISA: "cvt.rn.bf16x2.f32", "cvt.rn.f16x2.f32"; sm_80.
#pragma once

#include "mlac/base/types.cuh"

namespace mlac {

__device__ __forceinline__ u32 packBf16(float low, float high) {
#ifdef MLAC_SIMT
  return simt::bf16Bits(high) << 16 | simt::bf16Bits(low);
#else
  u32 packed;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(packed) : "f"(high), "f"(low));
  return packed;
#endif
}

__device__ __forceinline__ u32 packF16(float low, float high) {
#ifdef MLAC_SIMT
  return simt::f16Bits(high) << 16 | simt::f16Bits(low);
#else
  u32 packed;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(packed) : "f"(high), "f"(low));
  return packed;
#endif
}

} // namespace mlac
