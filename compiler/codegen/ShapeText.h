// The constants a generated source is specialised by.
#pragma once

#include "common/Variant.h"
#include "compiler/schedule/Schedule.h"

namespace mlac {

class SourceWriter;

/// Writes `struct Shape` of an attention kernel: variant, schedule, shared-memory map.
void writeAttentionShape(SourceWriter& out,
                         const Variant& variant,
                         const Schedule& schedule,
                         bool positions);

/// Writes `struct Shape` of the combine kernel.
void writeCombineShape(SourceWriter& out, const Variant& variant, int threads, bool startsEarly);

/// Writes `struct Shape` of the convert kernel.
void writeConvertShape(SourceWriter& out, const Variant& variant, int threads);

/// Writes `struct Shape` of the schedule kernel.
void writeScheduleShape(SourceWriter& out, const Variant& variant, int threads);

} // namespace mlac
