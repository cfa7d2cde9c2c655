// Mutations: faults seeded into generated kernels, each with what must notice it.
#pragma once

#include "common/KernelFamily.h"
#include "common/Result.h"
#include "simt/report/Finding.h"

#include <span>
#include <string>
#include <vector>

namespace mlac::mutations {

/// Text in the place of other text.
struct Edit {
  std::string pattern;
  std::string replacement;
  int count = 1; ///< how often the pattern must stand in the source
};

/// `source` after all edits, in order. InvalidInput where a pattern does not stand there as often
/// as it says: the templates changed, and the edit must follow them.
Result<std::string> withEdits(std::string source, std::span<const Edit> edits);

/// One fault, in the flattened source of one kernel of a small problem.
struct Mutation {
  std::string name;
  std::string breaks;  ///< one line, for people
  std::string where;   ///< the template, such as "tile/ring.cuh", or kEmitted
  std::string problem; ///< SmallProblem::name
  KernelRole kernel = KernelRole::Attention;
  std::vector<Edit> edits = {};
  /// Any of these counts. Empty: the kernel does nothing forbidden, only its output is wrong.
  std::vector<simt::FindingKind> expected = {};
  /// Random orders to try while nothing shows: the fixed one, by its turns, may keep to the rules.
  int orders = 0;
};

/// Mutation::where of faults in the text that the emitter writes.
inline constexpr const char* kEmitted = "emitted";

/// Every fault, grouped by the part it breaks; names differ.
const std::vector<Mutation>& allMutations();

} // namespace mlac::mutations
