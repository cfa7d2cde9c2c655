#include "tools/simt/RunOnSimt.h"

#include "runtime/CheckFamily.h"
#include "runtime/Family.h"
#include "tools/gpu/DeviceProblem.h"

#include <iterator>
#include <utility>

namespace mlac {
namespace {

/// Appends the launches since the last call, of the fixed order only: in all others kernels do the
/// same in another sequence.
void keepLaunches(SimtRun& run, simt::Machine& machine) {
  std::vector<simt::LaunchRecord> launches = machine.takeLaunches();
  if (run.seed != 0)
    return;
  run.launches.insert(run.launches.end(),
                      std::make_move_iterator(launches.begin()),
                      std::make_move_iterator(launches.end()));
}

/// Runs one order and fills in what it comes to. The driver reports a kernel that was found to do
/// wrong as an error; the caller tells it from others by the findings.
Status runOrder(const SimtSession& session,
                const verify::Problem& problem,
                const SimtRunOptions& options,
                const OutputJudge& isRight,
                SimtRun& run) {
  for (const GpuRunOptions& launch : options.launches) {
    MLAC_TRY(plan, planFor(session.family, problem, launch));
    run.plans.push_back(plan);
    MLAC_TRY(ran, runOnGpu(session.device, session.family, problem, launch));
    run.outputs = std::move(ran.outputs);
    if (!isRight(run.outputs))
      return Unit{};
  }
  const VariantInfo variant = session.family.variant();
  MLAC_TRY(uploaded, DeviceProblem::upload(session.device, problem));
  if (variant.hasConvert) {
    MLAC_TRY(convert, checkConvertOnGpu(session.device, session.family, uploaded));
    run.convert = convert;
  }
  if (variant.hasMerge) {
    const auto judge = [&](const verify::Outputs& outputs) {
      return isRight(outputs) ? std::string() : "they differ from the reference";
    };
    MLAC_TRY(merge, checkMergeOnGpu(session.device, session.family, uploaded, judge));
    run.merge = merge;
  }
  run.passed = (!run.convert || run.convert->passed()) && (!run.merge || run.merge->passed());
  return Unit{};
}

} // namespace

Result<SimtSession> openSimt(const KernelFamily& family) {
  MLAC_TRY(machine, simt::Machine::install({.target = family.target}));
  MLAC_TRY(device, Device::open(0));
  MLAC_TRY(loaded, loadFamily(family, device, simt::hostCompiler()));
  return SimtSession{std::move(machine), std::move(device), std::move(loaded)};
}

Result<std::vector<GpuRunOptions>> everyLaunch(const Family& family,
                                               const verify::Problem& problem) {
  MLAC_TRY(planned, planFor(family, problem));
  std::vector<GpuRunOptions> launches = {GpuRunOptions{}};
  const std::vector<Kernel>& kernels = kernelFamilyOf(family).kernels;
  const bool balances = indexOfRole(kernelFamilyOf(family), KernelRole::Schedule) >= 0;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const auto kernel = static_cast<int>(i);
    const bool isPlanned = planned.kernel == kernel && planned.splits == 1;
    if (kernels[i].role == KernelRole::Attention && !isPlanned)
      launches.push_back({.kernel = kernel, .splits = 1});
  }
  if (balances)
    launches.push_back({.kernel = kernelFamilyOf(family).table.front().kernel, .balance = true});
  return launches;
}

Result<SimtRun> runOnSimt(const SimtSession& session,
                          const verify::Problem& problem,
                          const SimtRunOptions& options,
                          const OutputJudge& isRight) {
  SimtRun run;
  // What an earlier caller left is not this run's.
  session.machine->takeLaunches();
  session.machine->takeFindings();
  for (int order = 0; order <= options.interleavings; ++order) {
    run.orders = order + 1;
    run.seed = static_cast<std::uint64_t>(order);
    session.machine->setSeed(run.seed);
    run.plans.clear();
    run.passed = false;
    run.convert.reset();
    run.merge.reset();
    const Status status = runOrder(session, problem, options, isRight, run);
    keepLaunches(run, *session.machine);
    run.findings = session.machine->takeFindings();
    if (run.findings.empty())
      MLAC_CHECK(status);
    else
      run.outputs = {};
    if (!run.passed)
      return run;
  }
  return run;
}

} // namespace mlac
