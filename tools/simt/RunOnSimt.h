// RunOnSimt: a verification problem under the SIMT executor, in the fixed order and in random ones.
#pragma once

#include "common/KernelFamily.h"
#include "common/Result.h"
#include "mlac/mlac.hpp"
#include "simt/Simt.h"
#include "tools/gpu/MergeOnGpu.h"
#include "tools/gpu/RunOnGpu.h"
#include "verify/Outputs.h"
#include "verify/Problem.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace mlac {

/// The executor with one family's kernels loaded into it. Until it is gone, it is this process's
/// driver.
struct SimtSession {
  std::unique_ptr<simt::Machine> machine;
  // Both belong to the machine, so they go before it.
  Device device;
  Family family;
};

/// Installs the executor for the family's own target and compiles its kernels for it.
/// MissingDependency where there is no C++ compiler.
Result<SimtSession> openSimt(const KernelFamily& family);

/// Every way to launch the family that a small problem can show: what the planner chooses, each
/// attention kernel without splits, whose CTAs then walk a token's keys from end to end, and a
/// batch cut by its lengths.
Result<std::vector<GpuRunOptions>> everyLaunch(const Family& family,
                                               const verify::Problem& problem);

/// What the executor is told beside the problem.
struct SimtRunOptions {
  std::vector<GpuRunOptions> launches = {GpuRunOptions{}}; ///< done one after another in each order
  int interleavings = 0; ///< random orders after the fixed one, with seeds from 1 up
};

/// What came of the orders that were run: all of them, or those up to the first that went wrong.
struct SimtRun {
  int orders = 0;          ///< run, the last one included
  std::uint64_t seed = 0;  ///< of the last order; 0: the fixed one
  std::vector<Plan> plans; ///< of the last order's attention launches, up to one that went wrong
  verify::Outputs outputs; ///< of the last attention launch; empty after a finding
  std::optional<ConvertCheck> convert; ///< of the last order, where the family has a conversion
  std::optional<MergeCheck> merge;     ///< of the last order, where the family has a merge
  std::vector<simt::LaunchRecord> launches; ///< of the fixed order
  std::vector<simt::Finding> findings;      ///< of the last order
  bool passed = false;
};

/// Says whether outputs are right. Asked after each attention launch, and of shards merged.
using OutputJudge = std::function<bool(const verify::Outputs&)>;

/// Runs attention, combine, conversion and merge, order after order, until one is found to do
/// wrong, `isRight` refuses its outputs, or its conversion or its merge is wrong. An error is one
/// of the environment or the arguments; what a kernel does wrong is a finding.
Result<SimtRun> runOnSimt(const SimtSession& session,
                          const verify::Problem& problem,
                          const SimtRunOptions& options,
                          const OutputJudge& isRight);

} // namespace mlac
