#include "tools/mlac/Measure.h"

#include "compiler/spec/FoldExpr.h"
#include "compiler/spec/MaskBounds.h"
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

/// The positions that a token walks: those of its mask's interval only, which is what the kernel
/// knows of a mask before it loads a key.
struct Walk {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

Walk walkOf(const verify::TokenPlace& place, const MaskBounds& bounds) {
  Walk walk{place.begin, place.end};
  if (bounds.begin)
    walk.begin = std::max(walk.begin, *bounds.begin);
  if (bounds.queryBegin)
    walk.begin = std::max(walk.begin, place.query + *bounds.queryBegin);
  if (bounds.end)
    walk.end = std::min(walk.end, *bounds.end);
  if (bounds.queryEnd)
    walk.end = std::min(walk.end, place.query + *bounds.queryEnd);
  walk.end = std::max(walk.begin, walk.end);
  return walk;
}

std::vector<TokenKeys> keysOf(const verify::Problem& problem) {
  std::vector<TokenKeys> tokens;
  const Variant& variant = problem.variant;
  const MaskBounds bounds = boundsOfMask(settleRule(variant.mask, variant.params));
  for (int token = 0; token < problem.tokens; ++token) {
    TokenKeys& keys = tokens.emplace_back();
    const Walk walk = variant.isLogical() ? walkOf(verify::placeOf(problem, token), bounds)
                                          : Walk{-1, 0}; // where positions are unknown, they are -1
    const std::vector<verify::AttendedKey> attended = verify::attendedKeys(problem, token);
    keys.keys =
        std::count_if(attended.begin(), attended.end(), [&](const verify::AttendedKey& key) {
          return key.position >= walk.begin && key.position < walk.end;
        });
    keys.entries = variant.isTopk() ? variant.topk : walk.end - walk.begin;
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
