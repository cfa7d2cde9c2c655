// Numbers of 8 and 4 bits to float and back: e4m3, e5m2, e2m1 round to nearest even and saturate;
// e8m0 holds powers of two. For the host only.
#pragma once

#include "common/Record.h"

#include <cstddef>
#include <cstdint>

namespace mlac::verify {

/// The code of `type` in the low bits of `code`, as a number. Of all types but F32.
float decodeField(FieldType type, std::uint32_t code);

/// The nearest code of `type`, of ties the even one; what lies beyond becomes the largest finite
/// number of its sign, infinity included. NaN stays NaN where the type has one (e2m1 has none: 0).
/// e8m0 rounds up to a power of two. Of all types but F32.
std::uint32_t encodeField(FieldType type, float value);

/// The largest finite number of the type; of F32, too.
float largestOf(FieldType type);

/// Element `index` of the field at `from`, whatever its type.
float loadField(FieldType type, const std::byte* from, std::int64_t index);

/// Stores `value` as element `index` of the field at `to`; the neighbour in the same byte stays.
void storeField(FieldType type, float value, std::byte* to, std::int64_t index);

} // namespace mlac::verify
