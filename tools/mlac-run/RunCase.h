// RunCase: a case launched, compared with the reference, and timed.
#pragma once

#include "common/Result.h"
#include "mlac/mlac.hpp"
#include "tools/bench/Bench.h"
#include "tools/gpu/MergeOnGpu.h"
#include "tools/gpu/RunOnGpu.h"
#include "tools/mlac-run/Case.h"
#include "verify/Tolerance.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mlac {

struct CaseResult {
  std::string family;
  std::string target;
  verify::ProblemOptions problem;
  int tokens = 0;
  int requests = 0;
  int tokensChecked = 0;
  Plan plan;
  std::vector<KernelReport> kernels;
  verify::Report report;
  bool repeatable = false; ///< a second launch gave the same bits
  std::optional<ConvertCheck> convert;
  std::optional<MergeCheck> merge;
  std::optional<BenchResult> bench;
  double seconds = 0; ///< of the whole case, reference included

  bool passed() const {
    return report.passed() && repeatable && (!convert || convert->passed()) &&
           (!merge || merge->passed()) && (!bench || bench->replaysAgree);
  }
};

/// Bundles and families by name, each opened and loaded once.
class LoadedFamilies {
public:
  explicit LoadedFamilies(const Device& device) : device(device) {}

  Result<Family> get(const std::string& bundle, const std::string& family);

private:
  const Device& device;
  std::map<std::pair<std::string, std::string>, Family> families;
};

/// Runs one case. A difference from the reference is a result, not an error.
Result<CaseResult>
runCase(const Device& device, LoadedFamilies& families, BenchInputs& benchInputs, const Case& one);

} // namespace mlac
