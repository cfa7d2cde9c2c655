// The attention in float64, straight from its meaning. Shares no code with any backend.
#pragma once

#include "common/Variant.h"

#include <span>
#include <vector>

namespace mlac::verify {

struct Problem;

/// Which tokens to compute, and on how many threads.
struct ReferenceOptions {
  std::vector<int> tokens = {}; ///< empty: all of them
  int threads = 0;              ///< 0: as many as the machine has
};

/// Results of the tokens that were asked for, in that order.
struct Reference {
  std::vector<int> tokens = {};
  int heads = 0;
  int valueDims = 0;
  std::vector<double> out;      ///< [tokens][heads][valueDims]
  std::vector<double> lse;      ///< [tokens][heads], in the variant's base (natural if it has none)
  std::vector<double> maxLogit; ///< [tokens][heads], the largest scale * dot; -inf for empty rows
};

Reference referenceAttention(const Problem& problem, const ReferenceOptions& options = {});

/// `count` tokens spread evenly over all of a problem's, the first and the last among them.
std::vector<int> sampleTokens(int tokens, int count);

} // namespace mlac::verify
