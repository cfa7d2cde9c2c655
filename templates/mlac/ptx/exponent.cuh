// Base-2 exponential and logarithm of the special-function unit.
// PTX ISA: "ex2.approx.ftz.f32" (relative error 2^-22), "lg2.approx.f32" (absolute error 2^-22 near
// 1, else relative); sm_52.
#pragma once

#include "mlac/base/types.cuh"

namespace mlac {

/// 2^x; 0 for -inf.
__device__ __forceinline__ float exp2Approx(float x) {
#ifdef MLAC_SIMT
  return simt::exp2Approx(x);
#else
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
#endif
}

/// log2(x); -inf for 0.
__device__ __forceinline__ float log2Approx(float x) {
#ifdef MLAC_SIMT
  return simt::log2Approx(x);
#else
  float y;
  asm("lg2.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
#endif
}

} // namespace mlac
