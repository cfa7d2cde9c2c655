#include "tests/simt/mutations/Faults.h"

namespace mlac::mutations {
namespace {

using enum simt::FindingKind;

constexpr const char* kQueryGroup = "tile/query_group.cuh";
constexpr const char* kKeyRows = "tile/key_rows.cuh";
constexpr const char* kSights = "tile/token_sights.cuh";
constexpr const char* kSink = "tile/sink.cuh";

std::vector<Mutation> numberFaults() {
  return {
      {.name = "group_runs_into_the_next_request",
       .breaks = "a group takes tokens past its request's last",
       .where = kQueryGroup,
       .problem = "grouped",
       .edits = {{"larger(0, smaller(size, end - first))", "end > first ? size : 0"}},
       .expected = {DataRace}},
      {.name = "group_numbers_without_room",
       .breaks = "requests' unfilled groups have no numbers of their own",
       .where = kQueryGroup,
       .problem = "grouped",
       .edits = {{"/ size + request + 1 <= unit", "/ size + 1 <= unit"}},
       .expected = {DataRace}},
  };
}

std::vector<Mutation> sightFaults() {
  return {
      {.name = "tokens_see_what_the_first_does",
       .breaks = "all tokens of a group have the first one's sight",
       .where = kSights,
       .problem = "grouped",
       .edits = {{"rows.seenBy(tile.token)", "rows.seenBy(0)"}}},
      {.name = "last_key_unseen",
       .breaks = "a token does not see the last of its keys",
       .where = kSights,
       .problem = "grouped",
       .edits = {{"entry >= sights.seen[t].end)", "entry + 1 >= sights.seen[t].end)"}}},
      {.name = "rows_of_the_first_token_only",
       .breaks = "a group walks no further than its first token sees",
       .where = kKeyRows,
       .problem = "grouped",
       .edits = {{"        rows.widen(rows.seenBy(i));\n", "        ;\n"}}},
      {.name = "partials_of_all_tokens_in_one_place",
       .breaks = "tokens of a group write their partial results over one another",
       .where = kSink,
       .problem = "grouped_split",
       .edits = {{"static_cast<i64>(tile.token) * work.splits", "static_cast<i64>(0)"}},
       .expected = {DataRace}},
  };
}

} // namespace

std::vector<Mutation> groupFaults() {
  std::vector<Mutation> faults = numberFaults();
  for (const Mutation& fault : sightFaults())
    faults.push_back(fault);
  return faults;
}

} // namespace mlac::mutations
