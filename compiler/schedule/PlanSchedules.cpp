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

/// What is planned: tokens one by one, or groups of them.
struct Subject {
  const Variant& variant;
  const Target& target;
  int queryGroup = 1;

  /// Tiles of 8 rows, the heads of all tokens of a group.
  int rowTiles() const { return variant.headTiles() * queryGroup; }
};

/// Where the fragments go, in order of preference: registers are free to read, shared memory costs
/// bandwidth, and warps that divide the dims exchange scores.
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
  const int fragments = fragmentsPerWarp(variant, schedule);
  const int ringBytes = schedule.stages * layoutSmem(variant, schedule, false).slotBytes;
  for (int passes = 1; passes < fragments; ++passes)
    if (fragments % passes == 0 && mergeBytes(variant, schedule, passes) <= ringBytes)
      return passes;
  return fragments;
}

/// A row that was picked, or whose request has no more query tokens than a group, is read for one
/// token or group; and by one CTA, if that has all heads.
RowReuse reuseOf(const Variant& variant, const Schedule& schedule) {
  const bool byOneGroup =
      variant.topk > 0 || (variant.maxQueries != 0 && variant.maxQueries <= schedule.queryGroup);
  return byOneGroup && headCtas(variant, schedule) == 1 ? RowReuse::None : RowReuse::L2;
}

/// Fills stages and passes; nothing when not even one stage fits.
std::optional<Schedule> withStages(const Subject& subject, Schedule schedule) {
  schedule.rowReuse = reuseOf(subject.variant, schedule);
  for (int stages = kMostStages; stages >= 1; --stages) {
    schedule.stages = stages;
    schedule.mergePasses = choosePasses(subject.variant, schedule);
    if (checkBudget(subject.variant, schedule, subject.target))
      return schedule;
  }
  return std::nullopt;
}

Schedule startingPoint(const Subject& subject, const char* shapeClass) {
  Schedule schedule;
  schedule.shapeClass = shapeClass;
  schedule.queryGroup = subject.queryGroup;
  schedule.gather = subject.target.hasBulkCopy ? Gather::Bulk : Gather::CpAsync;
  return schedule;
}

/// Warps of a CTA along heads, dims and keys, as docs/performance.md found them best on an H200.
struct Shape {
  int headGroups;
  int headTiles;
  int dimSplits;
  int keySlices;
  int ctasPerSm;
};

/// A shape with its fragments in registers and room to overlap copies and arithmetic; nothing where
/// it does not fit. Two sums of QK, unless several tiles of heads are as many already.
std::optional<Schedule> fit(const Subject& subject, const char* shapeClass, const Shape& shape) {
  constexpr int kFewestStages = 3;
  Schedule schedule = startingPoint(subject, shapeClass);
  schedule.headGroups = shape.headGroups;
  schedule.headTiles = shape.headTiles;
  schedule.dimSplits = std::min(shape.dimSplits, subject.variant.valueDims() / 16);
  schedule.keySlices = shape.keySlices;
  for (const int chains : {2, 1})
    for (int ctasPerSm = shape.ctasPerSm; ctasPerSm >= 1; --ctasPerSm) {
      schedule.qkChains = chains;
      schedule.ctasPerSm = ctasPerSm;
      const auto planned = withStages(subject, schedule);
      if (planned && planned->stages >= kFewestStages)
        return planned;
    }
  return std::nullopt;
}

/// Enough tokens to fill the GPU, picked rows. Up to three tiles of 8 heads stay in one warp, so
/// that each fragment of keys is read once for all of them. Rows that are walked in order come
/// faster than that, and warps that exchange nothing keep up better (docs/performance.md).
std::optional<Schedule> planManyOfFewHeads(const Subject& subject) {
  constexpr std::array<Shape, 3> kByHeadTiles = {{
      {1, 1, 2, 4, 1},
      {1, 2, 4, 2, 1},
      {1, 3, 4, 2, 1},
  }};
  const int tiles = subject.rowTiles();
  if (subject.variant.topk == 0 || tiles > static_cast<int>(kByHeadTiles.size()))
    return std::nullopt;
  return fit(subject, "many", kByHeadTiles[static_cast<std::size_t>(tiles - 1)]);
}

