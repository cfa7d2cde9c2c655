// Merge: results of the same rows over different keys to one, in float64, from the definition.
#pragma once

#include "common/Variant.h"

#include <span>
#include <vector>

namespace mlac::verify {

/// One part of an attention over a divided set of keys, or the whole.
struct Partial {
  std::vector<double> out;           ///< [rows][dims]
  std::vector<double> lse;           ///< [rows]
  std::vector<double> maxLogit = {}; ///< [rows]; empty where nobody asks
};

struct MergeRules {
  int dims = 1;                      ///< of a row
  LseMode base = LseMode::Natural;   ///< of every LSE
  bool emptyPositive = false;        ///< the LSE of a row without keys is +inf in the result
  std::span<const float> sinks = {}; ///< by head, in natural units; rows are [tokens][heads]
};

/// The whole from its parts, of which there is at least one. A part whose LSE is an infinity of
/// either sign has no keys; what else it holds does not matter.
Partial mergePartials(std::span<const Partial> parts, const MergeRules& rules);

} // namespace mlac::verify
