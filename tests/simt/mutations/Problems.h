// Problems: launches small enough to be run hundreds of times, each shaped so that some part of the
// kernels matters.
#pragma once

#include "common/Variant.h"
#include "tests/simt/mutations/Mutations.h"
#include "verify/Problem.h"

#include <string>
#include <string_view>
#include <vector>

namespace mlac::mutations {

struct SmallProblem {
  std::string name;
  std::string what; ///< one line, for people
  Variant variant;
  std::string target;
  std::vector<std::string> overrides = {}; ///< as `--set` takes them
  std::string shapeClass = "many";         ///< the attention kernel that is launched
  int splits = 1;
  int pieceTiles = 0; ///< 0: rows are cut alike; else the batch is, at this many tiles a piece
  verify::ProblemOptions options = {};
  std::vector<Edit> edits = {}; ///< of that kernel, before any fault
  int extraSmemBytes = 0;       ///< dynamic shared memory that those edits need
};

const std::vector<SmallProblem>& smallProblems();

/// The problem of that name, which must exist.
const SmallProblem& problemNamed(std::string_view name);

} // namespace mlac::mutations
