#include "tools/mlac-run/RunCase.h"

#include "runtime/Family.h"
#include "runtime/cuda/CudaStatus.h"
#include "runtime/cuda/Device.h"
#include "runtime/plan/Planner.h"
#include "tools/gpu/DeviceProblem.h"
#include "verify/Reference.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>

namespace mlac {
namespace {

/// Multiplications the reference may take where the case does not say how many tokens to compare:
/// some seconds.
constexpr double kReferenceBudget = 1e10;

std::vector<int> tokensToCheck(const verify::Problem& problem, int wanted) {
  const Variant& variant = problem.variant;
  const double perToken = double(variant.heads) *
                          double(keysPerRow(variant, problem.maxSeqLen) + 1) *
                          double(variant.qkDims() + variant.valueDims());
  const double affordable = std::clamp(kReferenceBudget / perToken, 1.0, 1e6);
  const int count = wanted > 0 ? wanted : static_cast<int>(affordable);
  return verify::sampleTokens(problem.tokens, std::min(count, problem.tokens));
}

/// Clears the outputs, launches, waits and brings the outputs back.
Result<verify::Outputs> launchOnce(const Device& device,
                                   const Family& family,
                                   const Plan& plan,
                                   const LaunchArgs& args,
                                   DeviceProblem& problem) {
  MLAC_CHECK(problem.clearOutputs());
  MLAC_CHECK(family.launch(plan, args, nullptr));
  MLAC_CUDA(*device.get().api, cuCtxSynchronize);
  return problem.download();
}

Status verifyCase(const Device& device,
                  const Family& family,
                  const Case& one,
                  const verify::Problem& problem,
                  CaseResult& result) {
  MLAC_TRY(plan, planFor(family, problem, one.gpu));
  result.plan = plan;
  MLAC_TRY(uploaded, DeviceProblem::upload(device, problem));
  MLAC_TRY(workspace, DeviceBuffer::allocate(device, plan.workspaceBytes));
  MLAC_CHECK(workspace.fill(verify::kFillByte));
  LaunchArgs args = uploaded.launchArgs();
  args.workspace = {workspace.at(), workspace.size()};
  MLAC_TRY(schedule, scheduleOnGpu(device, family, plan, args, nullptr));
  args.schedule = schedule.at();
  MLAC_TRY(outputs, launchOnce(device, family, plan, args, uploaded));
  MLAC_TRY(again, launchOnce(device, family, plan, args, uploaded));
  result.repeatable =
      outputs.out == again.out && outputs.lse == again.lse && outputs.maxLogit == again.maxLogit;
  if (family.variant().hasConvert) {
    MLAC_TRY(check, checkConvertOnGpu(device, family, uploaded));
    result.convert = check;
  }
  const std::vector<int> tokens = tokensToCheck(problem, one.referenceTokens);
  const auto reference = verify::referenceAttention(problem, {.tokens = tokens});
  result.tokensChecked = static_cast<int>(tokens.size());
  const auto reportOn = [&](const verify::Outputs& some) {
    return verify::checkOutputs(
        problem, some, reference, verify::tolerancesOf(verify::operationOf(problem)));
  };
  result.report = reportOn(outputs);
  if (!one.merge || !family.variant().hasMerge)
    return Unit{};
  const auto wrongOf = [&](const verify::Outputs& merged) {
    const verify::Report report = reportOn(merged);
    return report.passed() ? std::string() : verify::describe(report);
  };
  MLAC_TRY(merge, checkMergeOnGpu(device, family, uploaded, wrongOf));
  result.merge = merge;
  return Unit{};
}

} // namespace

Result<Family> LoadedFamilies::get(const std::string& bundle, const std::string& family) {
  const auto key = std::pair(bundle, family);
  if (const auto found = families.find(key); found != families.end())
    return found->second;
  MLAC_TRY(opened, Bundle::open(bundle));
  MLAC_TRY(loaded, opened.family(family, device));
  return families.emplace(key, loaded).first->second;
}

Result<CaseResult>
runCase(const Device& device, LoadedFamilies& families, BenchInputs& benchInputs, const Case& one) {
  const auto start = std::chrono::steady_clock::now();
  MLAC_TRY(family, families.get(one.bundle, one.family));
  const Variant& variant = kernelFamilyOf(family).variant;
  MLAC_TRY(options, problemOptionsOf(one, variant));
  CaseResult result;
  result.family = variant.name;
  result.target = family.target();
  result.problem = options;
  result.kernels = family.kernels();
  {
    MLAC_TRY(problem, verify::makeProblem(variant, options));
    result.tokens = problem.tokens;
    result.requests = problem.requests;
    MLAC_CHECK(verifyCase(device, family, one, problem, result));
  }
  if (one.bench) {
    MLAC_TRY(sets, benchInputs.get(variant, options, one.problem->dump()));
    MLAC_TRY(timed, benchmark(device, family, *sets, {one.gpu, one.iterations}));
    result.bench = timed;
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

} // namespace mlac
