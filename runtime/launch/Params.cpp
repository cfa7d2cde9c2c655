#include "runtime/launch/Params.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace mlac {
namespace {

// The names Params.def uses.
// NOLINTBEGIN(readability-identifier-naming)
constexpr unsigned A = 1U << static_cast<unsigned>(KernelRole::Attention);
constexpr unsigned B = 1U << static_cast<unsigned>(KernelRole::Combine);
constexpr unsigned V = 1U << static_cast<unsigned>(KernelRole::Convert);
constexpr unsigned S = 1U << static_cast<unsigned>(KernelRole::Schedule);
constexpr unsigned M = 1U << static_cast<unsigned>(KernelRole::Merge);

// NOLINTEND(readability-identifier-naming)

struct KnownParam {
  const char* name;
  ParamType type;
  unsigned roles;
};

constexpr std::array<KnownParam, kParamCount> kKnown = {{
#define MLAC_PARAM(name, type, roles) {#name, ParamType::type, roles},
#include "runtime/launch/Params.def"
}};

std::uint32_t bytesOf(ParamType type) {
  return type == ParamType::Pointer || type == ParamType::I64 ? 8 : 4;
}

Error bindError(const Kernel& kernel, const ParamField& field, const std::string& what) {
  return {ErrorCode::InvalidInput,
          fmt::format("kernel {}: parameter '{}' {}", kernel.entry, field.name, what)};
}

Status checkField(const Kernel& kernel, const ParamField& field, const KnownParam& known) {
  if (field.type != known.type)
    return bindError(kernel, field, "has another type than the launch gives it");
  if ((known.roles & (1U << static_cast<unsigned>(kernel.role))) == 0)
    return bindError(kernel, field, "means nothing to a kernel of this role");
  const std::uint32_t bytes = bytesOf(field.type);
  if (field.offset % bytes != 0 || field.offset > kernel.paramBytes ||
      kernel.paramBytes - field.offset < bytes)
    return bindError(
        kernel,
        field,
        fmt::format("at byte {} does not lie in a struct of {} bytes, or is misaligned",
                    field.offset,
                    kernel.paramBytes));
  return Unit{};
}

ParamType typeOf(const RuleParam& param) {
  if (param.kind != ParamKind::Scalar)
    return ParamType::Pointer;
  return param.type == ExprType::F32 ? ParamType::F32 : ParamType::I32;
}

Result<Param>
bindField(const Kernel& kernel, const ParamField& field, std::span<const RuleParam> params) {
  for (std::size_t index = 0; index < params.size(); ++index) {
    if (!params[index].isArgument() || paramFieldName(params[index].name) != field.name)
      continue;
    MLAC_CHECK(checkField(kernel, field, {field.name.c_str(), typeOf(params[index]), A}));
    return ruleParam(index);
  }
  const auto* known = std::find_if(
      kKnown.begin(), kKnown.end(), [&](const KnownParam& one) { return one.name == field.name; });
  if (known == kKnown.end())
    return bindError(kernel, field, "is not one that a launch knows");
  MLAC_CHECK(checkField(kernel, field, *known));
  return static_cast<Param>(known - kKnown.begin());
}

} // namespace

Result<PackList> bindParams(const Kernel& kernel, std::span<const RuleParam> params) {
  if (kernel.paramBytes > kMaxParamBytes)
    return Error{ErrorCode::InvalidInput,
                 fmt::format("kernel {}: its parameter struct has {} bytes; at most {} are passed",
                             kernel.entry,
                             kernel.paramBytes,
                             kMaxParamBytes)};
  PackList list;
  list.structBytes = kernel.paramBytes;
  std::vector<bool> taken(kernel.paramBytes, false);
  for (const ParamField& field : kernel.params) {
    MLAC_TRY(param, bindField(kernel, field, params));
    for (const PackedField& other : list.fields)
      if (other.param == param)
        return bindError(kernel, field, "is listed twice");
    const std::uint32_t bytes = bytesOf(field.type);
    const auto first = taken.begin() + field.offset;
    if (std::find(first, first + bytes, true) != first + bytes)
      return bindError(kernel, field, "overlaps another");
    std::fill(first, first + bytes, true);
    list.fields.push_back({param, field.offset, bytes});
  }
  return list;
}

void packParams(const PackList& list, const ParamValues& values, ParamBuffer& to) {
  std::memset(to.bytes.data(), 0, list.structBytes);
  for (const PackedField& field : list.fields)
    std::memcpy(to.bytes.data() + field.offset, &values.get(field.param), field.bytes);
}

} // namespace mlac
