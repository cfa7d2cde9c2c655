// SpecProperties: what holds for the front end whatever bytes it is given.
#pragma once

#include <optional>
#include <string>

namespace mlac::test {

/// Parses, checks, formats and prints `text`. Returns which promise was broken, with the texts that
/// show it.
std::optional<std::string> brokenSpecProperty(const std::string& text);

} // namespace mlac::test
