// RunPlaces: where `mlac run` runs: on the CPU, on the GPU, or under the SIMT executor.
#pragma once

#include "common/KernelFamily.h"
#include "common/Result.h"
#include "mlac/mlac.hpp"
#include "tools/gpu/MergeOnGpu.h"
#include "tools/gpu/RunOnGpu.h"
#include "tools/mlac/Console.h"
#include "tools/mlac/RunProblem.h"
#include "tools/mlac/RunSubject.h"
#include "verify/Problem.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

namespace mlac {

/// What ran and what came of it.
struct RunResult {
  std::optional<RunCheck> check; ///< absent where there are no outputs to check
  std::optional<ConvertCheck> convert;
  std::optional<MergeCheck> merge;
  std::string where;   ///< "the CPU", the GPU's name, or "SIMT for sm_120"
  std::string when;    ///< under SIMT, the last order: in words; else empty
  std::string finding; ///< what the executor found wrong, for people; empty: nothing
  Json details;        ///< of the launch, for --json
  std::string words;   ///< of the launch, for people

  bool passed() const {
    return finding.empty() && check && check->report.passed() && (!convert || convert->passed()) &&
           (!merge || merge->passed());
  }
};

/// The spec's meaning, compiled through LLVM.
Result<RunResult> runSubjectOnCpu(const RunSubject& subject, const verify::Problem& problem);

/// The generated kernels. The device's context must be current.
Result<RunResult>
runSubjectOnGpu(const RunSubject& subject, const Device& device, const verify::Problem& problem);

/// The generated kernels of `family` under the executor, in every way the problem can be launched:
/// in the fixed order, then in `interleavings` random ones, up to the first that goes wrong.
/// MissingDependency where there is no C++ compiler.
Result<RunResult>
runFamilyOnSimt(const KernelFamily& family, const verify::Problem& problem, int interleavings);

} // namespace mlac
