// Compare: whether the words a GPU wrote and those SIMT computed agree as the probe's rule says.
#pragma once

#include "tests/simt/wrappers/Probes.h"

#include <string>

namespace mlac::probes {

struct Comparison {
  std::size_t wrong = 0; ///< words that break the rule
  std::string first;     ///< the first of them, both values and what was allowed
  double worst = 0;      ///< largest error found, as a part of the rule's bound; 0 for BitEqual
};

/// - BitEqual: the same words.
/// - Exp2 (PTX ISA, "ex2": relative error at most 2^-22; with .ftz, subnormals are zeros on both
///   ends): both keep the bound against the exact result; zeros, infinities and 2^0 are exact, and
///   NaN stands where NaN must.
/// - Log2 (PTX ISA, "lg2": absolute error at most 2^-22 for x in (0.5, 2), relative outside): the
///   same; log2 of 1 is 0.
Comparison compare(const Probe& probe, const Words& input, const Words& gpu, const Words& simt);

} // namespace mlac::probes
