// CounterText: the executor's counters as tables and as JSON.
#pragma once

#include "simt/Simt.h"
#include "tools/mlac/Console.h"

#include <nlohmann/json.hpp>

#include <span>
#include <string>

namespace mlac {

/// One object with every counter, in their own order.
Json countersJson(const simt::Counters& counters);

/// One object a launch: kernel, seconds and counters.
Json launchesJson(std::span<const simt::LaunchRecord> launches);

/// A line a counter, a column a launch. Ends with a newline.
std::string launchesText(std::span<const simt::LaunchRecord> launches);

/// Kind, kernel, summary, seed and places.
Json findingJson(const simt::Finding& finding);

} // namespace mlac
