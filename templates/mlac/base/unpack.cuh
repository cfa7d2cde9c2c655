// 16-bit elements to f32, exactly: two from a word, as Store packs them.
#pragma once

#include "mlac/base/element.cuh"
#include "mlac/base/types.cuh"

namespace mlac {

/// The f16 in the low half of `bits`.
__device__ __forceinline__ float floatOfF16(u32 bits) {
  constexpr u32 kInfinity = 0x1fu << 23; // f16's exponent, all ones, in the place of f32's
  const u32 magnitude = (bits & 0x7fffu) << 13;
  // 2^112 is the difference of the biases; it makes normal numbers of subnormal ones, too.
  const float finite = __uint_as_float(magnitude) * 0x1p112f;
  const u32 value = magnitude < kInfinity ? __float_as_uint(finite) : magnitude | 0x7f800000u;
  return __uint_as_float(value | (bits & 0x8000u) << 16);
}

__device__ __forceinline__ float2 unpack(StoreBf16, u32 word) {
  return make_float2(__uint_as_float(word << 16), __uint_as_float(word & 0xffff0000u));
}

__device__ __forceinline__ float2 unpack(StoreF16, u32 word) {
  return make_float2(floatOfF16(word), floatOfF16(word >> 16));
}

} // namespace mlac
