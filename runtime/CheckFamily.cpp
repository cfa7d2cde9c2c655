#include "runtime/CheckFamily.h"

#include "common/Target.h"

#include <fmt/format.h>

#include <cmath>

namespace mlac {
namespace {

constexpr int kMaxThreads = 1024;

template <typename... Args>
Error familyError(const KernelFamily& family, fmt::format_string<Args...> text, Args&&... args) {
  return {ErrorCode::InvalidInput,
          fmt::format("family '{}' for {}: {}",
                      family.variant.name,
                      family.target,
                      fmt::format(text, std::forward<Args>(args)...))};
}

Status checkKernel(const KernelFamily& family, const Kernel& kernel) {
  if (kernel.entry.empty())
    return familyError(family, "a {} kernel has no entry name", roleName(kernel.role));
  if (kernel.threads < 1 || kernel.threads > kMaxThreads)
    return familyError(family,
                       "kernel {} has {} threads; 1 to {} are possible",
                       kernel.entry,
                       kernel.threads,
                       kMaxThreads);
  if (kernel.dynamicSmemBytes < 0)
    return familyError(
        family, "kernel {} has {} bytes of shared memory", kernel.entry, kernel.dynamicSmemBytes);
  const bool tiled = kernel.role != KernelRole::Attention || kernel.keysPerTile >= 1;
  if (kernel.ctasPerToken < 1 || kernel.queryGroup < 1 || !tiled)
    return familyError(family,
                       "kernel {} has {} CTAs a token, groups of {} tokens and {} keys a tile; all "
                       "must be at least 1",
                       kernel.entry,
                       kernel.ctasPerToken,
                       kernel.queryGroup,
                       kernel.keysPerTile);
  if (kernel.queryGroup > 1 && !family.variant.isLogical())
    return familyError(
        family, "kernel {} groups tokens by request, but physical indices have none", kernel.entry);
  return Unit{};
}

Status checkRow(const KernelFamily& family, const PlanRow& row) {
  const bool known = row.kernel >= 0 && row.kernel < static_cast<int>(family.kernels.size());
  if (!known || family.kernels[static_cast<std::size_t>(row.kernel)].role != KernelRole::Attention)
    return familyError(
        family, "its table names kernel {}, which is no attention kernel", row.kernel);
  if (row.ctasPerSm < 1 || row.maxSplits < 1)
    return familyError(family,
                       "its table has {} CTAs an SM and at most {} splits; both must be at least 1",
                       row.ctasPerSm,
                       row.maxSplits);
  if (row.maxSplits > 1 && indexOfRole(family, KernelRole::Combine) < 0)
    return familyError(
        family, "its table allows {} splits, but it has no kernel to combine them", row.maxSplits);
  for (const double cost :
       {row.fixedNs, row.tileNs, row.tileBytes, row.combineFixedNs, row.combineSplitNs})
    if (!std::isfinite(cost) || cost < 0)
      return familyError(family, "its table has a cost of {}", cost);
  return Unit{};
}

} // namespace

const char* roleName(KernelRole role) {
  switch (role) {
  case KernelRole::Attention:
    return "attention";
  case KernelRole::Combine:
    return "combine";
  case KernelRole::Convert:
    return "convert";
  case KernelRole::Schedule:
    return "schedule";
  case KernelRole::Merge:
    return "merge";
  }
  return "unknown";
}

int indexOfRole(const KernelFamily& family, KernelRole role) {
  for (std::size_t i = 0; i < family.kernels.size(); ++i)
    if (family.kernels[i].role == role)
      return static_cast<int>(i);
  return -1;
}

Status checkFamily(const KernelFamily& family) {
  const Variant& variant = family.variant;
  if (variant.heads < 1 || variant.latent < 1 || variant.rope < 0 || variant.page < 1)
    return familyError(family,
                       "it has {} heads, latent {}, rope {}, page {}",
                       variant.heads,
                       variant.latent,
                       variant.rope,
                       variant.page);
  if (variant.isTopk() && variant.topk < 1)
    return familyError(family, "it is top-k with {} indices a token", variant.topk);
  MLAC_CHECK(findTarget(family.target));
  for (const Kernel& kernel : family.kernels)
    MLAC_CHECK(checkKernel(family, kernel));
  if (family.table.empty())
    return familyError(family, "its table is empty");
  if (!std::isfinite(family.bytesPerNsPerSm) || family.bytesPerNsPerSm <= 0)
    return familyError(family, "its bandwidth is {} bytes/ns an SM", family.bytesPerNsPerSm);
  for (const PlanRow& row : family.table)
    MLAC_CHECK(checkRow(family, row));
  return Unit{};
}

} // namespace mlac
