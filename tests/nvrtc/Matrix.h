// Matrix: which variants the compile matrix covers, and for which targets.
#pragma once

#include "common/Target.h"
#include "common/Variant.h"

#include <vector>

namespace mlac {

struct MatrixCase {
  Variant variant;
  const Target* target = nullptr;
};

/// All of heads x iteration x rope where no spill is promised (sm_90, sm_120) with every tenth pair
/// of types, pages and outputs; a covering subset, in which every value of every axis meets every
/// target, elsewhere. `thinned` keeps a half of the promised part, still with every value of every
/// axis: what CI has time for.
std::vector<MatrixCase> compileMatrix(bool thinned);

} // namespace mlac
