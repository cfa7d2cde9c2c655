// RunProblem: what `mlac run` launches: a size that suits the place, and seeded inputs.
#pragma once

#include "common/Result.h"
#include "verify/Problem.h"
#include "verify/Reference.h"
#include "verify/Tolerance.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mlac {

enum class RunPlace { Cpu, Gpu, Simt };

/// Sizes as the user gives them; 0 takes the place's default.
struct RunSizes {
  int batch = 0;   ///< requests
  int queries = 0; ///< query tokens a request, on average
  int context = 0; ///< keys of the longest request
};

/// Draws a problem. `plain` leaves out every difficulty that the variant permits; `params` are the
/// values of parameters that are not drawn.
Result<verify::Problem> drawRunProblem(const Variant& variant,
                                       RunPlace place,
                                       const RunSizes& sizes,
                                       std::uint64_t seed,
                                       bool plain,
                                       const std::vector<verify::GivenParam>& params = {});

/// A comparison with the reference, over all tokens or, where those are many, some of them.
struct RunCheck {
  verify::Report report;
  int tokensChecked = 0;
};

/// Holds the reference of one problem, which must outlive it, so that any number of outputs can be
/// compared with it.
class RunJudge {
public:
  explicit RunJudge(const verify::Problem& problem);

  RunCheck check(const verify::Outputs& outputs) const;

private:
  const verify::Problem* problem;
  verify::Reference reference;
};

/// "8 tokens of 4 requests, up to 1024 keys, seed 1"
std::string describeProblem(const verify::Problem& problem);

} // namespace mlac
