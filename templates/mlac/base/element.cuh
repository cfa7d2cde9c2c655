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

  static constexpr u32 kExponentBits = 0x7f80; ///< all set in infinities and NaN

  static __device__ __forceinline__ u32 pack(float low, float high) { return packBf16(low, high); }

  static __device__ __forceinline__ void mma(float (&d)[4], const u32 (&a)[4], u32 b0, u32 b1) {
    mmaBf16(d, a, b0, b1);
  }
};

struct F16 {
  /// f16 loses precision below 2^-14, which a probability among 65536 easily is.
  static constexpr float kProbabilityShift = 8.0f;

  static constexpr u32 kExponentBits = 0x7c00; ///< all set in infinities and NaN

  static __device__ __forceinline__ u32 pack(float low, float high) { return packF16(low, high); }

  static __device__ __forceinline__ void mma(float (&d)[4], const u32 (&a)[4], u32 b0, u32 b1) {
    mmaF16(d, a, b0, b1);
  }
};

/// What outputs are rounded to; 16-bit ones are packed in twos.
struct StoreBf16 {
  static constexpr i32 kBytes = 2;

  static __device__ __forceinline__ u32 pack(float low, float high) { return packBf16(low, high); }
};

struct StoreF16 {
  static constexpr i32 kBytes = 2;

  static __device__ __forceinline__ u32 pack(float low, float high) { return packF16(low, high); }
};

struct StoreF32 {
  static constexpr i32 kBytes = 4;
};

} // namespace mlac
