#include "tests/simt/mutations/Faults.h"

namespace mlac::mutations {
namespace {

using enum simt::FindingKind;

constexpr const char* kRing = "tile/ring.cuh";

std::vector<Mutation> initFaults() {
  return {
      {.name = "init_without_cta_barrier",
       .breaks = "no CTA barrier between initialising the ring's barriers and the first gather",
       .where = kRing,
       .problem = "topk_sliced",
       .edits = {{"  ring.init();\n  syncCta();\n", "  ring.init();\n"}},
       .expected = {BarrierMisuse}},
      {.name = "init_without_fence",
       .breaks = "the copy engine is not told of the initialised barriers",
       .where = kRing,
       .problem = "topk_sliced_sm120",
       .edits = {{"        fenceBarrierInit();\n", ""}},
       .expected = {BarrierMisuse}},
      {.name = "full_barriers_alias",
       .breaks = "one full barrier a stage, not a common multiple of stages and slices",
       .where = kEmitted,
       .problem = "topk_sliced",
       .edits = {{"kFullBarriers = 6;", "kFullBarriers = 3;"}},
       .expected = {PhaseAliased, AsyncRead}},
      {.name = "full_barriers_alias_cp_async",
       .breaks = "the same where copies are of 16 bytes",
       .where = kEmitted,
       .problem = "cp_async",
       .edits = {{"kFullBarriers = 6;", "kFullBarriers = 3;"}},
       .expected = {PhaseAliased}},
      {.name = "full_barriers_alias_at_once",
       .breaks = "the same with more slices than stages: a first wait returns at once",
       .where = kEmitted,
       .problem = "slices_over_stages",
       .edits = {{"kFullBarriers = 6;", "kFullBarriers = 2;"}},
       .expected = {Uninitialised}},
      {.name = "init_by_all_lanes",
       .breaks = "every lane of the first warp initialises all barriers",
       .where = kRing,
       .problem = "topk_sliced",
       .edits = {{"if (threadIdx.x < 32 && electLane()) {", "if (threadIdx.x < 32) {"}},
       .expected = {BarrierMisuse}},
  };
}

std::vector<Mutation> countFaults() {
  return {
      {.name = "empty_count_high",
       .breaks = "the empty barriers count one arrival too many",
       .where = kRing,
       .problem = "dim_split",
       .edits = {{"initBarrier(emptyBarrier(slot), kSliceWarps * 32);",
                  "initBarrier(emptyBarrier(slot), kSliceWarps * 32 + 1);",
                  2}},
       .expected = {Deadlock}},
      {.name = "empty_count_low",
       .breaks = "the empty barriers count one warp too few",
       .where = kRing,
       .problem = "dim_split",
       .edits = {{"initBarrier(emptyBarrier(slot), kSliceWarps * 32);",
                  "initBarrier(emptyBarrier(slot), kSliceWarps * 32 - 32);",
                  2}},
       .expected = {PhaseOverrun}},
      {.name = "full_count_of_one_warp",
       .breaks = "the full barriers count one warp's arrival, where each warp copies a share",
       .where = kRing,
       .problem = "dim_split",
       .edits = {{"initBarrier(fullBarrier(i), kSliceWarps);", "initBarrier(fullBarrier(i), 1);"}},
       .expected = {PhaseOverrun}},
  };
}

std::vector<Mutation> waitFaults() {
  const std::string wait = "    waitForPhase(fullBarrier(tile % Shape::kFullBarriers), "
                           "tile / Shape::kFullBarriers & 1);\n";
  return {
      {.name = "wait_one_phase_early",
       .breaks = "a tile is waited for with the parity of the phase before",
       .where = kRing,
       .problem = "topk_sliced",
       .edits = {{wait,
                  "    waitForPhase(fullBarrier(tile % Shape::kFullBarriers), "
                  "(tile / Shape::kFullBarriers & 1) ^ 1);\n"}},
       .expected = {AsyncRead}},
      {.name = "wait_missing",
       .breaks = "a tile is not waited for",
       .where = kRing,
       .problem = "topk_sliced_sm120",
       .edits = {{wait, ""}},
       .expected = {AsyncRead}},
      {.name = "wait_missing_cp_async",
       .breaks = "a tile of 16-byte copies is not waited for",
       .where = kRing,
       .problem = "cp_async",
       .edits = {{wait, ""}},
       .expected = {AsyncRead}},
      {.name = "reads_neighbouring_slot",
       .breaks = "after the wait the next slot is read",
       .where = kRing,
       .problem = "topk_sliced",
       .edits = {{"    const i32 slot = tile % Shape::kStages;\n    waitForPhase",
                  "    const i32 slot = (tile + 1) % Shape::kStages;\n    waitForPhase"}},
       .expected = {AsyncRead}},
  };
}

std::vector<Mutation> releaseFaults() {
  const std::string release = "      ring.release(stage, tile);\n";
  const std::string gather =
      "      window.gather(ring, tile / Shape::kKeySlices, firstTile, later);\n";
  const std::string ends = "    }\n";
  const std::string ifMore = "    if (later < tiles) {\n";
  const std::string pv = "    pv(probs, stage, acc, role);\n";
  return {
      {.name = "release_before_pv",
       .breaks = "a stage is given back before its values were read",
       .where = kEmitted,
       .problem = "dim_split",
       .edits = {{pv + ifMore + release, ifMore + release + ends + pv + ifMore}},
       .expected = {AsyncOverwrite}},
      {.name = "refill_before_pv",
       .breaks = "a slot is refilled before its values were read",
       .where = kEmitted,
       .problem = "topk_sliced",
       .edits = {{pv + ifMore + release + gather + ends, ifMore + release + gather + ends + pv}},
       .expected = {AsyncRead}},
      {.name = "release_missing",
       .breaks = "a slot is refilled without asking the other warps",
       .where = kEmitted,
       .problem = "dim_split",
       .edits = {{release, ""}},
       .expected = {DataRace}},
      {.name = "release_without_wait",
       .breaks = "a warp refills its share without waiting for the others",
       .where = kRing,
       .problem = "dim_split",
       .edits = {{"      waitForPhase(emptyBarrier(stage.slot), tile / Shape::kStages & 1);\n",
                  ""}},
       .expected = {DataRace}},
      {.name = "release_one_phase_early",
       .breaks = "the empty barrier is waited for with the parity of the phase before",
       .where = kRing,
       .problem = "dim_split",
       .edits = {{"waitForPhase(emptyBarrier(stage.slot), tile / Shape::kStages & 1);",
                  "waitForPhase(emptyBarrier(stage.slot), (tile / Shape::kStages & 1) ^ 1);"}},
       .expected = {DataRace}},
  };
}

std::vector<Mutation> orderFaults() {
  const std::string fence = "    if constexpr (Shape::kBulk)\n      fenceBeforeBulkCopy();\n";
  return {
      {.name = "release_without_warp_barrier",
       .breaks = "lanes of the one consumer refill while others still read",
       .where = kRing,
       .problem = "cp_async",
       .edits = {{"      syncWarp();\n    } else {", "    } else {"}},
       .expected = {DataRace}},
      {.name = "release_without_warp_barrier_bulk",
       .breaks = "the same before bulk copies",
       .where = kRing,
       .problem = "topk_sliced",
       .edits = {{"      syncWarp();\n    } else {", "    } else {"}},
       .expected = {DataRace}},
      {.name = "release_without_proxy_fence",
       .breaks = "no fence.proxy.async between reading a slot and its bulk refill",
       .where = kRing,
       .problem = "topk_sliced",
       .edits = {{fence, ""}},
       .expected = {MissingProxyFence}},
      {.name = "release_without_proxy_fence_4_warps",
       .breaks = "the same where four warps read the slot",
       .where = kRing,
       .problem = "dim_split",
       .edits = {{fence, ""}},
       .expected = {MissingProxyFence}},
  };
}

std::vector<Mutation> refillFaults() {
  return {
      {.name = "refills_past_last_tile",
       .breaks = "slots are refilled with tiles nobody waits for",
       .where = kEmitted,
       .problem = "topk_sliced",
       .edits = {{"    if (later < tiles) {\n", "    {\n"}},
       .expected = {AsyncOverwrite}},
      {.name = "fills_past_last_tile_of_split",
       .breaks = "all slots are filled where a split has fewer tiles, past what the merge reuses",
       .where = kRing,
       .problem = "split",
       .edits = {{"if (tile < Shape::kStages && tile < tiles)", "if (tile < Shape::kStages)"}},
       .expected = {UnbalancedBytes}},
      {.name = "fills_past_last_tile",
       .breaks = "all slots are filled where a row has fewer tiles",
       .where = kRing,
       .problem = "window",
       .edits = {{"if (tile < Shape::kStages && tile < tiles)", "if (tile < Shape::kStages)"}},
       .expected = {AsyncOverwrite}},
  };
}

} // namespace

std::vector<Mutation> ringFaults() {
  std::vector<Mutation> faults = initFaults();
  for (const auto& part :
       {countFaults(), waitFaults(), releaseFaults(), orderFaults(), refillFaults()})
    faults.insert(faults.end(), part.begin(), part.end());
  return faults;
}

} // namespace mlac::mutations
