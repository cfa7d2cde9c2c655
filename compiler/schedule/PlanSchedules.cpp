#include "compiler/schedule/PlanSchedules.h"

#include "compiler/schedule/Budget.h"
#include "compiler/schedule/SmemLayout.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace mlac {
namespace {

// Eight warps of 255 registers fill an SM's register file.
constexpr int kWarpsAtFullRegisters = 8;
// More slots than this make the H200 slower, not faster (docs/performance.md).
constexpr int kMostStages = 6;

int ceilDiv(int a, int b) {
  return (a + b - 1) / b;
}

/// Where the fragments go, in order of preference: registers are free to read, shared memory costs
/// bandwidth, and dividing the dims repeats QK.
struct Placement {
  QueryHome home;
  int dimSplits;
};

constexpr std::array<Placement, 8> kPlacements = {{
    {QueryHome::Registers, 1},
    {QueryHome::Shared, 1},
    {QueryHome::Registers, 2},
    {QueryHome::Shared, 2},
    {QueryHome::Registers, 4},
    {QueryHome::Shared, 4},
    {QueryHome::Registers, 8},
    {QueryHome::Shared, 8},
}};

/// The fewest passes whose memory the ring already has.
int choosePasses(const Variant& variant, const Schedule& schedule) {
  const int tiles = valueTilesPerWarp(variant, schedule);
  const int ringBytes = schedule.stages * layoutSmem(variant, schedule, false).slotBytes;
  for (int passes = 1; passes < tiles; ++passes)
    if (tiles % passes == 0 && mergeBytes(variant, schedule, passes) <= ringBytes)
      return passes;
  return tiles;
}

/// Fills stages and passes; nothing when not even one stage fits.
std::optional<Schedule>
withStages(const Variant& variant, Schedule schedule, const Target& target) {
  for (int stages = kMostStages; stages >= 1; --stages) {
    schedule.stages = stages;
    schedule.mergePasses = choosePasses(variant, schedule);
    if (checkBudget(variant, schedule, target))
      return schedule;
  }
  return std::nullopt;
}

Schedule startingPoint(const char* shapeClass, const Target& target) {
  Schedule schedule;
  schedule.shapeClass = shapeClass;
  schedule.gather = target.hasBulkCopy ? Gather::Bulk : Gather::CpAsync;
  return schedule;
}

/// Enough tokens to fill the GPU: every head group in one CTA, so that rows are gathered once;
/// spare warps take key slices.
std::optional<Schedule> planMany(const Variant& variant, const Target& target) {
  const int groups = ceilDiv(variant.heads, 8);
  for (const Placement& placement : kPlacements) {
    const int most = kWarpsAtFullRegisters / placement.dimSplits;
    Schedule schedule = startingPoint("many", target);
    schedule.queryHome = placement.home;
    schedule.dimSplits = std::min(placement.dimSplits, variant.valueDims() / 16);
    schedule.headGroups = ceilDiv(groups, ceilDiv(groups, most));
    schedule.keySlices = std::max(1, most / schedule.headGroups);
    const auto planned = withStages(variant, schedule, target);
    // One stage cannot overlap copying with arithmetic; a placement that leaves room for two is
    // better.
    if (planned && (planned->stages > 1 || placement.dimSplits == 8))
      return planned;
  }
  return std::nullopt;
}

/// The first of a placement's variants that fits with room to overlap copies and arithmetic.
std::optional<Schedule>
fitFew(const Variant& variant, const Target& target, Schedule schedule, int mostCtasPerSm) {
  constexpr int kFewestStages = 3;
  schedule.dimSplits = std::min(schedule.dimSplits, variant.valueDims() / 16);
  for (const QueryHome home : {QueryHome::Registers, QueryHome::Shared})
    for (int ctasPerSm = mostCtasPerSm; ctasPerSm >= 1; --ctasPerSm) {
      schedule.queryHome = home;
      schedule.ctasPerSm = ctasPerSm;
      const auto planned = withStages(variant, schedule, target);
      if (planned && planned->stages >= kFewestStages)
        return planned;
    }
  return std::nullopt;
}

/// One token or two: many small CTAs, each with a tile or two, that finish soon. Two chains of QK
/// products, because a warp has no other to hide their latency behind.
std::optional<Schedule> planFew(const Variant& variant, const Target& target) {
  const int groups = ceilDiv(variant.heads, 8);
  Schedule schedule = startingPoint("few", target);
  schedule.headGroups = groups <= 2 ? 1 : 2;
  schedule.dimSplits = 2;
  schedule.keySlices = 2;
  schedule.qkChains = 2;
  return fitFew(variant, target, schedule, schedule.headGroups == 1 ? 2 : 1);
}

/// Four to some dozens of tokens of one head group: four slices to keep several tiles under way,
/// and still half the accumulators of `many` a warp. With more head groups `many` is as good.
std::optional<Schedule> planSome(const Variant& variant, const Target& target) {
  if (variant.heads > 8)
    return std::nullopt;
  Schedule schedule = startingPoint("some", target);
  schedule.dimSplits = 2;
  schedule.keySlices = 4;
  schedule.qkChains = 2;
  return fitFew(variant, target, schedule, 1);
}

/// Overrides may free what the planner had counted on, so stages and passes that were not set are
/// fitted again.
Result<Schedule> overridden(const Variant& variant,
                            Schedule schedule,
                            const Target& target,
                            const std::vector<ScheduleOverride>& overrides) {
  const Schedule before = schedule;
  MLAC_CHECK(applyOverrides(schedule, overrides));
  if (schedule == before)
    return schedule;
  const auto isSet = [&](std::string_view key) {
    return std::any_of(overrides.begin(), overrides.end(), [&](const ScheduleOverride& set) {
      return set.key == key && (set.shapeClass.empty() || set.shapeClass == schedule.shapeClass);
    });
  };
  if (!isSet("merge_passes") && schedule.dimSplits <= variant.valueDims() / 16)
    schedule.mergePasses = choosePasses(variant, schedule);
  if (!isSet("stages") && !checkBudget(variant, schedule, target)) {
    Schedule refitted = schedule;
    for (refitted.stages = schedule.stages; refitted.stages > 1; --refitted.stages) {
      if (!isSet("merge_passes"))
        refitted.mergePasses = choosePasses(variant, refitted);
      if (checkBudget(variant, refitted, target))
        return refitted;
    }
  }
  MLAC_CHECK(checkBudget(variant, schedule, target));
  return schedule;
}

Error doesNotFit(const Variant& variant, const Target& target) {
  Schedule least = startingPoint("many", target);
  least.queryHome = QueryHome::Shared;
  least.dimSplits = std::min(8, variant.valueDims() / 16);
  least.stages = 1;
  least.mergePasses = valueTilesPerWarp(variant, least);
  return {ErrorCode::Unsupported,
          fmt::format("'{}' does not fit {}: with latent {} and rope {} the smallest schedule "
                      "needs {} bytes of shared "
                      "memory per CTA (limit {}) and about {} registers per thread (limit 255); "
                      "make latent or rope "
                      "smaller, or choose another target",
                      variant.name,
                      target.name,
                      variant.latent,
                      variant.rope,
                      layoutSmem(variant, least, false).totalBytes,
                      target.smemPerCtaBytes,
                      estimateRegisters(variant, least))};
}

} // namespace

Result<std::vector<Schedule>> planSchedules(const Variant& variant,
                                            const Target& target,
                                            const std::vector<ScheduleOverride>& overrides) {
  if (variant.query != variant.cache)
    return Error{ErrorCode::Unsupported,
                 fmt::format("'{}': the mma_sync engine multiplies operands of one type, but q is "
                             "{} and the cache {}; "
                             "write `q {}`",
                             variant.name,
                             elementName(variant.query),
                             elementName(variant.cache),
                             elementName(variant.cache))};
  std::vector<Schedule> schedules;
  if (const auto few = planFew(variant, target))
    schedules.push_back(*few);
  if (const auto some = planSome(variant, target))
    schedules.push_back(*some);
  const auto many = planMany(variant, target);
  if (!many)
    return doesNotFit(variant, target);
  schedules.push_back(*many);
  for (Schedule& schedule : schedules) {
    MLAC_TRY(chosen, overridden(variant, schedule, target, overrides));
    schedule = chosen;
  }
  return schedules;
}

} // namespace mlac
