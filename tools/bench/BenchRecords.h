// BenchRecords: a benchmark's report for programs: JSON, and CSV for bench/results.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace mlac {

struct BenchReport;

/// One object; a time that is not there is null. docs/cli.md lists the keys.
nlohmann::ordered_json recordOf(const BenchReport& report);

/// A head line, and a line for each contestant and case, the floor among them.
std::string csvOf(const BenchReport& report);

} // namespace mlac
