// The schedules of a variant's family on a target: one for each class of token counts.
#pragma once

#include "common/Target.h"
#include "common/Variant.h"
#include "compiler/schedule/Schedule.h"

#include <vector>

namespace mlac {

/// Schedules in the order of their classes, "few" tokens first; each fits the target. The error
/// says which limit cannot be met, or which override is impossible.
Result<std::vector<Schedule>> planSchedules(const Variant& variant,
                                            const Target& target,
                                            const std::vector<ScheduleOverride>& overrides);

} // namespace mlac
