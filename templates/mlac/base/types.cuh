// Fixed-width integers and constants; NVRTC brings no <cstdint>.
#pragma once

namespace mlac {

using u8 = unsigned char;
using u16 = unsigned short;
using i32 = int;
using u32 = unsigned int;
using i64 = long long;
using u64 = unsigned long long;

inline constexpr u32 kFullWarp = 0xffffffffu;
inline constexpr float kLn2 = 0.693147180559945309f;
inline constexpr float kLog2E = 1.44269504088896341f;

__device__ __forceinline__ float negativeInfinity() {
  return __int_as_float(0xff800000);
}

__device__ __forceinline__ i32 smaller(i32 a, i32 b) {
  return a < b ? a : b;
}

__device__ __forceinline__ i32 larger(i32 a, i32 b) {
  return a < b ? b : a;
}

/// Quotient and remainder that round towards minus infinity, as the language defines `/` and `%`.
__device__ __forceinline__ i32 floorDiv(i32 a, i32 b) {
  const i32 quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

__device__ __forceinline__ i32 floorMod(i32 a, i32 b) {
  return a - floorDiv(a, b) * b;
}

} // namespace mlac
