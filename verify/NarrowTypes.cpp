#include "verify/NarrowTypes.h"

#include "verify/HalfTypes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace mlac::verify {
namespace {

/// A sign, exponent and mantissa format.
struct Format {
  int mantissaBits = 0;
  int bias = 0;
  std::uint32_t largest = 0; ///< code of the largest finite number
  std::uint32_t signBit = 0;
};

Format formatOf(FieldType type) {
  switch (type) {
  case FieldType::E4M3:
    return {3, 7, 0x7e, 0x80};
  case FieldType::E5M2:
    return {2, 15, 0x7b, 0x80};
  default:
    return {1, 1, 0x7, 0x8};
  }
}

/// Of codes up to the largest finite one.
float magnitudeOf(const Format& format, std::uint32_t code) {
  const std::uint32_t mantissa = code & ((1U << format.mantissaBits) - 1);
  const int exponent = static_cast<int>(code >> format.mantissaBits);
  const int unit = std::max(exponent, 1) - format.bias - format.mantissaBits;
  const std::uint32_t leading = exponent > 0 ? 1U << format.mantissaBits : 0;
  return std::ldexp(static_cast<float>(leading + mantissa), unit);
}

/// Numbers of the finite codes without sign, which rise with the codes.
struct Magnitudes {
  explicit Magnitudes(FieldType type) : format(formatOf(type)) {
    for (std::uint32_t code = 0; code <= format.largest; ++code)
      values[code] = magnitudeOf(format, code);
  }

  Format format;
  std::array<float, 0x7f> values{};
};

const Magnitudes& magnitudesOf(FieldType type) {
  static const Magnitudes e4m3(FieldType::E4M3);
  static const Magnitudes e5m2(FieldType::E5M2);
  static const Magnitudes e2m1(FieldType::E2M1);
  return type == FieldType::E4M3 ? e4m3 : type == FieldType::E5M2 ? e5m2 : e2m1;
}

float decodeSigned(FieldType type, std::uint32_t code) {
  const Magnitudes& magnitudes = magnitudesOf(type);
  const Format& format = magnitudes.format;
  const std::uint32_t magnitude = code & (format.signBit - 1);
  const bool isInfinity = type == FieldType::E5M2 && magnitude == format.largest + 1;
  const float value = isInfinity                   ? std::numeric_limits<float>::infinity()
                      : magnitude > format.largest ? std::numeric_limits<float>::quiet_NaN()
                                                   : magnitudes.values[magnitude];
  return (code & format.signBit) != 0 ? -value : value;
}

/// Of two neighbours the code is even that a tie rounds to.
std::uint32_t encodeSigned(FieldType type, float value) {
  const auto& [format, values] = magnitudesOf(type);
  if (std::isnan(value))
    return type == FieldType::E2M1 ? 0 : format.signBit - 1;
  const std::uint32_t sign = std::signbit(value) ? format.signBit : 0;
  const float magnitude = std::abs(value);
  if (magnitude >= values[format.largest])
    return sign | format.largest;
  const auto above = std::upper_bound(values.begin(), values.begin() + format.largest, magnitude);
  const auto high = static_cast<std::uint32_t>(above - values.begin());
  const double down = double{magnitude} - values[high - 1];
  const double up = double{values[high]} - magnitude;
  return sign | (up < down || (up == down && high % 2 == 0) ? high : high - 1);
}

constexpr int kPowerBias = 127;
constexpr std::uint32_t kPowerNan = 255;

std::uint32_t encodePower(float value) {
  if (std::isnan(value))
    return kPowerNan;
  int exponent = 0;
  const float fraction = std::frexp(std::max(value, 0.0F), &exponent);
  if (fraction == 0 || std::isinf(value))
    return fraction == 0 ? 0 : kPowerNan - 1;
  const int power = fraction == 0.5F ? exponent - 1 : exponent;
  return static_cast<std::uint32_t>(std::clamp(power + kPowerBias, 0, 2 * kPowerBias));
}

} // namespace

float decodeField(FieldType type, std::uint32_t code) {
  switch (type) {
  case FieldType::BF16:
    return bf16ToFloat(static_cast<std::uint16_t>(code));
  case FieldType::F16:
    return f16ToFloat(static_cast<std::uint16_t>(code));
  case FieldType::E8M0:
    return code == kPowerNan ? std::numeric_limits<float>::quiet_NaN()
                             : std::ldexp(1.0F, static_cast<int>(code) - kPowerBias);
  default:
    return decodeSigned(type, code);
  }
}

std::uint32_t encodeField(FieldType type, float value) {
  switch (type) {
  case FieldType::BF16:
  case FieldType::F16: {
    const float limit = largestOf(type);
    const float held = std::isnan(value) ? value : std::clamp(value, -limit, limit);
    return type == FieldType::BF16 ? floatToBf16(held) : floatToF16(held);
  }
  case FieldType::E8M0:
    return encodePower(value);
  default:
    return encodeSigned(type, value);
  }
}

float largestOf(FieldType type) {
  switch (type) {
  case FieldType::F32:
    return std::numeric_limits<float>::max();
  case FieldType::BF16:
    return bf16ToFloat(0x7f7f);
  case FieldType::F16:
    return 65504;
  case FieldType::E8M0:
    return std::ldexp(1.0F, kPowerBias);
  default: {
    const Format format = formatOf(type);
    return magnitudeOf(format, format.largest);
  }
  }
}

float loadField(FieldType type, const std::byte* from, std::int64_t index) {
  switch (fieldBits(type)) {
  case 32: {
    float value = 0;
    std::memcpy(&value, from + 4 * index, sizeof value);
    return value;
  }
  case 16: {
    std::uint16_t bits = 0;
    std::memcpy(&bits, from + 2 * index, sizeof bits);
    return decodeField(type, bits);
  }
  case 8:
    return decodeField(type, std::to_integer<std::uint32_t>(from[index]));
  default:
    return decodeField(type,
                       std::to_integer<std::uint32_t>(from[index / 2]) >> (index % 2 * 4) & 0xfU);
  }
}

void storeField(FieldType type, float value, std::byte* to, std::int64_t index) {
  if (type == FieldType::F32) {
    std::memcpy(to + 4 * index, &value, sizeof value);
    return;
  }
  const std::uint32_t code = encodeField(type, value);
  if (fieldBits(type) == 16) {
    const auto bits = static_cast<std::uint16_t>(code);
    std::memcpy(to + 2 * index, &bits, sizeof bits);
  } else if (fieldBits(type) == 8) {
    to[index] = static_cast<std::byte>(code);
  } else {
    const int shift = static_cast<int>(index % 2) * 4;
    to[index / 2] = (to[index / 2] & static_cast<std::byte>(0xf0 >> shift)) |
                    static_cast<std::byte>(code << shift);
  }
}

} // namespace mlac::verify
