// Budget: whether a schedule fits a target, decided before any source is written.
#pragma once

#include "common/Target.h"
#include "common/Variant.h"
#include "compiler/schedule/Schedule.h"

namespace mlac {

/// Registers a thread is expected to need; from compiled kernels, good to about ten.
int estimateRegisters(const Variant& variant, const Schedule& schedule);

/// Registers a thread may have, by the CTA's size and ctasPerSm.
int allowedRegisters(const Schedule& schedule, const Target& target);

/// The first limit the schedule breaks, with the value, the limit and what to set instead.
Status checkBudget(const Variant& variant, const Schedule& schedule, const Target& target);

} // namespace mlac
