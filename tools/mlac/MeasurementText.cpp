// A measurement as a table for people.
#include "tools/mlac/Explanation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace mlac {
namespace {

// Shown without a prediction: they depend on tables, lengths and values.
constexpr auto kAlsoShown =
    std::to_array<std::string_view>({"sharedConflicts", "globalLoadBytes", "globalLoadSectors"});

std::string
lineOf(std::string_view name, std::int64_t value, std::optional<std::int64_t> expected) {
  if (!expected)
    return fmt::format("    {:<20} {:>12} {:>12}\n", name, value, "-");
  return fmt::format("    {:<20} {:>12} {:>12}  {}\n",
                     name,
                     value,
                     *expected,
                     value == *expected ? "equal" : "NOT EQUAL");
}

} // namespace

std::string measurementText(const Measurement& measurement, std::int64_t context) {
  std::string text = fmt::format("{} token{} over {} keys, {:.2f} s:\n    {:<20} {:>12} {:>12}\n",
                                 measurement.tokens,
                                 measurement.tokens == 1 ? "" : "s",
                                 context,
                                 measurement.seconds,
                                 "counter",
                                 "measured",
                                 "predicted");
  simt::forEachCounter(measurement.counters, [&](const char* name, std::int64_t value) {
    const auto expected = expectedValue(measurement, name);
    const bool isShown =
        expected || std::find(kAlsoShown.begin(), kAlsoShown.end(), name) != kAlsoShown.end();
    if (isShown)
      text += lineOf(name, value, expected);
  });
  return text;
}

} // namespace mlac
