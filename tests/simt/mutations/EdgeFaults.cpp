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
       .edits = {{"if (!present || first + k >= kSteps)", "if (first + k >= kSteps)"}},
       .expected = {OutOfBounds}},
      {.name = "queries_past_last_step",
       .breaks = "query dims past the last are read, where 3 warps share 11 steps",
       .where = kQueries,
       .problem = "uneven",
       .edits = {{"if (!present || first + k >= kSteps)", "if (!present)"}},
       .expected = {OutOfBounds}},
      {.name = "rope_steps_from_latent",
       .breaks = "steps of the rotary part are counted from the latent part's start",
       .where = kQueries,
       .problem = "ragged",
       .edits = {{"(first - kLatentSteps) * 16", "first * 16"}},
       .expected = {OutOfBounds}},
  };
}

std::vector<Mutation> sharedQueryFaults() {
  return {
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
       .edits =
           {{"(role.headTile(0) * kPairs + first / 2) * kPairBytes +\n            role.lane * 16",
             "(role.headTile(0) * kPairs + first / 2) * kPairBytes +\n            (role.lane + "
             "1) * 16"}},
       .expected = {OutOfBounds}},
      {.name = "steps_past_last_stored",
       .breaks =
           "the second warp stores fragments of steps past the last, over the next head tile's",
       .where = kQueries,
       .problem = "shared_queries",
       .edits = {{"if (Share::kEven || first + k < Share::kSteps)", "if (k < Share::kMine)"}},
       .expected = {DataRace, OutOfBounds}},
      {.name = "steps_past_last_loaded",
       .breaks = "the second warp loads fragments of steps past the last",
       .where = "tile/scores.cuh",
       .problem = "shared_queries",
       .edits = {{"    if (!Share::kEven && first + k >= Share::kSteps)\n      break;\n", ""}},
       .expected = {OutOfBounds}},
      {.name = "steps_torn_apart",
       .breaks = "three steps a warp, though shared fragments hold two in a word",
       .where = kQueries,
       .problem = "shared_queries",
       .edits = {{"using Share = StepShare<Shape, 2>;", "using Share = StepShare<Shape, 1>;"}},
       .expected = {OutOfBounds}},
  };
}

std::vector<Mutation> statsFaults() {
  return {
      {.name = "stats_unsynchronised",
       .breaks = "no CTA barrier between the slices' stats and their reading",
       .where = kMerge,
       .problem = "topk_sliced",
       .edits = {{"= whole[t][i];\n    syncCta();\n", "= whole[t][i];\n"}},
       .expected = {Uninitialised}},
      {.name = "stats_slots_overlap",
       .breaks = "all slices store their stats in the same place",
       .where = kMerge,
       .problem = "topk_sliced",
       .edits = {{"mine[role.slice * kHeads + t * kTileHeads + i] = ",
                  "mine[t * kTileHeads + i] = "}},
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
       .edits = {{"kFragmentBytes, v);\n    }\n    syncCta();\n", "kFragmentBytes, v);\n    }\n"}},
       .expected = {Uninitialised}},
      {.name = "second_pass_early",
       .breaks = "no CTA barrier between two merge passes",
       .where = kMerge,
       .problem = "topk_sliced",
       .edits = {{"    if (round > 0)\n      syncCta();\n", ""}},
       .expected = {DataRace}},
      {.name = "merge_fragments_overlap",
       .breaks = "warps store their fragments one too close",
       .where = kMerge,
       .problem = "uneven",
       .edits = {{"warpInSlice * (kRound * kFragmentBytes)",
                  "warpInSlice * ((kRound - 1) * kFragmentBytes)"}},
       .expected = {DataRace}},
      {.name = "merge_of_all_by_each_slice",
       .breaks = "every slice adds up and stores all fragments",
       .where = kMerge,
       .problem = "topk_sliced",
       .edits = {{"for (i32 f = role.slice; f < kRound; f += Shape::kKeySlices)",
                  "for (i32 f = 0; f < kRound; ++f)"}},
       .expected = {DataRace}},
      {.name = "merge_never_ends",
       .breaks = "the loop over a round's fragments does not advance",
       .where = kMerge,
       .problem = "topk_sliced",
       .edits = {{"f += Shape::kKeySlices", "f += 0"}},
       .expected = {StepLimit}},
  };
}

std::vector<Mutation> outputFaults() {
  return {
      {.name = "outputs_past_last_head",
       .breaks = "heads past the last are stored",
       .where = kSink,
       .problem = "ragged",
       .edits = {{"      if (headsPresent > 0)\n", ""}},
       .expected = {DataRace}},
      {.name = "outputs_past_last_head_f32",
       .breaks = "the same in f32",
       .where = kSink,
       .problem = "uneven",
       .edits = {{"        if (headsPresent > i) {\n", "        {\n"}},
       .expected = {DataRace}},
      {.name = "stats_past_last_head",
       .breaks = "the LSE of a head past the last is stored",
       .where = kSink,
       .problem = "uneven",
       .edits = {{"    if (head + 1 < Shape::kHeads)\n", ""}},
       .expected = {DataRace}},
      {.name = "outputs_past_last_dim",
       .breaks = "dims past the last are stored, where 3 warps share 10 tiles of them",
       .where = kMerge,
       .problem = "uneven",
       .edits = {{"!sink.has(tile) || (!Acc::kEven && dimTile >= Acc::kTiles)", "!sink.has(tile)"}},
       .expected = {DataRace}},
  };
}

std::vector<Mutation> workspaceFaults() {
  return {
      {.name = "partials_past_last_dim",
       .breaks = "partial results past the last dim are stored, where 4 warps share 9 tiles",
       .where = kMerge,
       .problem = "split",
       .edits = {{"        if (Acc::kEven || firstTile + m < Acc::kTiles)\n          to[m",
                  "        to[m"}},
       .expected = {DataRace}},
      {.name = "partials_past_last_tile",
       .breaks = "partial results of a head tile past the last are stored",
       .where = kMerge,
       .problem = "split",
       .edits = {{"    if (!sink.has(role.headTile(t)))\n      continue;\n", ""}},
       .expected = {DataRace}},
      {.name = "outputs_misaligned",
       .breaks = "four outputs are stored one element further",
       .where = kSink,
       .problem = "topk_sliced",
       .edits = {{"*reinterpret_cast<uint2*>(to) =", "*reinterpret_cast<uint2*>(to + 2) ="}},
       .expected = {Misaligned}},
      {.name = "workspace_off_by_one",
       .breaks = "partial results lie one split too far in the workspace",
       .where = kSink,
       .problem = "split",
       .edits = {{"+ headTile * splits};", "+ headTile * splits + 1};"}},
       .expected = {DataRace, OutOfBounds}},
      {.name = "partials_of_one_split",
       .breaks = "all splits of a token store their partial results in one place",
       .where = kSink,
       .problem = "split",
       .edits = {{"(args.partialOut, work.split, 0, ", "(args.partialOut, 0, 0, "}},
       .expected = {DataRace}},
  };
}

} // namespace

std::vector<Mutation> edgeFaults() {
  std::vector<Mutation> faults = queryFaults();
  for (const auto& part :
       {sharedQueryFaults(), statsFaults(), mergeFaults(), outputFaults(), workspaceFaults()})
    faults.insert(faults.end(), part.begin(), part.end());
  return faults;
}

} // namespace mlac::mutations
