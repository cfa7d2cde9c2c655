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

/// All of heads x iteration x rope where no spill is promised (sm_90, sm_120); elsewhere a subset
/// in which every value of every axis meets every target, or, with `everyTarget`, all of it as
/// well. Types, pages and outputs are dealt out over the points.
std::vector<MatrixCase> compileMatrix(bool everyTarget);

} // namespace mlac
