// Measure: what a family's attention kernels count under the SIMT executor, beside what they must.
#pragma once

#include "common/KernelFamily.h"
#include "common/Result.h"
#include "simt/count/Counters.h"
#include "tools/mlac/ExpectedCounts.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace mlac {

/// One launch of one kernel.
struct Measurement {
  int kernel = 0; ///< index in the family
  int tokens = 0;
  simt::Counters counters;
  double seconds = 0; ///< of the host
  std::vector<ExpectedCount> expected;

  /// Whether every prediction was met.
  bool agrees() const;
};

/// The prediction for a counter; nothing where there is none.
std::optional<std::int64_t> expectedValue(const Measurement& measurement, std::string_view counter);

/// Launches each attention kernel of the family, whose schedules come in the same order, for the
/// fewest tokens that the variant takes in a request (one, mostly), over `context` keys, without
/// splits. VerificationFailed where a kernel is found to do wrong; MissingDependency without a C++
/// compiler.
Result<std::vector<Measurement>> measureKernels(const KernelFamily& family,
                                                std::span<const Schedule> schedules,
                                                std::int64_t context);

} // namespace mlac
