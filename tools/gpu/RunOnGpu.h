// RunOnGpu: one launch of a verification problem on a GPU, start to end.
#pragma once

#include "common/Result.h"
#include "mlac/mlac.hpp"
#include "tools/gpu/DeviceBuffer.h"
#include "verify/Outputs.h"
#include "verify/Problem.h"

#include <string>
#include <vector>

namespace mlac {

class DeviceProblem;

/// What the planner is told beside the problem's own size.
struct GpuRunOptions {
  int kernel = -1;      ///< index of the attention kernel; -1: the planner's choice
  int splits = 0;       ///< 0: the planner's choice
  bool balance = false; ///< cut the batch by its lengths
};

struct GpuRun {
  Plan plan;
  verify::Outputs outputs;
};

/// The plan for a problem's exact size.
Result<Plan>
planFor(const Family& family, const verify::Problem& problem, const GpuRunOptions& options = {});

/// How a plan cuts rows: "3 splits", or "balanced in 132 parts".
std::string cutWords(const Plan& plan);

/// Enqueues the schedule of a balanced plan on `stream`, which must wait for uploads by itself; an
/// empty buffer for others.
Result<DeviceBuffer> scheduleOnGpu(const Device& device,
                                   const Family& family,
                                   const Plan& plan,
                                   const LaunchArgs& args,
                                   Stream stream);

/// Uploads, plans, launches, waits, and brings the outputs back. The
/// workspace holds NaN before the launch. The context of `device`, into which `family` was loaded,
/// must be current.
Result<GpuRun> runOnGpu(const Device& device,
                        const Family& family,
                        const verify::Problem& problem,
                        const GpuRunOptions& options = {});

/// How the family's conversion kernel did on a problem's indices.
struct ConvertCheck {
  std::int64_t entries = 0;
  std::int64_t wrong = 0;
  std::string firstWrong; ///< such as "token 3, column 17: 512, expected -1"; empty if none

  bool passed() const { return wrong == 0; }
};

/// Converts the problem's indices on the GPU and compares every slot and count with the reference.
/// For families that have a conversion.
Result<ConvertCheck>
checkConvertOnGpu(const Device& device, const Family& family, const DeviceProblem& problem);

} // namespace mlac
