#include "runtime/launch/Launch.h"

#include "runtime/FamilyImpl.h"
#include "runtime/cuda/CudaStatus.h"
#include "runtime/launch/Arguments.h"
#include "runtime/plan/Planner.h"

#include <fmt/format.h>

namespace mlac {
namespace {

Status launchKernel(const Family::Impl& family,
                    int index,
                    const CheckedLaunch& checked,
                    std::int64_t ctas,
                    CUstream stream) {
  const LoadedKernel& loaded = family.kernels[static_cast<std::size_t>(index)];
  const Kernel& kernel = family.family.kernels[static_cast<std::size_t>(index)];
  ParamBuffer buffer;
  packParams(loaded.params, checked.values, buffer);
  void* params[] = {buffer.bytes.data()};
  CUlaunchAttribute early;
  early.id = kLaunchStartsEarly;
  early.value.enabled = 1;
  CUlaunchConfig config;
  config.gridX = static_cast<unsigned>(ctas);
  config.blockX = static_cast<unsigned>(kernel.threads);
  config.dynamicSmemBytes = static_cast<unsigned>(kernel.dynamicSmemBytes);
  config.stream = stream;
  config.attributes = kernel.startsEarly ? &early : nullptr;
  config.attributeCount = kernel.startsEarly ? 1 : 0;
  const DriverApi& api = *family.device.get().api;
  MLAC_CUDA(api, cuLaunchKernelEx, &config, loaded.function, params, nullptr);
  return Unit{};
}

/// A kernel's CTAs a token, for all tokens.
Result<std::int64_t>
tokenCtas(const Family::Impl& family, int index, const CheckedLaunch& checked) {
  const Kernel& kernel = family.family.kernels[static_cast<std::size_t>(index)];
  const std::int64_t tokens = checked.batch.tokens;
  if (tokens > kMaxGridCtas / kernel.ctasPerToken)
    return argumentError("tokens",
                         "is {} with {} thread blocks each; a grid takes {}; launch in parts",
                         tokens,
                         kernel.ctasPerToken,
                         kMaxGridCtas);
  return tokens * kernel.ctasPerToken;
}

Status checkPlan(const Family::Impl& family, const Plan& plan) {
  const KernelFamily& made = family.family;
  const bool kernelFits =
      plan.kernel >= 0 && plan.kernel < static_cast<int>(made.kernels.size()) &&
      made.kernels[static_cast<std::size_t>(plan.kernel)].role == KernelRole::Attention;
  const bool isWhole = plan.splits == 1 && plan.parts == 0;
  const bool splitsFit = isWhole || (plan.splits >= 1 && plan.parts >= 0 && family.combine >= 0);
  if (plan.family == family.identity && kernelFits && splitsFit)
    return Unit{};
  return Error{ErrorCode::InvalidArgument,
               fmt::format("the plan was not made by this family ('{}'); call plan on the family "
                           "that launches",
                           family.family.variant.name)};
}

} // namespace

Status launchAttention(const Family::Impl& family,
                       const Plan& plan,
                       const LaunchArgs& args,
                       CUstream stream) {
  MLAC_CHECK(checkPlan(family, plan));
  if (args.tokens == 0 || plan.shape.tokens == 0)
    return Unit{};
  const Variant& variant = family.family.variant;
  MLAC_TRY(checked, checkLaunch(variant, plan, args));
  MLAC_CHECK(checkContextIsCurrent(family.device.get()));
  // The plan, made for as many tokens at least, has a grid that fits, unless requests grew.
  const Kernel& kernel = family.family.kernels[static_cast<std::size_t>(plan.kernel)];
  const std::int64_t units = gridUnits(kernel, checked.batch);
  if (kernel.queryGroup > 1 && units > kMaxGridCtas / kernel.ctasPerToken / plan.splits)
    return argumentError("requests",
                         "is {}, which makes {} groups of tokens in {} splits of {} thread blocks; "
                         "a grid takes {}; launch in parts",
                         checked.batch.requests,
                         units,
                         plan.splits,
                         kernel.ctasPerToken,
                         kMaxGridCtas);
  const std::int64_t ctas = gridCtas(kernel, units, plan.splits, plan.parts);
  if (plan.splits == 1 && plan.parts == 0)
    return launchKernel(family, plan.kernel, checked, ctas, stream);
  MLAC_TRY(tiles, tokenCtas(family, family.combine, checked));
  MLAC_CHECK(launchKernel(family, plan.kernel, checked, ctas, stream));
  return launchKernel(family, family.combine, checked, combineCtas(tiles), stream);
}

Status launchSchedule(const Family::Impl& family,
                      const Plan& plan,
                      const ScheduleArgs& args,
                      CUstream stream) {
  MLAC_CHECK(checkPlan(family, plan));
  if (args.tokens == 0 || plan.shape.tokens == 0)
    return Unit{};
  if (plan.parts == 0 || family.schedule < 0)
    return argumentError("plan",
                         "does not balance, so it takes no schedule; plan with PlanShape::balance");
  MLAC_TRY(checked, checkSchedule(family.family.variant, plan, args));
  MLAC_CHECK(checkContextIsCurrent(family.device.get()));
  return launchKernel(family, family.schedule, checked, 1, stream);
}

Status launchConvert(const Family::Impl& family, const ConvertArgs& args, CUstream stream) {
  if (args.tokens == 0)
    return Unit{};
  MLAC_TRY(checked, checkConvert(family.family.variant, args));
  if (family.convert < 0)
    return Error{
        ErrorCode::Unsupported,
        fmt::format("'{}' was built without its convert kernel", family.family.variant.name)};
  MLAC_CHECK(checkContextIsCurrent(family.device.get()));
  MLAC_TRY(ctas, tokenCtas(family, family.convert, checked));
  return launchKernel(family, family.convert, checked, ctas, stream);
}

Status launchMerge(const Family::Impl& family, const MergeArgs& args, CUstream stream) {
  if (args.tokens == 0)
    return Unit{};
  MLAC_TRY(checked, checkMerge(family.family.variant, args));
  if (family.merge < 0)
    return Error{
        ErrorCode::Unsupported,
        fmt::format("'{}' was built without its merge kernel", family.family.variant.name)};
  MLAC_CHECK(checkContextIsCurrent(family.device.get()));
  MLAC_TRY(ctas, tokenCtas(family, family.merge, checked));
  return launchKernel(family, family.merge, checked, ctas, stream);
}

} // namespace mlac
