// Matrix products of a warp: 16x16 times 16x8 in 16-bit elements, summed in f32.
// PTX ISA: "mma.sync.m16n8k16"; sm_80.
#pragma once

#include "mlac/base/types.cuh"

namespace mlac {

__device__ __forceinline__ void mmaBf16(float (&d)[4], const u32 (&a)[4], u32 b0, u32 b1) {
#ifdef MLAC_SIMT
  const u32 b[2] = {b0, b1};
  simt::abi->matrixProduct(simt::kMmaBf16, d, a, b);
#else
  asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
#endif
}

__device__ __forceinline__ void mmaF16(float (&d)[4], const u32 (&a)[4], u32 b0, u32 b1) {
#ifdef MLAC_SIMT
  const u32 b[2] = {b0, b1};
  simt::abi->matrixProduct(simt::kMmaF16, d, a, b);
#else
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
#endif
}

} // namespace mlac
