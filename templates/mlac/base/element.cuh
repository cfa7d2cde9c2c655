// The 16-bit element types: how each is multiplied, packed and stored.
#pragma once

#include "mlac/base/types.cuh"
#include "mlac/ptx/convert.cuh"
#include "mlac/ptx/mma.cuh"

namespace mlac {

struct Bf16 {
  /// Probabilities are scaled by 2^kProbabilityShift before they are rounded to this type; it
  /// cancels in O / L.
  static constexpr float kProbabilityShift = 0.0f;

  static __device__ __forceinline__ u32 pack(float low, float high) { return packBf16(low, high); }

  static __device__ __forceinline__ void mma(float (&d)[4], const u32 (&a)[4], u32 b0, u32 b1) {
    mmaBf16(d, a, b0, b1);
  }
};

struct F16 {
  /// f16 loses precision below 2^-14, which a probability among 65536 easily is.
  static constexpr float kProbabilityShift = 8.0f;

  static __device__ __forceinline__ u32 pack(float low, float high) { return packF16(low, high); }

  static __device__ __forceinline__ void mma(float (&d)[4], const u32 (&a)[4], u32 b0, u32 b1) {
    mmaF16(d, a, b0, b1);
  }
};

/// Four neighbouring outputs, written with one store. `out` is aligned to four elements.
struct StoreBf16 {
  static __device__ __forceinline__ void four(void* out, i64 index, const float (&v)[4]) {
    *reinterpret_cast<uint2*>(static_cast<u16*>(out) + index) =
        make_uint2(packBf16(v[0], v[1]), packBf16(v[2], v[3]));
  }
};

struct StoreF16 {
  static __device__ __forceinline__ void four(void* out, i64 index, const float (&v)[4]) {
    *reinterpret_cast<uint2*>(static_cast<u16*>(out) + index) =
        make_uint2(packF16(v[0], v[1]), packF16(v[2], v[3]));
  }
};

struct StoreF32 {
  static __device__ __forceinline__ void four(void* out, i64 index, const float (&v)[4]) {
    *reinterpret_cast<float4*>(static_cast<float*>(out) + index) =
        make_float4(v[0], v[1], v[2], v[3]);
  }
};

} // namespace mlac
