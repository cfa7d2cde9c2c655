// 8x8 matrices of 16-bit elements between shared memory and a warp's registers.
// PTX ISA: "ldmatrix", "movmatrix"; sm_75. "stmatrix"; sm_90.
#pragma once

#include "mlac/base/types.cuh"

namespace mlac {

/// Four matrices; lane l holds the address of row l % 8 of matrix l / 8.
__device__ __forceinline__ void loadMatrix4(u32 (&m)[4], u32 address) {
#ifdef MLAC_SIMT
  simt::abi->loadMatrices(m, 4, false, address);
#else
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(m[0]), "=r"(m[1]), "=r"(m[2]), "=r"(m[3])
               : "r"(address));
#endif
}

/// The same, each matrix transposed on the way.
__device__ __forceinline__ void loadMatrix4Transposed(u32 (&m)[4], u32 address) {
#ifdef MLAC_SIMT
  simt::abi->loadMatrices(m, 4, true, address);
#else
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(m[0]), "=r"(m[1]), "=r"(m[2]), "=r"(m[3])
               : "r"(address));
#endif
}

/// Two matrices; lane l < 16 holds the address of row l % 8 of matrix l / 8.
__device__ __forceinline__ void loadMatrix2(u32 (&m)[2], u32 address) {
#ifdef MLAC_SIMT
  simt::abi->loadMatrices(m, 2, false, address);
#else
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
               : "=r"(m[0]), "=r"(m[1])
               : "r"(address));
#endif
}

/// The same, each matrix transposed on the way.
__device__ __forceinline__ void loadMatrix2Transposed(u32 (&m)[2], u32 address) {
#ifdef MLAC_SIMT
  simt::abi->loadMatrices(m, 2, true, address);
#else
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
               : "=r"(m[0]), "=r"(m[1])
               : "r"(address));
#endif
}

/// Stores four matrices; lane l holds the address of row l % 8 of matrix l / 8. sm_90.
__device__ __forceinline__ void storeMatrix4(u32 address, const u32 (&m)[4]) {
#ifdef MLAC_SIMT
  simt::abi->storeMatrices(m, 4, false, address);
#else
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(address),
               "r"(m[0]),
               "r"(m[1]),
               "r"(m[2]),
               "r"(m[3])
               : "memory");
#endif
}

/// The same, each matrix transposed on the way. sm_90.
__device__ __forceinline__ void storeMatrix4Transposed(u32 address, const u32 (&m)[4]) {
#ifdef MLAC_SIMT
  simt::abi->storeMatrices(m, 4, true, address);
#else
  asm volatile(
      "stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(address),
      "r"(m[0]),
      "r"(m[1]),
      "r"(m[2]),
      "r"(m[3])
      : "memory");
#endif
}

/// Transposes one matrix that lies across the warp's registers.
__device__ __forceinline__ u32 transposeMatrix(u32 m) {
#ifdef MLAC_SIMT
  return simt::abi->transposeMatrix(m);
#else
  u32 transposed;
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(transposed) : "r"(m));
  return transposed;
#endif
}

} // namespace mlac
