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
       .edits = {{"    if constexpr (Shape::kBulk)\n      fenceBarrierInit();\n", ""}},
       .expected = {BarrierMisuse}},
      {.name = "full_barriers_alias",
       .breaks = "one full barrier a stage, not a common multiple of stages and slices",
       .where = kEmitted,
       .problem = "topk_sliced",
       .edits = {{"kFullBarriers = 6;", "kFullBarriers = 3;"}},
       .expected = {PhaseAliased}},
      {.name = "full_barriers_alias_at_once",
       .breaks = "the same with more slices than stages: a first wait returns at once",
       .where = kEmitted,
       .problem = "slices_over_stages",
       .edits = {{"kFullBarriers = 6;", "kFullBarriers = 2;"}},
       .expected = {Uninitialised}},
      {.name = "empty_count_high",
       .breaks = "the empty barriers count one arrival too many",
       .where = kRing,
       .problem = "dim_split",
       .edits = {{"initBarrier(emptyBarrier(slot), kConsumers * 32);",
                  "initBarrier(emptyBarrier(slot), kConsumers * 32 + 1);"}},
       .expected = {Deadlock}},
      {.name = "empty_count_low",
       .breaks = "the empty barriers count one warp too few",
       .where = kRing,
       .problem = "dim_split",
       .edits = {{"initBarrier(emptyBarrier(slot), kConsumers * 32);",
                  "initBarrier(emptyBarrier(slot), kConsumers * 32 - 32);"}},
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
       .expected = {DataRace}},
      {.name = "reads_neighbouring_slot",
       .breaks = "after the wait the next slot is read",
       .where = kRing,
       .problem = "topk_sliced",
       .edits = {{"    const i32 slot = tile % Shape::kStages;\n    waitForPhase",
                  "    const i32 slot = (tile + 1) % Shape::kStages;\n    waitForPhase"}},
       .expected = {DataRace}},
  };
}

std::vector<Mutation> releaseFaults() {
  const std::string release = "    if (later < tiles)\n"
                              "      ring.release(stage, tile, refills);\n";
  const std::string refill = "    if (refills)\n"
                             "      ring.gather(later, next, role.lane);\n";
  const std::string pv = "    pv(probs, stage, acc, role);\n";
  return {
      {.name = "release_before_pv",
       .breaks = "a stage is given back before its values were read",
       .where = kEmitted,
       .problem = "dim_split",
       .edits = {{pv + release, release + pv}},
       .expected = {MissingProxyFence}},
      {.name = "refill_before_pv",
       .breaks = "a slot is refilled before its values were read",
       .where = kEmitted,
       .problem = "topk_sliced",
       .edits = {{pv + release + refill, release + refill + pv}},
       .expected = {AsyncRead}},
      {.name = "release_missing",
       .breaks = "a slot is refilled without asking the other warps",
       .where = kEmitted,
       .problem = "dim_split",
       .edits = {{release, ""}},
       .expected = {DataRace}},
      {.name = "release_without_wait",
       .breaks = "the refilling warp does not wait for the empty barrier",
       .where = kRing,
       .problem = "dim_split",
       .edits = {{"      if (refills)\n"
                  "        waitForPhase(emptyBarrier(stage.slot), tile / Shape::kStages & 1);\n",
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
       .edits = {{"    if constexpr (Shape::kBulk)\n"
                  "      if (refills)\n"
                  "        fenceBeforeBulkCopy();\n",
                  ""}},
       .expected = {MissingProxyFence}},
      {.name = "release_without_proxy_fence_4_warps",
       .breaks = "the same where four warps read the slot",
       .where = kRing,
       .problem = "dim_split",
       .edits = {{"      if (refills)\n        fenceBeforeBulkCopy();\n", "      ;\n"}},
       .expected = {MissingProxyFence}},
  };
}

std::vector<Mutation> refillFaults() {
  return {
      {.name = "refilled_by_all",
       .breaks = "every warp that works on a tile refills its slot",
       .where = kRing,
       .problem = "dim_split",
       .edits = {{"return turn == role.dimSplit * Shape::kHeadGroups + role.headGroup;",
                  "return turn >= 0;"}},
       .expected = {DataRace}},
      {.name = "refills_past_last_tile",
       .breaks = "slots are refilled with tiles nobody waits for",
       .where = kEmitted,
       .problem = "topk_sliced",
       .edits = {{"const bool refills = later < tiles && ring.refills(tile, role);",
                  "const bool refills = ring.refills(tile, role);"},
                 {"    if (later < tiles)\n      ring.release", "    ring.release"}},
       .expected = {AsyncOverwrite}},
      {.name = "fills_past_last_tile_of_split",
       .breaks = "all slots are filled where a split has fewer tiles, past what the merge reuses",
       .where = kRing,
       .problem = "split",
       .edits = {{"if (tile < Shape::kStages && tile < tiles)", "if (tile < Shape::kStages)", 2}},
       .expected = {UnbalancedBytes}},
      {.name = "fills_past_last_tile",
       .breaks = "all slots are filled where a row has fewer tiles",
       .where = kRing,
       .problem = "window",
       .edits = {{"if (tile < Shape::kStages && tile < tiles)", "if (tile < Shape::kStages)", 2}},
       .expected = {AsyncOverwrite}},
  };
}

} // namespace

std::vector<Mutation> ringFaults() {
  std::vector<Mutation> faults = initFaults();
  for (const auto& part : {waitFaults(), releaseFaults(), orderFaults(), refillFaults()})
    faults.insert(faults.end(), part.begin(), part.end());
  return faults;
}

} // namespace mlac::mutations
