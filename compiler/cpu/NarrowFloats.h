// NarrowFloats: numbers of 8 and 4 bits to f32 by integer arithmetic, since no host can be counted
// on to convert them.
#pragma once

#include "common/Record.h"
#include "compiler/cpu/LoopBuilder.h"

namespace mlac {

/// The f32 that `code` stands for: an i32 with a code of `type` (E4M3, E5M2, E2M1 or E8M0) in its
/// low bits and zeros above. Exact for every code, NaN and infinity included.
mlir::Value buildNarrowToFloat(LoopBuilder& b, FieldType type, mlir::Value code);

} // namespace mlac
