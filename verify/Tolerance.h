// How close is close enough, and the check that says so element by element.
#pragma once

#include "verify/Outputs.h"
#include "verify/Reference.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mlac::verify {

/// The operations of FlashMLA's test suite that tolerances are stated for.
enum class Operation { DenseDecode, SparseDecode, SparsePrefill };

/// An element passes if its absolute error is below `absolute` or its relative error, taken against
/// |expected| + 1e-6, is below `relative`. The whole tensor's cosine difference stays below
/// `cosine`.
struct Tolerance {
  double absolute = 0;
  double relative = 0;
  double cosine = 0;
};

struct Tolerances {
  Tolerance out;
  Tolerance lse;
  Tolerance maxLogit;
};

/// FlashMLA's numbers for that operation.
Tolerances tolerancesOf(Operation operation);

/// The operation a problem counts as: dense and windowed ones are DenseDecode; top-k with more than
/// 8 query tokens a request is SparsePrefill, else SparseDecode.
Operation operationOf(const Problem& problem);

/// What was found in one output tensor.
struct TensorReport {
  std::string name;
  Tolerance tolerance;
  std::int64_t elements = 0;
  std::int64_t failed = 0;    ///< outside the tolerance, anomalies included
  std::int64_t anomalies = 0; ///< NaN or infinity where the other side has none or another
  std::int64_t unwritten = 0; ///< still holding the fill pattern
  double worstAbsolute = 0;   ///< largest errors among elements that are finite on both sides
  double worstRelative = 0;
  double cosineDiff = 0;
  int token = -1; ///< of the worst element (an anomaly before any finite error)
  int head = -1;
  int dim = -1;
  double got = 0;
  double want = 0;

  bool passed() const { return failed == 0 && cosineDiff <= tolerance.cosine; }
};

struct Report {
  std::vector<TensorReport> tensors;
  GuardDamage guards;

  bool passed() const;
};

/// Compares the outputs that the variant has with the reference, for the reference's tokens, and
/// looks at every guard.
Report checkOutputs(const Problem& problem,
                    const Outputs& outputs,
                    const Reference& reference,
                    const Tolerances& tolerances);

/// The report for people, a line a tensor and one for the guards.
std::string describe(const Report& report);

} // namespace mlac::verify
