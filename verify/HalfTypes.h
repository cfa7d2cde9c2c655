// bf16 and f16 bits to float and back, rounding to nearest even. For the host only.
#pragma once

#include "common/Variant.h"

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace mlac::verify {

inline float bf16ToFloat(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

inline std::uint16_t floatToBf16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if (std::isnan(value))
    return static_cast<std::uint16_t>((bits >> 16) | 0x40U);
  return static_cast<std::uint16_t>((bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16);
}

inline float f16ToFloat(std::uint16_t bits) {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000U) << 16;
  const std::uint32_t exponent = (bits >> 10) & 0x1fU;
  const std::uint32_t mantissa = bits & 0x3ffU;
  if (exponent == 0x1f)
    return std::bit_cast<float>(sign | 0x7f800000U | (mantissa << 13));
  if (exponent == 0) {
    const float magnitude = std::ldexp(static_cast<float>(mantissa), -24);
    return sign != 0 ? -magnitude : magnitude;
  }
  return std::bit_cast<float>(sign | ((exponent + 112U) << 23) | (mantissa << 13));
}

inline std::uint16_t floatToF16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 16) & 0x8000U;
  std::uint32_t magnitude = bits & 0x7fffffffU;
  if (std::isnan(value))
    return static_cast<std::uint16_t>(sign | 0x7e00U);
  // 65520 is half way between the largest f16 and the next power of two.
  if (magnitude >= 0x477ff000U)
    return static_cast<std::uint16_t>(sign | 0x7c00U);
  if (magnitude < 0x38800000U) {
    // Adding 0.5 leaves the subnormal f16 in the low mantissa bits; the addition does the rounding.
    const float shifted = std::bit_cast<float>(magnitude) + 0.5F;
    return static_cast<std::uint16_t>(sign | (std::bit_cast<std::uint32_t>(shifted) - 0x3f000000U));
  }
  magnitude += 0xfffU + ((magnitude >> 13) & 1U);
  return static_cast<std::uint16_t>(sign | ((magnitude >> 13) - (112U << 10)));
}

/// The element of `type` at `from`, which need not be aligned.
inline float loadElement(ElementType type, const std::byte* from) {
  if (type == ElementType::F32) {
    float value = 0;
    std::memcpy(&value, from, sizeof value);
    return value;
  }
  std::uint16_t bits = 0;
  std::memcpy(&bits, from, sizeof bits);
  return type == ElementType::BF16 ? bf16ToFloat(bits) : f16ToFloat(bits);
}

/// Rounds `value` to `type` and stores it at `to`, which need not be aligned.
inline void storeElement(ElementType type, float value, std::byte* to) {
  if (type == ElementType::F32) {
    std::memcpy(to, &value, sizeof value);
    return;
  }
  const std::uint16_t bits = type == ElementType::BF16 ? floatToBf16(value) : floatToF16(value);
  std::memcpy(to, &bits, sizeof bits);
}

} // namespace mlac::verify
