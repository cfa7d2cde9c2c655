#include "runtime/launch/Arguments.h"

#include <cmath>
#include <limits>

namespace mlac {
namespace {

constexpr std::int64_t kNumberBytes = 4;

/// The one value given for `name`; null where there is none.
const ParamArg* findArg(std::span<const ParamArg> args, std::string_view name) {
  for (const ParamArg& arg : args)
    if (arg.name == name)
      return &arg;
  return nullptr;
}

Status checkKnown(const Variant& variant, std::span<const ParamArg> args) {
  for (std::size_t index = 0; index < args.size(); ++index) {
    const std::string_view name = args[index].name;
    if (findArg(args, name) != &args[index])
      return argumentError(name, "was given twice");
    bool isKnown = false;
    for (const RuleParam& param : variant.params) {
      if (param.name != name)
        continue;
      isKnown = true;
      if (!param.isArgument())
        return argumentError(name,
                             "was given, but '{}' fixes it at {}; leave it out, or write the "
                             "parameter without a default",
                             variant.name,
                             *param.value);
    }
    if (!isKnown)
      return argumentError(name, "is no parameter of '{}'; leave it out", variant.name);
  }
  return Unit{};
}

Status collectArray(const RuleParam& param,
                    const ParamArg& arg,
                    std::int64_t count,
                    Param place,
                    CollectedArgs& to) {
  if (arg.data == nullptr)
    return argumentError(param.name,
                         "is one number; the spec declares a number per {}, so give a device array",
                         param.kind == ParamKind::PerHead ? "head" : "token");
  MLAC_CHECK(checkPointer(param.name, arg.data, kNumberBytes));
  MLAC_TRY(range, rangeOf(param.name, arg.data, count * kNumberBytes));
  to.inputs.add(range);
  to.values.set(place, arg.data);
  return Unit{};
}

Status collectScalar(const RuleParam& param, const ParamArg& arg, Param place, CollectedArgs& to) {
  if (arg.data != nullptr)
    return argumentError(param.name,
                         "is a device array; the spec declares one number, so give its value");
  if (param.type == ExprType::F32) {
    const auto value = static_cast<float>(arg.value);
    if (!std::isfinite(value))
      return argumentError(param.name, "is {}; it must be a finite f32", arg.value);
    to.values.set(place, value);
    return Unit{};
  }
  using Limits = std::numeric_limits<std::int32_t>;
  const bool isWhole = arg.value >= Limits::min() && arg.value <= Limits::max() &&
                       std::trunc(arg.value) == arg.value;
  if (!isWhole)
    return argumentError(param.name, "is {}; it must be a whole number of 32 bits", arg.value);
  to.values.set(place, static_cast<std::int64_t>(arg.value));
  return Unit{};
}

} // namespace

Status collectRules(const Variant& variant,
                    std::int64_t tokens,
                    std::span<const ParamArg> args,
                    const float* sinks,
                    CollectedArgs& to) {
  MLAC_CHECK(checkKnown(variant, args));
  for (std::size_t index = 0; index < variant.params.size(); ++index) {
    const RuleParam& param = variant.params[index];
    if (!param.isArgument())
      continue;
    const ParamArg* arg = findArg(args, param.name);
    if (arg == nullptr)
      return argumentError(param.name, "is missing; '{}' declares the parameter", variant.name);
    const Param place = ruleParam(index);
    const std::int64_t count = param.kind == ParamKind::PerHead ? variant.heads : tokens;
    MLAC_CHECK(param.kind == ParamKind::Scalar ? collectScalar(param, *arg, place, to)
                                               : collectArray(param, *arg, count, place, to));
  }
  if (!variant.sink)
    return sinks == nullptr
               ? Status(Unit{})
               : argumentError("sinks", "was given, but '{}' has no sink", variant.name);
  MLAC_CHECK(checkPointer("sinks", sinks, kNumberBytes));
  MLAC_TRY(range, rangeOf("sinks", sinks, variant.heads * kNumberBytes));
  to.inputs.add(range);
  to.values.set(Param::sinks, sinks);
  return Unit{};
}

} // namespace mlac
