// CostModel: what a kernel is expected to cost, as the coefficients the runtime's planner
// evaluates.
#pragma once

#include "common/KernelFamily.h"
#include "common/Target.h"
#include "compiler/schedule/Schedule.h"

namespace mlac {

/// The row for kernel number `kernel` of the family. The formula stands at PlanRow.
PlanRow costRow(const Variant& variant, const Schedule& schedule, const Target& target, int kernel);

} // namespace mlac
