// BenchTable: a benchmark's report as text for people.
#pragma once

#include <string>

namespace mlac {

struct BenchReport;

/// A head line, a column for each batch, a row for the floor and for each contestant, and below
/// them why a time is missing.
std::string tableOf(const BenchReport& report);

} // namespace mlac
