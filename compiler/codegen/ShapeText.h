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

/// How the warps of a merging CTA share the heads of a token.
struct MergeWarps {
  int rows = 1;     ///< heads of a CTA
  int rowWarps = 1; ///< warps that share a row's dims

  int threads() const { return rows * rowWarps * 32; }
};

/// Writes `struct Shape` of the merge kernel.
void writeMergeShape(SourceWriter& out, const Variant& variant, const MergeWarps& warps);

} // namespace mlac