/// The same for any number of heads: every head group in one CTA, so that rows are gathered once;
/// spare warps take key slices.
std::optional<Schedule> planMany(const Subject& subject, const char* shapeClass) {
  if (const auto planned = planManyOfFewHeads(subject))
    return planned;
  const int groups = subject.rowTiles();
  for (const Placement& placement : kPlacements) {
    const int most = kWarpsAtFullRegisters / placement.dimSplits;
    Schedule schedule = startingPoint(subject, shapeClass);
    schedule.queryHome = placement.home;
    schedule.dimSplits = std::min(placement.dimSplits, subject.variant.valueDims() / 16);
    schedule.headGroups = ceilDiv(groups, ceilDiv(groups, most));
    schedule.keySlices = std::max(1, most / schedule.headGroups);
    const auto planned = withStages(subject, schedule);
    // One stage cannot overlap copying with arithmetic; a placement that leaves room for two is
    // better.
    if (planned && (planned->stages > 1 || placement.dimSplits == 8))
      return planned;
  }
  return std::nullopt;
}

/// A token or a few: many small CTAs, each with a tile or two, that finish soon, and four warps on
/// a tile. Head tiles get CTAs of their own: the rows are read again, but from the L2 cache.
std::optional<Schedule> planFew(const Subject& subject) {
  const int headTiles = subject.rowTiles() <= 4 ? 1 : 2;
  return fit(subject, "few", {1, headTiles, 4, 1, 2});
}

/// In between, for up to 32 rows; with more `many` is as good.
std::optional<Schedule> planSome(const Subject& subject) {
  switch (subject.rowTiles()) {
  case 1:
    return fit(subject, "some", {1, 1, 4, 2, 1});
  case 2:
    return fit(subject, "some", {2, 1, 4, 1, 1});
  case 3:
  case 4:
    return fit(subject, "some", {1, 2, 4, 1, 2});
  default:
    return std::nullopt;
  }
}

/// Tokens of a request that walk its positions read the same rows, so their heads lie side by side
/// as those of one token with more heads would. With more than 32 rows arithmetic, not the memory,
/// sets the pace; with tokens too few to fill the GPU the other classes are faster.
std::optional<Schedule> planGroups(const Variant& variant, const Target& target) {
  constexpr int kMostTiles = 4; // of 8 rows
  const int most = variant.maxQueries == 0 ? kMostTiles : variant.maxQueries;
  const int group = std::min(most, kMostTiles / variant.headTiles());
  if (variant.isTopk() || group < 2)
    return std::nullopt;
  return planMany({variant, target, group}, "grouped");
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
  if (!isSet("row_reuse"))
    schedule.rowReuse = reuseOf(variant, schedule);
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
  Schedule least = startingPoint({variant, target}, "many");
  least.queryHome = QueryHome::Shared;
  least.dimSplits = std::min(8, variant.valueDims() / 16);
  least.stages = 1;
  least.mergePasses = fragmentsPerWarp(variant, least);
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
  if (variant.query != variant.cacheElement())
    return Error{ErrorCode::Unsupported,
                 fmt::format("'{}': the mma_sync engine multiplies operands of one type, but q is "
                             "{} and the cache {}; "
                             "write `q {}`",
                             variant.name,
                             elementName(variant.query),
                             variant.cache.name,
                             variant.cache.name)};
  const Subject tokens{variant, target};
  const auto many = planMany(tokens, "many");
  if (!many)
    return doesNotFit(variant, target);
  std::vector<Schedule> schedules;
  for (const auto& planned : {planFew(tokens), planSome(tokens), many, planGroups(variant, target)})
    if (planned)
      schedules.push_back(*planned);
  for (Schedule& schedule : schedules) {
    MLAC_TRY(chosen, overridden(variant, schedule, target, overrides));
    schedule = chosen;
  }
  return schedules;
}

} // namespace mlac
