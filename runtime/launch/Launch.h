// Launch: from checked arguments to the driver. Keeps everything on the stack; see Family for the
// promises.
#pragma once

#include "common/Result.h"
#include "mlac/mlac.hpp"
#include "runtime/cuda/DriverApi.h"

namespace mlac {

/// The attention kernel, and the combine behind it where the plan splits or balances.
Status launchAttention(const Family::Impl& family,
                       const Plan& plan,
                       const LaunchArgs& args,
                       CUstream stream);

/// The list of pieces of a balanced plan.
Status launchSchedule(const Family::Impl& family,
                      const Plan& plan,
                      const ScheduleArgs& args,
                      CUstream stream);

/// The conversion of indices to slots.
Status launchConvert(const Family::Impl& family, const ConvertArgs& args, CUstream stream);

/// The merge of partial results.
Status launchMerge(const Family::Impl& family, const MergeArgs& args, CUstream stream);

} // namespace mlac
