#include "tests/simt/mutations/Check.h"

#include "common/Target.h"
#include "compiler/Compiler.h"
#include "runtime/Family.h"
#include "simt/Simt.h"
#include "tools/gpu/DeviceProblem.h"
#include "tools/gpu/MergeOnGpu.h"
#include "tools/gpu/RunOnGpu.h"
#include "verify/Tolerance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <map>
#include <mutex>
#include <utility>

namespace mlac::mutations {
namespace {

// A hundred times what the largest of the problems takes.
constexpr std::int64_t kMaxSteps = 100000000;

Result<KernelFamily> compile(const SmallProblem& small) {
  CompileRequest request;
  request.variant = small.variant;
  MLAC_TRY(target, findTarget(small.target));
  request.target = target;
  for (const std::string& text : small.overrides) {
    MLAC_TRY(set, parseOverride(text));
    request.overrides.push_back(set);
  }
  MLAC_TRY(compiled, compileFamily(request));
  return compiled.family;
}

/// The executor's compiler, which compiles each text once a process: all kernels but the faulty one
/// are the same from run to run.
CubinSource compileOnce() {
  return [](const KernelFamily& family,
            const Kernel& kernel,
            std::string_view target) -> Result<SourcedCubin> {
    static std::mutex mutex;
    static std::map<std::pair<std::string, std::string>, SourcedCubin> made;
    const std::pair key(std::string(target), kernel.source);
    {
      const std::lock_guard lock(mutex);
      if (const auto found = made.find(key); found != made.end())
        return found->second;
    }
    MLAC_TRY(cubin, simt::hostCompiler()(family, kernel, target));
    const std::lock_guard lock(mutex);
    return made.emplace(key, cubin).first->second;
  };
}

Result<std::string>
wrongConversion(const Device& device, const Family& family, const verify::Problem& problem) {
  MLAC_TRY(uploaded, DeviceProblem::upload(device, problem));
  MLAC_TRY(check, checkConvertOnGpu(device, family, uploaded));
  return check.firstWrong;
}

Result<std::string> wrongMerge(const Device& device, const Family& family) {
  MLAC_TRY(check, checkDrawnMerges(device, family));
  return check.firstWrong;
}

Result<std::string> wrongAttention(const Device& device,
                                   const Family& family,
                                   const verify::Problem& problem,
                                   const verify::Reference& reference,
                                   const GpuRunOptions& options) {
  MLAC_TRY(run, runOnGpu(device, family, problem, options));
  const verify::Report report = verify::checkOutputs(
      problem, run.outputs, reference, verify::tolerancesOf(verify::operationOf(problem)));
  return report.passed() ? std::string() : verify::describe(report);
}

} // namespace

Bench::Bench(const SmallProblem& small, KernelFamily family, verify::Problem problem)
    : small(small), family(std::move(family)), problem(std::move(problem)),
      reference(verify::referenceAttention(this->problem)) {}

Result<std::unique_ptr<Bench>> Bench::make(const SmallProblem& small) {
  MLAC_TRY(family, compile(small));
  MLAC_TRY(problem, verify::makeProblem(small.variant, small.options));
  std::unique_ptr<Bench> bench(new Bench(small, std::move(family), std::move(problem)));
  Kernel& kernel = bench->family.kernels[bench->kernelOf(KernelRole::Attention)];
  MLAC_TRY(source, withEdits(kernel.source, small.edits));
  kernel.source = source;
  kernel.dynamicSmemBytes += small.extraSmemBytes;
  for (PlanRow& row : bench->family.table)
    if (small.pieceTiles > 0)
      row.fixedNs = small.pieceTiles * row.tileNs; // what the planner takes a piece's tiles from
  return bench;
}

const Result<std::unique_ptr<Bench>>& Bench::of(const SmallProblem& small) {
  static std::map<std::string, Result<std::unique_ptr<Bench>>> benches;
  auto found = benches.find(small.name);
  if (found == benches.end())
    found = benches.emplace(small.name, make(small)).first;
  return found->second;
}

std::size_t Bench::kernelOf(KernelRole role) const {
  const auto& kernels = family.kernels;
  const auto found = std::find_if(kernels.begin(), kernels.end(), [&](const Kernel& kernel) {
    return kernel.role == role &&
           (role != KernelRole::Attention || kernel.entry.ends_with("_" + small.shapeClass));
  });
  assert(found != kernels.end() && "a problem lacks the kernel that it is to run");
  return static_cast<std::size_t>(found - kernels.begin());
}

const std::string& Bench::sourceOf(KernelRole role) const {
  return family.kernels[kernelOf(role)].source;
}

Result<Verdict> Bench::run(KernelRole role, std::span<const Edit> edits, int seeds) const {
  KernelFamily faulty = family;
  Kernel& kernel = faulty.kernels[kernelOf(role)];
  MLAC_TRY(source, withEdits(kernel.source, edits));
  kernel.source = source;

  MLAC_TRY(machine, simt::Machine::install({.target = small.target, .maxSteps = kMaxSteps}));
  MLAC_TRY(device, Device::open(0));
  MLAC_TRY(loaded, loadFamily(faulty, device, compileOnce()));
  const GpuRunOptions options{.kernel = static_cast<int>(kernelOf(KernelRole::Attention)),
                              .splits = small.pieceTiles > 0 ? 0 : small.splits,
                              .balance = small.pieceTiles > 0};
  Verdict verdict;
  for (int seed = 0; seed <= seeds && verdict.clean(); ++seed) {
    verdict.seed = static_cast<std::uint64_t>(seed);
    machine->setSeed(verdict.seed);
    const Result<std::string> wrong =
        role == KernelRole::Convert ? wrongConversion(device, loaded, problem)
        : role == KernelRole::Merge ? wrongMerge(device, loaded)
                                    : wrongAttention(device, loaded, problem, reference, options);
    const std::vector<simt::Finding> findings = machine->takeFindings();
    if (!findings.empty())
      verdict.finding = findings.front();
    else if (!wrong)
      return wrong.error();
    else
      verdict.wrongOutput = *wrong;
  }
  return verdict;
}

} // namespace mlac::mutations
