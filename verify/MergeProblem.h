// MergeProblem: seeded partial results to be merged, laid out as a caller lays them out, and what
// their merge must come to.
#pragma once

#include "common/Variant.h"
#include "verify/Merge.h"
#include "verify/Outputs.h"
#include "verify/Problem.h"
#include "verify/Reference.h"
#include "verify/Tolerance.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace mlac::verify {

/// What to draw; all that is off is left at the plain case.
struct MergeOptions {
  int tokens = 3;
  int parts = 4;
  std::uint64_t seed = 1;
  bool f32Parts = false;   ///< out of the parts in f32, whatever the variant's output
  bool emptyParts = false; ///< a third of all rows of parts, and the first row in all of them; what
                           ///< they hold beside their LSE is NaN or absurd
  bool sinks = false;      ///< finite, +inf and -inf, by head
  bool padStrides = false; ///< gaps of NaN; rows aligned to 4 elements only
  bool interleaved = false; ///< [tokens, parts, heads, dims] instead of parts one after another
  bool inPlace = false;     ///< results take the place of part 0
};

/// A [parts][tokens][heads][dims] input. Strides count elements.
struct PartsTensor {
  ElementType type = ElementType::F32;
  int dims = 1;
  std::int64_t partStride = 0;
  std::int64_t tokenStride = 0;
  std::int64_t headStride = 0;
  std::vector<std::byte> bytes = {}; ///< empty where the variant has no such output

  std::int64_t byteAt(int part, int token, int head, int dim) const {
    return (part * partStride + token * tokenStride + head * headStride + dim) *
           std::int64_t{elementBytes(type)};
  }
};

struct MergeProblem {
  Problem results; ///< the variant, the tokens, and where results go; no inputs
  MergeOptions options;
  PartsTensor out;
  PartsTensor lse;
  PartsTensor maxLogit;
  std::vector<float> sinks; ///< empty: not passed
};

/// Draws the same bits on every machine. The variant has an LSE.
MergeProblem makeMergeProblem(const Variant& variant, const MergeOptions& options);

/// The parts as numbers.
std::vector<Partial> partialsOf(const MergeProblem& problem);

/// The merge of all rows in float64.
Reference referenceMerge(const MergeProblem& problem);

/// What was written over part 0, as if to outputs of their own. Bytes of the parts that changed
/// beside those of part 0 show as damage of the guards.
Outputs outputsInPlace(const MergeProblem& problem,
                       const std::vector<std::byte>& out,
                       const std::vector<std::byte>& lse,
                       const std::vector<std::byte>& maxLogit);

/// f32 sums of parts that are exact, then one rounding to the output's type.
Tolerances mergeTolerances(const Variant& variant);

/// "5 parts of 3 tokens with empty ones, sinks"
std::string describe(const MergeOptions& options);

} // namespace mlac::verify
