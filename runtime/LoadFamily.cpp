#include "common/Parallel.h"
#include "common/Target.h"
#include "runtime/CheckFamily.h"
#include "runtime/Family.h"
#include "runtime/FamilyImpl.h"
#include "runtime/cache/CompileService.h"
#include "runtime/cuda/CudaStatus.h"

#include <fmt/format.h>

#include <atomic>
#include <optional>
#include <span>
#include <utility>

namespace mlac {
namespace {

Result<std::vector<SourcedCubin>>
makeCubins(const KernelFamily& family, const std::string& target, const CubinSource& source) {
  std::vector<std::optional<Result<SourcedCubin>>> results(family.kernels.size());
  parallelFor(static_cast<std::int64_t>(results.size()), 0, [&](std::int64_t index) {
    const auto i = static_cast<std::size_t>(index);
    results[i] = source(family, family.kernels[i], target);
  });
  std::vector<SourcedCubin> cubins;
  for (std::optional<Result<SourcedCubin>>& result : results) {
    if (!*result)
      return result->error();
    cubins.push_back(std::move(**result));
  }
  return cubins;
}

Status checkSharedMemory(const Device::Impl& device, const Kernel& kernel, int staticSmemBytes) {
  const int needed = staticSmemBytes + kernel.dynamicSmemBytes;
  if (needed <= device.smemPerCtaOptinBytes)
    return Unit{};
  return Error{ErrorCode::Unsupported,
               fmt::format("kernel {} needs {} bytes of shared memory ({} static, {} dynamic); a "
                           "thread block has {} on {}; generate for {}",
                           kernel.entry,
                           needed,
                           staticSmemBytes,
                           kernel.dynamicSmemBytes,
                           device.smemPerCtaOptinBytes,
                           device.name,
                           device.targetName)};
}

/// The driver's numbers are those of the loaded code, so they stand where ptxas's log is silent.
Status readAttributes(const DriverApi& api, CUfunction function, KernelReport& report) {
  MLAC_CUDA(api, cuFuncGetAttribute, &report.staticSmemBytes, kFunctionStaticSmemBytes, function);
  if (report.registers < 0)
    MLAC_CUDA(api, cuFuncGetAttribute, &report.registers, kFunctionRegisters, function);
  if (report.stackBytes < 0)
    MLAC_CUDA(api, cuFuncGetAttribute, &report.stackBytes, kFunctionLocalBytes, function);
  return Unit{};
}

KernelReport reportOf(const Kernel& kernel, const SourcedCubin& cubin) {
  const Resources& resources = cubin.output.resources;
  KernelReport report;
  report.entry = kernel.entry;
  report.role = roleName(kernel.role);
  report.schedule = kernel.schedule;
  report.target = cubin.target;
  report.origin = cubin.origin;
  report.threads = kernel.threads;
  report.registers = resources.registers;
  report.spillStoreBytes = resources.spillStoreBytes;
  report.spillLoadBytes = resources.spillLoadBytes;
  report.stackBytes = resources.stackBytes;
  report.staticSmemBytes = resources.staticSmemBytes;
  report.dynamicSmemBytes = kernel.dynamicSmemBytes;
  return report;
}

Result<LoadedKernel> loadKernel(const Device::Impl& device,
                                const Kernel& kernel,
                                std::span<const RuleParam> ruleParams,
                                const SourcedCubin& cubin) {
  const DriverApi& api = *device.api;
  MLAC_TRY(params, bindParams(kernel, ruleParams));
  MLAC_TRY(module, Module::load(device, cubin.output.cubin));
  MLAC_TRY(function, module.function(kernel.entry));
  KernelReport report = reportOf(kernel, cubin);
  MLAC_CHECK(readAttributes(api, function, report));
  MLAC_CHECK(checkSharedMemory(device, kernel, report.staticSmemBytes));
  // Once here and never at launch, where another thread may be launching the same function.
  if (kernel.dynamicSmemBytes > 0)
    MLAC_CUDA(
        api, cuFuncSetAttribute, function, kFunctionMaxDynamicSmemBytes, kernel.dynamicSmemBytes);
  // All kernels of a family ask for the same division of an SM's memory: one that wants another
  // must wait until the SM is empty, and a combine could not start early.
  constexpr int kAllShared = 100;
  MLAC_CUDA(api, cuFuncSetAttribute, function, kFunctionSmemCarveout, kAllShared);
  return LoadedKernel{std::move(module), function, std::move(params), std::move(report)};
}

std::uint64_t nextIdentity() {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

} // namespace

CubinSource cachedNvrtc() {
  return [](const KernelFamily&,
            const Kernel& kernel,
            std::string_view target) -> Result<SourcedCubin> {
    const CompileInput input{.source = kernel.source,
                             .name = kernel.entry,
                             .entry = kernel.entry,
                             .target = target,
                             .extraOptions = {}};
    MLAC_TRY(outcome, processCompileService().cubinFor(roleName(kernel.role), input));
    return SourcedCubin{*outcome.output, std::string(target), outcome.origin};
  };
}

Result<std::string> compileTargetFor(const KernelFamily& family, const Device& device) {
  MLAC_TRY(made, findTarget(family.target));
  MLAC_TRY(present, findTarget(device.targetName()));
  if (made->sm > present->sm)
    return Error{ErrorCode::Unsupported,
                 fmt::format("'{}' was generated for {}; {} runs {} at most",
                             family.variant.name,
                             family.target,
                             device.name(),
                             device.targetName())};
  // Code for an older minor of the same major runs as it is; for an older major its source still
  // does.
  constexpr int kMinors = 10;
  const bool sameMajor = made->sm / kMinors == present->sm / kMinors;
  return sameMajor ? family.target : device.targetName();
}

Result<Family>
loadFamily(const KernelFamily& family, const Device& device, const CubinSource& cubins) {
  MLAC_CHECK(checkFamily(family));
  MLAC_CHECK(checkContextIsCurrent(device.get()));
  MLAC_TRY(target, compileTargetFor(family, device));
  MLAC_TRY(made, makeCubins(family, target, cubins));
  unloadRetiredModules(device.get());
  auto impl = std::make_shared<Family::Impl>(
      Family::Impl{.device = device,
                   .family = family,
                   .kernels = {},
                   .combine = indexOfRole(family, KernelRole::Combine),
                   .convert = indexOfRole(family, KernelRole::Convert),
                   .schedule = indexOfRole(family, KernelRole::Schedule),
                   .merge = indexOfRole(family, KernelRole::Merge),
                   .identity = nextIdentity()});
  for (std::size_t i = 0; i < made.size(); ++i) {
    MLAC_TRY(
        loaded,
        loadKernel(device.get(), impl->family.kernels[i], impl->family.variant.params, made[i]));
    impl->kernels.push_back(std::move(loaded));
  }
  return Family(impl);
}

} // namespace mlac
