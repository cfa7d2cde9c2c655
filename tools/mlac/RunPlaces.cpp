#include "tools/mlac/RunPlaces.h"

#include "compiler/cpu/CpuKernel.h"
#include "tools/cpu/CpuRun.h"
#include "tools/gpu/DeviceProblem.h"
#include "tools/mlac/CounterText.h"
#include "tools/simt/RunOnSimt.h"

#include <fmt/format.h>

#include <span>
#include <utility>

namespace mlac {
namespace {

std::string planText(const KernelReport& kernel, const Plan& plan) {
  return fmt::format("kernel {} for {} ({}), {} CTAs, {}\n",
                     kernel.entry,
                     kernel.target,
                     kernel.origin,
                     plan.gridCtas,
                     cutWords(plan));
}

/// The words of `details` that GPU and executor share.
Json planJson(const KernelReport& kernel, const Plan& plan) {
  return {{"target", kernel.target},
          {"kernel", kernel.entry},
          {"origin", kernel.origin},
          {"splits", plan.splits},
          {"parts", plan.parts},
          {"gridCtas", plan.gridCtas},
          {"workspaceBytes", plan.workspaceBytes}};
}

KernelReport plannedKernel(const Family& family, const Plan& plan) {
  return family.kernels()[static_cast<std::size_t>(plan.kernel)];
}

std::string orderName(std::uint64_t seed) {
  return seed == 0 ? "in the fixed order" : fmt::format("in the random order of seed {}", seed);
}

/// The launches, the orders they were run in, and what was counted in the fixed one, if that came
/// to its end.
std::string simtText(const Family& family, const SimtRun& run) {
  std::string text;
  for (const Plan& plan : run.plans)
    text += planText(plannedKernel(family, plan), plan);
  const int random = run.orders - 1;
  text += !run.passed   ? fmt::format("stopped {}", orderName(run.seed))
          : random == 0 ? "the fixed order"
                        : fmt::format("the fixed order and {} random", random);
  if (!run.findings.empty() && run.seed == 0)
    return text + "\n";
  return text + "; counters of the fixed order:\n" + launchesText(run.launches);
}

Json simtJson(const std::string& target, const SimtRun& run) {
  Json findings = Json::array();
  for (const simt::Finding& finding : run.findings)
    findings.push_back(findingJson(finding));
  return {{"target", target},
          {"interleavings", run.orders - 1},
          {"orderSeed", run.seed},
          {"launches", launchesJson(run.launches)},
          {"findings", findings}};
}

} // namespace

Result<RunResult> runSubjectOnCpu(const RunSubject& subject, const verify::Problem& problem) {
  MLAC_TRY(kernel, compileForCpu(subject.variant));
  MLAC_TRY(outputs, runOnCpu(kernel, problem, 0));
  RunResult result;
  result.check = RunJudge(problem).check(outputs);
  result.where = "the CPU";
  result.details = {{"on", "cpu"}};
  return result;
}

Result<RunResult>
runSubjectOnGpu(const RunSubject& subject, const Device& device, const verify::Problem& problem) {
  MLAC_TRY(family, loadOn(subject, device));
  MLAC_TRY(run, runOnGpu(device, family, problem));
  const KernelReport kernel = plannedKernel(family, run.plan);
  RunResult result;
  const RunJudge judge(problem);
  result.check = judge.check(run.outputs);
  MLAC_TRY(uploaded, DeviceProblem::upload(device, problem));
  if (family.variant().hasConvert) {
    MLAC_TRY(convert, checkConvertOnGpu(device, family, uploaded));
    result.convert = convert;
  }
  if (family.variant().hasMerge) {
    const auto wrongOf = [&](const verify::Outputs& outputs) {
      const verify::Report report = judge.check(outputs).report;
      return report.passed() ? std::string() : verify::describe(report);
    };
    MLAC_TRY(merge, checkMergeOnGpu(device, family, uploaded, wrongOf));
    result.merge = merge;
  }
  result.where = device.name();
  result.details = {{"on", "gpu"}, {"device", device.name()}};
  result.details.update(planJson(kernel, run.plan));
  result.words = planText(kernel, run.plan);
  return result;
}

Result<RunResult>
runFamilyOnSimt(const KernelFamily& family, const verify::Problem& problem, int interleavings) {
  MLAC_TRY(session, openSimt(family));
  MLAC_TRY(launches, everyLaunch(session.family, problem));
  RunResult result;
  const RunJudge judge(problem);
  // The report shown is that of the first launch, unless a later one is wrong.
  const auto isRight = [&](const verify::Outputs& outputs) {
    RunCheck check = judge.check(outputs);
    const bool passed = check.report.passed();
    if (!result.check || !passed)
      result.check = std::move(check);
    return passed;
  };
  const SimtRunOptions options{.launches = launches, .interleavings = interleavings};
  MLAC_TRY(run, runOnSimt(session, problem, options, isRight));
  if (!run.findings.empty()) {
    result.finding = simt::describe(run.findings.front());
    result.check.reset();
  }
  result.convert = run.convert;
  result.merge = run.merge;
  result.where = "SIMT for " + family.target;
  const Plan& last = run.plans.back();
  result.when = fmt::format(
      "{}, {}, {}", orderName(run.seed), plannedKernel(session.family, last).entry, cutWords(last));
  const Plan& planned = run.plans.front();
  result.details = {{"on", "simt"}};
  result.details.update(planJson(plannedKernel(session.family, planned), planned));
  result.details["simt"] = simtJson(family.target, run);
  result.words = simtText(session.family, run);
  return result;
}

} // namespace mlac
