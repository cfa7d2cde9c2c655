// Numbers: the language's literals to values, without a locale and without overflow.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

namespace mlac {

enum class NumberFault {
  NotANumber, ///< not a literal of the wanted kind, such as `64k`, or `1.5` for a whole number
  TooLarge,   ///< beyond the type
  TooSmall    ///< not zero, but nearer to it than any f32
};

/// A decimal or `0x` whole number without a sign.
std::variant<std::int64_t, NumberFault> parseWhole(std::string_view literal);

/// A decimal number without a sign (`8`, `0.5`, `1e-3`) or a `0x` whole number, rounded once to
/// f32.
std::variant<float, NumberFault> parseReal(std::string_view literal);

} // namespace mlac
