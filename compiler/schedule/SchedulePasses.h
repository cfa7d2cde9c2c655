// The passes that choose schedules and hold them against the target.
//
// The module says what to plan for: `mla.target = "sm_120"`, and `mla.set = ["many.stages=4"]` for
// overrides.
#pragma once

#include "common/Result.h"
#include "common/Target.h"
#include "compiler/schedule/Schedule.h"

#include <memory>
#include <vector>

namespace mlir {
class ModuleOp;
class Pass;
} // namespace mlir

namespace mlac {

/// Writes target and overrides on the module.
void setPlanningFor(mlir::ModuleOp module,
                    const Target& target,
                    const std::vector<ScheduleOverride>& overrides);

/// The target that is written on the module.
Result<const Target*> targetOf(mlir::ModuleOp module);

/// `mla-plan-schedules`: one empty mla.kernel for each attention and shape class. A module without
/// a target stays as it is.
std::unique_ptr<mlir::Pass> createPlanSchedulesPass();

/// `mla-verify-budget`: every kernel's schedule fits the module's target.
std::unique_ptr<mlir::Pass> createVerifyBudgetPass();

} // namespace mlac
