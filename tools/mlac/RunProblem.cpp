#include "tools/mlac/RunProblem.h"

#include <fmt/format.h>

#include <algorithm>

namespace mlac {
namespace {

// A few seconds on two cores of a laptop.
constexpr RunSizes kCpuSizes = {.batch = 4, .queries = 2, .context = 1024};
constexpr RunSizes kGpuSizes = {.batch = 32, .queries = 2, .context = 8192};
// The executor takes a second or so for a token over 256 keys of 8 heads.
constexpr RunSizes kSimtSizes = {.batch = 2, .queries = 1, .context = 512};

// Multiplications and additions the float64 reference may take: seconds on two cores.
constexpr double kReferenceFlops = 2e10;
constexpr int kFewestChecked = 4;

int queriesOf(const Variant& variant, int usual) {
  if (variant.maxQueries == 0)
    return std::max(variant.minQueries, usual);
  return std::clamp(usual, variant.minQueries, variant.maxQueries);
}

const RunSizes& usualSizes(RunPlace place) {
  switch (place) {
  case RunPlace::Cpu:
    return kCpuSizes;
  case RunPlace::Gpu:
    return kGpuSizes;
  case RunPlace::Simt:
    break;
  }
  return kSimtSizes;
}

RunSizes settle(const Variant& variant, RunPlace place, RunSizes sizes) {
  const RunSizes& usual = usualSizes(place);
  if (sizes.batch == 0)
    sizes.batch = usual.batch;
  if (sizes.queries == 0)
    sizes.queries = queriesOf(variant, usual.queries);
  if (sizes.context == 0)
    sizes.context = usual.context;
  return sizes;
}

int tokensToCheck(const verify::Problem& problem) {
  const Variant& variant = problem.variant;
  const double keys =
      variant.isTopk()
          ? std::min(variant.topk, problem.maxSeqLen > 0 ? problem.maxSeqLen : variant.topk)
          : problem.maxSeqLen;
  const double flopsPerToken =
      2.0 * variant.heads * std::max(keys, 1.0) * (variant.qkDims() + variant.valueDims());
  const double affordable = std::min(kReferenceFlops / flopsPerToken, 1e9);
  return std::clamp(
      static_cast<int>(affordable), kFewestChecked, std::max(problem.tokens, kFewestChecked));
}

} // namespace

Result<verify::Problem> drawRunProblem(const Variant& variant,
                                       RunPlace place,
                                       const RunSizes& asked,
                                       std::uint64_t seed,
                                       bool plain,
                                       const std::vector<verify::GivenParam>& params) {
  const RunSizes sizes = settle(variant, place, asked);
  const std::int64_t tokens = std::int64_t{sizes.batch} * sizes.queries;
  constexpr std::int64_t kMostTokens = std::int64_t{1} << 24;
  if (tokens > kMostTokens)
    return Error{ErrorCode::InvalidInput,
                 fmt::format("{} requests of {} query tokens are {} tokens; give at most {}",
                             sizes.batch,
                             sizes.queries,
                             tokens,
                             kMostTokens)};
  verify::ProblemOptions options;
  if (!plain)
    options = verify::stressOptions(variant, static_cast<int>(tokens), sizes.context, seed);
  options.tokens = static_cast<int>(tokens);
  options.requests = sizes.batch;
  options.context = sizes.context;
  options.seed = seed;
  options.params = params;
  return verify::makeProblem(variant, options);
}

RunJudge::RunJudge(const verify::Problem& problem) : problem(&problem) {
  const int count = std::min(tokensToCheck(problem), problem.tokens);
  verify::ReferenceOptions options;
  if (count < problem.tokens)
    options.tokens = verify::sampleTokens(problem.tokens, count);
  reference = verify::referenceAttention(problem, options);
}

RunCheck RunJudge::check(const verify::Outputs& outputs) const {
  const verify::Tolerances tolerances = verify::tolerancesOf(verify::operationOf(*problem));
  return {verify::checkOutputs(*problem, outputs, reference, tolerances),
          static_cast<int>(reference.tokens.size())};
}

std::string describeProblem(const verify::Problem& problem) {
  return fmt::format("{} tokens of {} requests, up to {} keys, seed {}",
                     problem.tokens,
                     problem.requests,
                     problem.options.context,
                     problem.options.seed);
}

} // namespace mlac
