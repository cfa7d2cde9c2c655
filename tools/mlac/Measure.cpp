#include "tools/mlac/Measure.h"

#include "tools/simt/RunOnSimt.h"
#include "verify/KeySlots.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <limits>
#include <string>
#include <utility>

namespace mlac {
namespace {

Result<verify::Problem> drawProblem(const Variant& variant, std::int64_t context) {
  if (context > std::numeric_limits<int>::max())
    return Error{ErrorCode::InvalidInput,
                 fmt::format("--context {} with --measure: give at most {}",
                             context,
                             std::numeric_limits<int>::max())};
  verify::ProblemOptions options;
  options.tokens = variant.minQueries;
  options.requests = 1;
  options.context = static_cast<int>(context);
  return verify::makeProblem(variant, options);
}

std::vector<TokenKeys> keysOf(const verify::Problem& problem) {
  std::vector<TokenKeys> tokens;
  for (int token = 0; token < problem.tokens; ++token) {
    TokenKeys& keys = tokens.emplace_back();
    keys.keys = static_cast<std::int64_t>(verify::attendedSlots(problem, token).size());
    if (problem.variant.isTopk()) {
      keys.entries = problem.variant.topk;
    } else {
      const verify::TokenPlace place = verify::placeOf(problem, token);
      keys.entries = place.end - place.begin;
    }
  }
  return tokens;
}

/// Its outputs are `mlac run`'s to judge; here only what it does counts.
Result<simt::LaunchRecord> launchOnce(const SimtSession& session,
                                      const verify::Problem& problem,
                                      int kernel,
                                      const std::string& entry) {
  SimtRunOptions options;
  options.launches = {{.kernel = kernel, .splits = 1}};
  MLAC_TRY(run, runOnSimt(session, problem, options, [](const verify::Outputs&) { return true; }));
  if (!run.findings.empty())
    return Error{ErrorCode::VerificationFailed, simt::describe(run.findings.front())};
  const auto launch =
      std::find_if(run.launches.begin(), run.launches.end(), [&](const simt::LaunchRecord& record) {
        return record.kernel == entry;
      });
  assert(launch != run.launches.end() && "a launch without a finding is recorded");
  return std::move(*launch);
}

} // namespace

bool Measurement::agrees() const {
  bool agrees = true;
  simt::forEachCounter(counters, [&](const char* name, std::int64_t value) {
    agrees = agrees && expectedValue(*this, name).value_or(value) == value;
  });
  return agrees;
}

std::optional<std::int64_t> expectedValue(const Measurement& measurement,
                                          std::string_view counter) {
  for (const ExpectedCount& expected : measurement.expected)
    if (expected.counter == counter)
      return expected.value;
  return std::nullopt;
}

Result<std::vector<Measurement>> measureKernels(const KernelFamily& family,
                                                std::span<const Schedule> schedules,
                                                std::int64_t context) {
  MLAC_TRY(problem, drawProblem(family.variant, context));
  MLAC_TRY(session, openSimt(family));
  const std::vector<TokenKeys> tokens = keysOf(problem);
  std::vector<Measurement> measurements;
  for (std::size_t i = 0; i < family.kernels.size(); ++i) {
    const Kernel& kernel = family.kernels[i];
    if (kernel.role != KernelRole::Attention)
      continue;
    MLAC_TRY(launch, launchOnce(session, problem, static_cast<int>(i), kernel.entry));
    const Schedule& schedule = schedules[measurements.size()];
    Measurement measurement{.kernel = static_cast<int>(i),
                            .tokens = problem.tokens,
                            .counters = launch.counters,
                            .seconds = launch.seconds,
                            .expected = {}};
    // The formulas count what each token does on its own.
    if (kernel.queryGroup == 1)
      measurement.expected = expectedCounts(family.variant, schedule, kernel.ctasPerToken, tokens);
    measurements.push_back(std::move(measurement));
  }
  return measurements;
}

} // namespace mlac
