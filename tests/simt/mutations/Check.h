// Check: a small problem run under the SIMT executor, whole or with a fault in one of its kernels.
#pragma once

#include "common/KernelFamily.h"
#include "common/Result.h"
#include "simt/report/Finding.h"
#include "tests/simt/mutations/Problems.h"
#include "verify/Problem.h"
#include "verify/Reference.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace mlac::mutations {

/// What was noticed in the first order that showed anything.
struct Verdict {
  std::optional<simt::Finding> finding;
  std::string wrongOutput; ///< what verification says; empty where the output is right
  std::uint64_t seed = 0;  ///< 0: the fixed order

  bool clean() const { return !finding && wrongOutput.empty(); }
};

/// A small problem, compiled and drawn.
class Bench {
public:
  /// Made once a process for each problem, which must live as long.
  static const Result<std::unique_ptr<Bench>>& of(const SmallProblem& small);

  /// Source of the kernel that plays `role` in the problem's launches, without any fault.
  const std::string& sourceOf(KernelRole role) const;

  /// Runs the problem with `edits` in that kernel: a conversion where the role is Convert, drawn
  /// merges where it is Merge, else the attention. First in the fixed order, then, while nothing is
  /// noticed, in `seeds` random ones.
  Result<Verdict> run(KernelRole role, std::span<const Edit> edits, int seeds) const;

private:
  Bench(const SmallProblem& small, KernelFamily family, verify::Problem problem);

  static Result<std::unique_ptr<Bench>> make(const SmallProblem& small);
  std::size_t kernelOf(KernelRole role) const;

  const SmallProblem& small;
  KernelFamily family;
  verify::Problem problem;
  verify::Reference reference;
};

} // namespace mlac::mutations
