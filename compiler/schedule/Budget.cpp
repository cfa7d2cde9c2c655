#include "compiler/schedule/Budget.h"

#include "compiler/schedule/SmemLayout.h"

#include <fmt/format.h>

#include <algorithm>

namespace mlac {
namespace {

constexpr int kThreadsPerCtaLimit = 1024;
constexpr int kNamedBarriers = 15; // of 16; number 0 is the CTA's own
constexpr int kRegistersPerThreadLimit = 255;
constexpr int kRegisterGranule = 8;
// What a kernel needs besides accumulator and query fragments: scores, addresses, softmax state,
// copies under way.
constexpr int kBaseRegisters = 54;
constexpr int kRegistersPerHeadTile = 8; // softmax state and probabilities of 8 more heads

Error overBudget(const Schedule& schedule, const Target& target, const std::string& what) {
  return {
      ErrorCode::Unsupported,
      fmt::format("the '{}' schedule does not fit {}: {}", schedule.shapeClass, target.name, what)};
}

/// Tokens share keys where one request has several and all walk the same positions.
Status checkGroup(const Variant& variant, const Schedule& schedule, const Target& target) {
  if (schedule.queryGroup == 1)
    return Unit{};
  if (variant.isTopk())
    return overBudget(schedule,
                      target,
                      fmt::format("query_group {} needs tokens that walk the same keys, but each "
                                  "picks {} of its own; set query_group=1",
                                  schedule.queryGroup,
                                  variant.topk));
  if (variant.maxQueries != 0 && schedule.queryGroup > variant.maxQueries)
    return overBudget(schedule,
                      target,
                      fmt::format("query_group {} is more than the {} query tokens of a request; "
                                  "set query_group={} or less",
                                  schedule.queryGroup,
                                  variant.maxQueries,
                                  variant.maxQueries));
  return Unit{};
}

Status checkShape(const Variant& variant, const Schedule& schedule, const Target& target) {
  if (schedule.threads() > kThreadsPerCtaLimit)
    return overBudget(
        schedule,
        target,
        fmt::format(
            "{} threads per CTA (head_groups {} x dim_splits {} x key_slices {} x 32), the limit "
            "is {}; set a smaller key_slices, dim_splits or head_groups",
            schedule.threads(),
            schedule.headGroups,
            schedule.dimSplits,
            schedule.keySlices,
            kThreadsPerCtaLimit));
  const int valueTiles = variant.valueDims() / 16;
  if (schedule.dimSplits > valueTiles)
    return overBudget(
        schedule,
        target,
        fmt::format(
            "dim_splits {} leaves warps without work, as there are {} tiles of 16 value dims; set "
            "dim_splits={} or fewer",
            schedule.dimSplits,
            valueTiles,
            valueTiles));
  const int fragments = fragmentsPerWarp(variant, schedule);
  if (fragments % schedule.mergePasses != 0)
    return overBudget(
        schedule,
        target,
        fmt::format("merge_passes {} does not divide the {} accumulator fragments of a warp (16 "
                    "value dims by 8 heads each); set a divisor of {}",
                    schedule.mergePasses,
                    fragments,
                    fragments));
  const int exchanges = schedule.headGroups * schedule.keySlices;
  if (schedule.dimSplits > 1 && exchanges > kNamedBarriers)
    return overBudget(
        schedule,
        target,
        fmt::format(
            "{} groups of warps exchange scores (head_groups {} x key_slices {}), the CTA "
            "has {} barriers for that; set a smaller head_groups or key_slices, or dim_splits=1",
            exchanges,
            schedule.headGroups,
            schedule.keySlices,
            kNamedBarriers));
  if (schedule.gather == Gather::Bulk && !target.hasBulkCopy)
    return overBudget(
        schedule,
        target,
        "gather=bulk needs cp.async.bulk, which came with sm_90; set gather=cp_async");
  return Unit{};
}

Status checkSmem(const Variant& variant, const Schedule& schedule, const Target& target) {
  const SmemLayout layout = layoutSmem(variant, schedule, false);
  if (layout.totalBytes > target.smemPerCtaBytes)
    return overBudget(
        schedule,
        target,
        fmt::format(
            "{} bytes of shared memory per CTA ({} stages of {} bytes, and {} more), the limit is "
            "{}; set fewer stages (at most {} fit), or more merge_passes",
            layout.totalBytes,
            schedule.stages,
            layout.slotBytes,
            layout.totalBytes - schedule.stages * layout.slotBytes,
            target.smemPerCtaBytes,
            std::max(0,
                     (target.smemPerCtaBytes -
                      (layout.totalBytes - schedule.stages * layout.slotBytes)) /
                         layout.slotBytes)));
  const int together = schedule.ctasPerSm * (layout.totalBytes + target.reservedSmemPerCtaBytes);
  if (together > target.smemPerSmBytes)
    return overBudget(
        schedule,
        target,
        fmt::format(
            "{} CTAs on one SM need {} bytes of shared memory, an SM has {}; set ctas_per_sm={} or "
            "fewer stages",
            schedule.ctasPerSm,
            together,
            target.smemPerSmBytes,
            target.smemPerSmBytes / (layout.totalBytes + target.reservedSmemPerCtaBytes)));
  return Unit{};
}

} // namespace

int estimateRegisters(const Variant& variant, const Schedule& schedule) {
  const int accumulator = fragmentsPerWarp(variant, schedule) * 4;
  const int steps = (variant.qkDims() / 16 + schedule.dimSplits - 1) / schedule.dimSplits;
  const int queries =
      schedule.headTiles * (schedule.queryHome == QueryHome::Registers ? steps * 2 : 6);
  const int moreChains = (schedule.qkChains * schedule.headTiles - 1) * 4;
  const int moreTiles = (schedule.headTiles - 1) * kRegistersPerHeadTile;
  return accumulator + queries + moreChains + moreTiles + kBaseRegisters;
}

int allowedRegisters(const Schedule& schedule, const Target& target) {
  const int perThread = target.registersPerSm / (schedule.ctasPerSm * schedule.threads());
  return std::min(kRegistersPerThreadLimit, perThread / kRegisterGranule * kRegisterGranule);
}

Status checkBudget(const Variant& variant, const Schedule& schedule, const Target& target) {
  MLAC_CHECK(checkGroup(variant, schedule, target));
  MLAC_CHECK(checkShape(variant, schedule, target));
  MLAC_CHECK(checkSmem(variant, schedule, target));
  if (estimateRegisters(variant, schedule) > allowedRegisters(schedule, target))
    return overBudget(
        schedule,
        target,
        fmt::format(
            "about {} registers per thread are needed, {} threads in {} CTAs per SM leave {}; set "
            "query_home=shared, a larger dim_splits, or fewer warps",
            estimateRegisters(variant, schedule),
            schedule.threads(),
            schedule.ctasPerSm,
            allowedRegisters(schedule, target)));
  return Unit{};
}

} // namespace mlac
