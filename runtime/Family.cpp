#include "runtime/Family.h"

#include "runtime/FamilyImpl.h"
#include "runtime/launch/Launch.h"
#include "runtime/plan/Planner.h"

#include <utility>

namespace mlac {

Family::Family(std::shared_ptr<const Impl> impl) : impl(std::move(impl)) {}

VariantInfo Family::variant() const {
  const Variant& variant = impl->family.variant;
  return {.name = variant.name,
          .heads = variant.heads,
          .qkDims = variant.qkDims(),
          .valueDims = variant.valueDims(),
          .page = variant.page,
          .topk = variant.isTopk() ? variant.topk : 0,
          .recordBytes = variant.recordBytes(),
          .logical = variant.isLogical(),
          .hasLse = variant.lse != LseMode::None,
          .hasMaxLogit = variant.maxLogit,
          .hasConvert = impl->convert >= 0,
          .hasMerge = impl->merge >= 0,
          .hasSink = variant.sink,
          .scale = variant.scale};
}

const std::string& Family::specText() const {
  return impl->family.specText;
}

const std::string& Family::target() const {
  return impl->family.target;
}

std::vector<KernelReport> Family::kernels() const {
  std::vector<KernelReport> reports;
  for (const LoadedKernel& kernel : impl->kernels)
    reports.push_back(kernel.report);
  return reports;
}

Result<Plan> Family::plan(const PlanShape& shape) const {
  MLAC_TRY(plan, planLaunch(impl->family, impl->device.sms(), shape));
  plan.family = impl->identity;
  return plan;
}

Status Family::launch(const Plan& plan, const LaunchArgs& args, Stream stream) const {
  return launchAttention(*impl, plan, args, static_cast<CUstream>(stream));
}

Status Family::schedule(const Plan& plan, const ScheduleArgs& args, Stream stream) const {
  return launchSchedule(*impl, plan, args, static_cast<CUstream>(stream));
}

Status Family::convert(const ConvertArgs& args, Stream stream) const {
  return launchConvert(*impl, args, static_cast<CUstream>(stream));
}

Status Family::merge(const MergeArgs& args, Stream stream) const {
  return launchMerge(*impl, args, static_cast<CUstream>(stream));
}

const KernelFamily& kernelFamilyOf(const Family& family) {
  return family.get().family;
}

const char* version() {
  return MLAC_VERSION;
}

} // namespace mlac
