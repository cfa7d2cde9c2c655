// CUDA's built-in functions on numbers, and the conversions and approximations of the PTX wrappers.
#pragma once

#include "simt/device/prelude.h"

#include <math.h>

__forceinline__ float __int_as_float(int bits) {
  return mlac::simt::bitsAs<float>(bits);
}

__forceinline__ int __float_as_int(float x) {
  return mlac::simt::bitsAs<int>(x);
}

__forceinline__ unsigned __float_as_uint(float x) {
  return mlac::simt::bitsAs<unsigned>(x);
}

__forceinline__ float __uint_as_float(unsigned bits) {
  return mlac::simt::bitsAs<float>(bits);
}

__forceinline__ int __popc(unsigned x) {
  return __builtin_popcount(x);
}

__forceinline__ int __clz(int x) {
  return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x));
}

__forceinline__ int __ffs(int x) {
  return __builtin_ffs(x);
}

template <class T>
__forceinline__ T __ldg(const T* at) {
  return *at;
}

namespace mlac::simt {

/// Subnormals become zeros of their sign, as `.ftz` says.
inline float flushed(float x) {
  return fabsf(x) < 0x1p-126f ? copysignf(0.0f, x) : x;
}

/// ex2.approx.ftz.f32
inline float exp2Approx(float x) {
  return flushed(exp2f(flushed(x)));
}

/// lg2.approx.f32: takes subnormals as they are.
inline float log2Approx(float x) {
  return log2f(x);
}

/// The upper 16 bits of an f32, rounded to nearest even; every NaN becomes 0x7fff, as cvt does it.
inline unsigned bf16Bits(float x) {
  if (x != x)
    return 0x7fff;
  const unsigned bits = bitsAs<unsigned>(x);
  return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

/// Binary16, rounded to nearest even; every NaN becomes 0x7fff.
inline unsigned f16Bits(float x) {
  if (x != x)
    return 0x7fff;
  const unsigned sign = bitsAs<unsigned>(x) >> 16 & 0x8000;
  const float magnitude = fabsf(x);
  if (magnitude >= 65520.0f) // half way from the largest f16 to the next power of two
    return sign | 0x7c00;
  if (magnitude < 0x1p-14f) // subnormal: a multiple of 2^-24
    return sign | static_cast<unsigned>(rintf(magnitude * 0x1p24f));
  const unsigned bits =
      bitsAs<unsigned>(magnitude) - (112u << 23); // rebias the exponent from 127 to 15
  return sign | (bits + 0xfff + (bits >> 13 & 1)) >> 13;
}

} // namespace mlac::simt
