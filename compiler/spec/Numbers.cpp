#include "compiler/spec/Numbers.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

namespace mlac {
namespace {

bool isHex(std::string_view literal) {
  return literal.starts_with("0x") || literal.starts_with("0X");
}

/// The power of ten of the first digit that is not 0; nothing when all are 0. Decides what
/// from_chars leaves open: whether a literal out of range is too large or too small.
std::optional<std::int64_t> decimalMagnitude(std::string_view literal) {
  const std::size_t exponentMark = std::min(literal.find_first_of("eE"), literal.size());
  const std::string_view mantissa = literal.substr(0, exponentMark);
  const std::size_t firstDigit = mantissa.find_first_of("123456789");
  if (firstDigit == mantissa.npos)
    return std::nullopt;
  const auto point = static_cast<std::int64_t>(std::min(mantissa.find('.'), mantissa.size()));
  const std::int64_t magnitude = point - static_cast<std::int64_t>(firstDigit);
  std::string_view digits = literal.substr(std::min(exponentMark + 1, literal.size()));
  const bool isNegative = digits.starts_with('-');
  if (isNegative || digits.starts_with('+'))
    digits.remove_prefix(1);
  std::int32_t exponent = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
  if (parsed.ec == std::errc::result_out_of_range)
    exponent = std::numeric_limits<std::int32_t>::max();
  return magnitude + (isNegative ? -std::int64_t{exponent} : std::int64_t{exponent});
}

} // namespace

std::variant<std::int64_t, NumberFault> parseWhole(std::string_view literal) {
  const std::string_view digits = isHex(literal) ? literal.substr(2) : literal;
  const int base = isHex(literal) ? 16 : 10;
  std::int64_t value = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (digits.empty() || digits.front() == '-' || parsed.ptr != digits.data() + digits.size())
    return NumberFault::NotANumber;
  if (parsed.ec == std::errc::result_out_of_range)
    return NumberFault::TooLarge;
  return value;
}

std::variant<float, NumberFault> parseReal(std::string_view literal) {
  if (isHex(literal)) {
    const auto whole = parseWhole(literal);
    if (const auto* fault = std::get_if<NumberFault>(&whole))
      return *fault;
    return static_cast<float>(std::get<std::int64_t>(whole));
  }
  const bool startsWithDigit = !literal.empty() && literal[0] >= '0' && literal[0] <= '9';
  float value = 0;
  const auto parsed = std::from_chars(literal.data(), literal.data() + literal.size(), value);
  if (!startsWithDigit || parsed.ptr != literal.data() + literal.size())
    return NumberFault::NotANumber;
  const auto magnitude = decimalMagnitude(literal);
  if (!magnitude)
    return 0.0f;
  if (parsed.ec == std::errc::result_out_of_range || value == 0 || std::isinf(value))
    return *magnitude > 0 ? NumberFault::TooLarge : NumberFault::TooSmall;
  return value;
}

} // namespace mlac
