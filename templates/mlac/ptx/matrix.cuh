// 8x8 matrices of 16-bit elements between shared memory and a warp's registers.
// PTX ISA: "ldmatrix", "movmatrix"; sm_75.
#pragma once

#include "mlac/base/types.cuh"

namespace mlac {

/// Four matrices; lane l holds the address of row l % 8 of matrix l / 8.
__device__ __forceinline__ void loadMatrix4(u32 (&m)[4], u32 address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(m[0]), "=r"(m[1]), "=r"(m[2]), "=r"(m[3])
               : "r"(address));
}

/// The same, each matrix transposed on the way.
__device__ __forceinline__ void loadMatrix4Transposed(u32 (&m)[4], u32 address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(m[0]), "=r"(m[1]), "=r"(m[2]), "=r"(m[3])
               : "r"(address));
}

/// Transposes one matrix that lies across the warp's registers.
__device__ __forceinline__ u32 transposeMatrix(u32 m) {
  u32 transposed;
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(transposed) : "r"(m));
  return transposed;
}

} // namespace mlac
