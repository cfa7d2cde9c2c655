#include "compiler/schedule/Schedule.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

namespace mlac {
namespace {

/// A knob that is a count, and the range in which a value makes sense at all.
struct CountKnob {
  std::string_view key;
  int Schedule::* field;
  int most;
};

constexpr std::array<CountKnob, 9> kCounts = {{
    {"query_group", &Schedule::queryGroup, 16},
    {"head_groups", &Schedule::headGroups, 16},
    {"head_tiles", &Schedule::headTiles, 8},
    {"dim_splits", &Schedule::dimSplits, 16},
    {"key_slices", &Schedule::keySlices, 16},
    {"stages", &Schedule::stages, 64},
    {"merge_passes", &Schedule::mergePasses, 64},
    {"qk_chains", &Schedule::qkChains, 8},
    {"ctas_per_sm", &Schedule::ctasPerSm, 8},
}};

/// A knob that is one of two words.
struct WordKnob {
  std::string_view key;
  std::string_view first;
  std::string_view second;
  void (*set)(Schedule& schedule, bool isSecond);
};

constexpr std::array<WordKnob, 3> kWords = {{
    {"gather",
     "bulk",
     "cp_async",
     [](Schedule& schedule, bool isSecond) {
       schedule.gather = isSecond ? Gather::CpAsync : Gather::Bulk;
     }},
    {"row_reuse",
     "none",
     "l2",
     [](Schedule& schedule, bool isSecond) {
       schedule.rowReuse = isSecond ? RowReuse::L2 : RowReuse::None;
     }},
    {"query_home",
     "registers",
     "shared",
     [](Schedule& schedule, bool isSecond) {
       schedule.queryHome = isSecond ? QueryHome::Shared : QueryHome::Registers;
     }},
}};

constexpr std::string_view kKnownKeys = "engine gather row_reuse query_home query_group "
                                        "head_groups head_tiles dim_splits key_slices stages "
                                        "merge_passes qk_chains ctas_per_sm";

Error badValue(const ScheduleOverride& set, std::string_view allowed) {
  return {ErrorCode::InvalidInput,
          fmt::format("--set {}={}: write {}", set.key, set.value, allowed)};
}

Status setCount(Schedule& schedule, const CountKnob& knob, const ScheduleOverride& set) {
  int value = 0;
  const char* end = set.value.data() + set.value.size();
  const auto parsed = std::from_chars(set.value.data(), end, value);
  if (parsed.ec != std::errc() || parsed.ptr != end || value < 1 || value > knob.most)
    return badValue(set, fmt::format("a number from 1 to {}", knob.most));
  schedule.*knob.field = value;
  return Unit{};
}

Status setWord(Schedule& schedule, const WordKnob& knob, const ScheduleOverride& set) {
  if (set.value != knob.first && set.value != knob.second)
    return badValue(set, fmt::format("{} or {}", knob.first, knob.second));
  knob.set(schedule, set.value == knob.second);
  return Unit{};
}

Status applyOne(Schedule& schedule, const ScheduleOverride& set) {
  for (const CountKnob& knob : kCounts)
    if (knob.key == set.key)
      return setCount(schedule, knob, set);
  for (const WordKnob& knob : kWords)
    if (knob.key == set.key)
      return setWord(schedule, knob, set);
  if (set.key != "engine")
    return Error{
        ErrorCode::InvalidInput,
        fmt::format("--set {}={}: unknown key; known keys are {}", set.key, set.value, kKnownKeys)};
  if (set.value != "mma_sync")
    return badValue(set, "mma_sync, the only engine of this version");
  return Unit{};
}

} // namespace

std::string printSchedule(const Schedule& schedule) {
  const std::string group =
      schedule.queryGroup > 1 ? fmt::format("query_group={} ", schedule.queryGroup) : "";
  return fmt::format(
      "class={} engine=mma_sync gather={} row_reuse={} query_home={} {}head_groups={} "
      "head_tiles={} dim_splits={} "
      "key_slices={} stages={} merge_passes={} qk_chains={} ctas_per_sm={}",
      schedule.shapeClass,
      schedule.gather == Gather::Bulk ? "bulk" : "cp_async",
      schedule.rowReuse == RowReuse::L2 ? "l2" : "none",
      schedule.queryHome == QueryHome::Shared ? "shared" : "registers",
      group,
      schedule.headGroups,
      schedule.headTiles,
      schedule.dimSplits,
      schedule.keySlices,
      schedule.stages,
      schedule.mergePasses,
      schedule.qkChains,
      schedule.ctasPerSm);
}

Result<ScheduleOverride> parseOverride(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0 || equals + 1 == text.size())
    return Error{ErrorCode::InvalidInput,
                 fmt::format("--set {}: write KEY=VALUE or CLASS.KEY=VALUE; known keys are {}",
                             text,
                             kKnownKeys)};
  ScheduleOverride set;
  std::string_view key = text.substr(0, equals);
  if (const std::size_t dot = key.find('.'); dot != std::string_view::npos) {
    set.shapeClass = key.substr(0, dot);
    key = key.substr(dot + 1);
  }
  set.key = key;
  set.value = text.substr(equals + 1);
  Schedule trial;
  MLAC_CHECK(applyOne(trial, set));
  return set;
}

Status applyOverrides(Schedule& schedule, const std::vector<ScheduleOverride>& overrides) {
  for (const ScheduleOverride& set : overrides)
    if (set.shapeClass.empty() || set.shapeClass == schedule.shapeClass)
      MLAC_CHECK(applyOne(schedule, set));
  return Unit{};
}

} // namespace mlac
