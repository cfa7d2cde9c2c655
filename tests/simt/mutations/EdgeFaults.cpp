#include "tests/simt/mutations/Faults.h"

namespace mlac::mutations {
namespace {

using enum simt::FindingKind;

constexpr const char* kMerge = "tile/merge.cuh";
constexpr const char* kQueries = "tile/queries.cuh";
constexpr const char* kSink = "tile/sink.cuh";

std::vector<Mutation> queryFaults() {
  return {
      {.name = "queries_past_last_head",
       .breaks = "queries of heads past the last are read",
       .where = kQueries,
       .problem = "ragged",
       .edits = {{"    if (!present)\n      return 0;\n", ""}},
       .expected = {OutOfBounds}},
      {.name = "rope_steps_from_latent",
       .breaks = "steps of the rotary part are counted from the latent part's start",
       .where = kQueries,
       .problem = "ragged",
       .edits = {{"from = rope + (k - kLatentSteps) * 16;", "from = rope + k * 16;"}},
       .expected = {OutOfBounds}},
      {.name = "queries_unsynchronised",
       .breaks = "no CTA barrier after the query fragments were stored",
       .where = kQueries,
       .problem = "shared_queries",
       .edits = {{"      }\n    }\n    syncCta();\n", "      }\n    }\n"}},
       .expected = {DataRace}},
      {.name = "queries_past_shared_memory",
       .breaks = "query fragments lie one lane too far",
       .where = kQueries,
       .problem = "shared_queries",
       .edits = {{"kPairs * 32 + role.lane) * 16;", "kPairs * 32 + role.lane + 1) * 16;"}},
       .expected = {OutOfBounds}},
  };
}

std::vector<Mutation> statsFaults() {
  return {
      {.name = "stats_unsynchronised",
       .breaks = "no CTA barrier between the slices' stats and their reading",
       .where = kMerge,
       .problem = "topk_sliced",
       .edits = {{"{acc.top[i], sum};\n  }\n  syncCta();", "{acc.top[i], sum};\n  }"}},
       .expected = {DataRace}},
      {.name = "stats_slots_overlap",
       .breaks = "all slices store their stats in the same place",
       .where = kMerge,
       .problem = "topk_sliced",
       .edits = {{"stats[role.slice * kHeads + head + i] = ", "stats[head + i] = "}},
       .expected = {DataRace}},
      {.name = "stats_over_barriers",
       .breaks = "stats are stored over the full barriers",
       .where = kMerge,
       .problem = "topk_sliced",
       .edits = {{"smem + Shape::kStatsAt", "smem + Shape::kFullAt"}},
       .expected = {BarrierMisuse}},
  };
}

std::vector<Mutation> mergeFaults() {
  return {
      {.name = "merge_reads_early",
       .breaks = "no CTA barrier between the slices' accumulators and their sum",
       .where = kMerge,
       .problem = "topk_sliced",
       .edits = {{"    }\n    syncCta();\n    for (i32 quad", "    }\n    for (i32 quad"}},
       .expected = {DataRace}},
      {.name = "second_pass_early",
       .breaks = "no CTA barrier between two merge passes",
       .where = kMerge,
       .problem = "topk_sliced",
       .edits = {{"    if (round > 0)\n      syncCta();\n", ""}},
       .expected = {DataRace}},
      {.name = "merge_rows_overlap",
       .breaks = "accumulator rows are stored with too small a stride",
       .where = kMerge,
       .problem = "dim_split",
       .edits = {{"rows + myHead * kRowFloats +", "rows + myHead * (kRowFloats - 4) +"}},
       .expected = {DataRace}},
      {.name = "merge_never_ends",
       .breaks = "the loop over an output's quads does not advance",
       .where = kMerge,
       .problem = "topk_sliced",
       .edits = {{"quad += Shape::kThreads", "quad += 0"}},
       .expected = {StepLimit}},
  };
}

std::vector<Mutation> outputFaults() {
  return {
      {.name = "outputs_past_last_head",
       .breaks = "heads past the last are stored",
       .where = kSink,
       .problem = "ragged",
       .edits = {{"    if (head >= Shape::kHeads)\n"
                  "      return;\n"
                  "    if (args.splits == 1)\n"
                  "      Shape::Store::four(",
                  "    if (args.splits == 1)\n      Shape::Store::four("}},
       .expected = {DataRace}},
      {.name = "outputs_misaligned",
       .breaks = "four outputs are stored one element further",
       .where = "base/element.cuh",
       .problem = "topk_sliced",
       .edits = {{"static_cast<u16*>(out) + index) =\n        make_uint2(packBf16",
                  "static_cast<u16*>(out) + index + 1) =\n        make_uint2(packBf16"}},
       .expected = {Misaligned}},
      {.name = "workspace_off_by_one",
       .breaks = "partial results lie one row too far in the workspace",
       .where = kSink,
       .problem = "split",
       .edits = {{"* args.splits + work.split;", "* args.splits + work.split + 1;"}},
       .expected = {DataRace}},
  };
}

} // namespace

std::vector<Mutation> edgeFaults() {
  std::vector<Mutation> faults = queryFaults();
  for (const auto& part : {statsFaults(), mergeFaults(), outputFaults()})
    faults.insert(faults.end(), part.begin(), part.end());
  return faults;
}

} // namespace mlac::mutations
