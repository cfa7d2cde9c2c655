// MergeOnGpu: a family's merge kernel on a GPU, on drawn partial results and on shards of a
// problem.
#pragma once

#include "common/Result.h"
#include "mlac/mlac.hpp"
#include "verify/MergeProblem.h"
#include "verify/Outputs.h"

#include <functional>
#include <string>

namespace mlac {

class DeviceProblem;

/// Uploads the parts, merges them, waits, and brings the results back. The context of `device`,
/// into which `family` was loaded, must be current.
Result<verify::Outputs>
mergeOnGpu(const Device& device, const Family& family, const verify::MergeProblem& problem);

/// Attends to the problem's keys in `shards`, a launch each, and merges what they wrote. The
/// problem's own outputs are neither used nor changed.
Result<verify::Outputs> attendInShards(const Device& device,
                                       const Family& family,
                                       const DeviceProblem& problem,
                                       int shards);

/// How a family's merge kernel did.
struct MergeCheck {
  int merges = 0;         ///< that were compared, up to the first that was wrong
  std::string firstWrong; ///< which merge, and what about it; empty if none

  bool passed() const { return firstWrong.empty(); }
};

/// Says what is wrong with outputs of the problem; empty if nothing.
using OutputComplaint = std::function<std::string(const verify::Outputs&)>;

/// Merges drawn parts of every kind, each compared with float64, then the problem in four shards,
/// which `complaint` compares with what it is when not divided. For families that have a merge.
Result<MergeCheck> checkMergeOnGpu(const Device& device,
                                   const Family& family,
                                   const DeviceProblem& problem,
                                   const OutputComplaint& complaint);

/// The drawn merges alone: few parts and many, every layout, sinks, empty parts, in place.
Result<MergeCheck> checkDrawnMerges(const Device& device, const Family& family);

} // namespace mlac
