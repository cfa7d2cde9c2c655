// BenchRun: every case of a benchmark, checked, timed, and set beside the floor and the peers.
#pragma once

#include "common/Result.h"
#include "mlac/mlac.hpp"
#include "tools/bench/BenchReport.h"

#include <functional>
#include <string>
#include <string_view>

namespace mlac {

struct BenchRequest;

/// What is timed. The device's context, into which `family` was loaded, must be current.
struct BenchSubject {
  Device device;
  Family family;
  std::string bundle; ///< folder the kernels came from; empty where they were generated
};

/// Where warnings and progress go; the text has no end of line.
using BenchTalk = std::function<void(std::string_view)>;

/// Times every batch of a settled request. What keeps one of ours from being timed is in the
/// report's rows and errors; what keeps the floor or the peers from it is a warning. Fails only
/// where nothing can be timed at all.
Result<BenchReport>
runBench(const BenchSubject& subject, const BenchRequest& request, const BenchTalk& warn);

} // namespace mlac
