// InputSets: the problems that launches of a benchmark read in turn, so that the L2 cache holds
// none of the next one.
#pragma once

#include "common/Result.h"
#include "mlac/mlac.hpp"
#include "tools/gpu/DeviceProblem.h"
#include "verify/Problem.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mlac {

/// A problem in both memories. The device's part points at the host's, so neither moves.
struct InputSet {
  verify::Problem host;
  std::unique_ptr<DeviceProblem> device;
  LaunchArgs args; ///< without a workspace
};

using InputSets = std::vector<std::unique_ptr<InputSet>>;

/// Cache bytes that a launch reads, each counted once.
std::int64_t keyBytesOf(const verify::Problem& problem);

/// Kept from one case to the next: drawing problems takes far longer than timing.
class BenchInputs {
public:
  explicit BenchInputs(const Device& device);
  BenchInputs(const BenchInputs&) = delete;
  BenchInputs& operator=(const BenchInputs&) = delete;
  ~BenchInputs();

  /// Problems like `options` with following seeds, that together hold several times the L2 cache.
  /// `key` tells options apart. The device's context must be current. Valid until the next call.
  Result<const InputSets*>
  get(const Variant& variant, const verify::ProblemOptions& options, const std::string& key);

private:
  const Device& device;
  std::optional<Variant> variant; ///< of the sets
  std::string key;
  InputSets sets;
};

} // namespace mlac
