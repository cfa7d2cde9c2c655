// Conversion between mlac::Schedule and #mla.schedule.
#pragma once

#include "compiler/schedule/Schedule.h"

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace mlac::mla {
class ScheduleAttr;

/// The attribute that says the same as `schedule`, whose counts must be valid.
ScheduleAttr toAttr(mlir::MLIRContext* context, const Schedule& schedule);

Schedule fromAttr(ScheduleAttr attr);

} // namespace mlac::mla
