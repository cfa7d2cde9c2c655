#include "tests/simt/mutations/Faults.h"

namespace mlac::mutations {
namespace {

using enum simt::FindingKind;

constexpr const char* kRing = "tile/ring.cuh";

std::vector<Mutation> announceFaults() {
  return {
      {.name = "announced_by_all_lanes",
       .breaks = "every lane announces the bytes and arrives",
       .where = kRing,
       .problem = "topk_sliced",
       .edits = {{"    if (lane == 0)\n      arriveExpectingBytes(", "    arriveExpectingBytes("}},
       .expected = {PhaseOverrun}},
      {.name = "copied_by_all_lanes",
       .breaks = "every lane copies all rows of its warp's share",
       .where = kRing,
       .problem = "topk_sliced",
       .edits = {{"      if (electLane())\n", ""}},
       .expected = {AsyncOverwrite}},
      {.name = "announces_fifteen_rows",
       .breaks = "the bytes of one row less are announced than copied",
       .where = kRing,
       .problem = "topk_sliced",
       .edits = {{"shareRows() * Shape::kRowBytes);", "(shareRows() - 1) * Shape::kRowBytes);"}},
       .expected = {AsyncRead}},
      {.name = "announces_too_few_bytes",
       .breaks = "16 bytes less are announced than copied",
       .where = kRing,
       .problem = "topk_sliced_sm120",
       .edits = {{"shareRows() * Shape::kRowBytes);", "shareRows() * Shape::kRowBytes - 16);"}},
       .expected = {Deadlock}},
      {.name = "announces_too_many_bytes",
       .breaks = "16 bytes more are announced than copied",
       .where = kRing,
       .problem = "topk_sliced",
       .edits = {{"shareRows() * Shape::kRowBytes);", "shareRows() * Shape::kRowBytes + 16);"}},
       .expected = {Deadlock}},
  };
}

std::vector<Mutation> bulkFaults() {
  return {
      {.name = "rows_without_padding",
       .breaks = "rows are copied end to end, but read with the padded stride",
       .where = kRing,
       .problem = "topk_sliced_sm120",
       .edits = {{"to + (first + i) * Shape::kRowStrideBytes",
                  "to + (first + i) * Shape::kRowBytes"}},
       .expected = {Uninitialised}},
      {.name = "slots_overlap",
       .breaks = "slots lie one row too close",
       .where = kRing,
       .problem = "topk_sliced",
       .edits = {{"to = base + slot * Shape::kSlotBytes",
                  "to = base + slot * (Shape::kSlotBytes - Shape::kRowStrideBytes)"}},
       .expected = {AsyncOverwrite}},
      {.name = "copies_seventeen_rows",
       .breaks = "17 rows are copied for a tile",
       .where = kRing,
       .problem = "topk_sliced",
       .edits = {{"first < kShare; first += kAtOnce", "first <= kShare; first += kAtOnce"},
                 {"if (first + i < shareRows())", "if (first + i <= shareRows())"}},
       .expected = {AsyncOverwrite}},
      {.name = "copy_one_chunk_long",
       .breaks = "each row's copy is 16 bytes longer than announced",
       .where = kRing,
       .problem = "topk_sliced",
       .edits = {{"copyBulkOnce(to, from, Shape::kRowBytes, barrier);",
                  "copyBulkOnce(to, from, Shape::kRowBytes + 16, barrier);"}},
       .expected = {OutOfBounds}},
      {.name = "row_one_chunk_long",
       .breaks = "a row counts 16 bytes too many everywhere",
       .where = kEmitted,
       .problem = "shared_queries",
       .edits = {{"kRowBytes = 192;", "kRowBytes = 208;"}},
       .expected = {OutOfBounds}},
      {.name = "bulk_on_sm80",
       .breaks = "bulk copies for a target that has none",
       .where = kEmitted,
       .problem = "cp_async",
       .edits = {{"kBulk = false;", "kBulk = true;"}},
       .expected = {WrongTarget}},
  };
}

std::vector<Mutation> smallCopyFaults() {
  const std::string laneZeroArrives = "    if (lane == 0)\n"
                                      "      arrive(barrier); // releases";
  return {
      {.name = "last_chunk_missing",
       .breaks = "the last 16 bytes of a row are not copied",
       .where = kRing,
       .problem = "cp_async",
       .edits = {{"chunk < kChunks; chunk += 32", "chunk < kChunks - 1; chunk += 32"}},
       .expected = {Uninitialised}},
      {.name = "copies_never_arrive",
       .breaks = "no arrival when the 16-byte copies have landed",
       .where = kRing,
       .problem = "cp_async",
       .edits = {{"    arriveWhenCopied(barrier);\n    if (lane == 0)", "    if (lane == 0)"}},
       .expected = {Deadlock}},
      {.name = "arrives_before_copied",
       .breaks = "lanes arrive at once, not when their copies have landed",
       .where = kRing,
       .problem = "cp_async",
       .edits = {{"    arriveWhenCopied(barrier);\n    if (lane == 0)",
                  "    arrive(barrier);\n    if (lane == 0)"}},
       .expected = {AsyncRead}},
      {.name = "full_count_low",
       .breaks = "the full barrier counts the copies' arrivals, not lane 0's own",
       .where = kRing,
       .problem = "cp_async",
       .edits = {{"kSliceWarps * (1 + 32)", "kSliceWarps * 32"}},
       .expected = {AsyncRead}},
      {.name = "row_words_unreleased",
       .breaks = "lane 0 does not release what the warp stored beside the copies",
       .where = kRing,
       .problem = "cp_async",
       .edits = {{"kSliceWarps * (1 + 32)", "kSliceWarps * 32"},
                 {laneZeroArrives, "    // releases"}},
       .expected = {DataRace}},
      {.name = "absent_rows_copied",
       .breaks = "an absent key's row gets the cache's first bytes, not zeros",
       .where = kRing,
       .problem = "cp_async",
       .edits = {{"source + chunk * 16, offset >= 0);", "source + chunk * 16, true);"}}},
  };
}

std::vector<Mutation> wordFaults() {
  const std::string absent = "      storeSharedU32(absentOf(slot) + row() * 4, key.offset < 0);\n";
  const std::string stores =
      "    if (place() == placeInWindow && row() < kTileKeys) {\n" + absent +
      "      if constexpr (Shape::kNeedsPositions)\n"
      "        storeSharedI32(positionsOf(slot) + row() * 4, key.position);\n"
      "    }\n";
  const std::string gathers = "    if constexpr (Shape::kBulk)\n"
                              "      gatherBulk(to, barrier, key, placeInWindow * kShare);\n"
                              "    else\n"
                              "      gather16(to, barrier, key, placeInWindow * kShare);\n";
  return {
      {.name = "absent_words_missing",
       .breaks = "which rows are no keys is not stored",
       .where = kRing,
       .problem = "topk_sliced",
       .edits = {{absent, ""}},
       .expected = {Uninitialised}},
      {.name = "absent_words_stored_late",
       .breaks = "which rows are no keys is stored after the arrival",
       .where = kRing,
       .problem = "topk_sliced",
       .edits = {{stores, ""}, {gathers, gathers + stores}},
       .expected = {DataRace}},
      {.name = "absent_words_past_the_tile",
       .breaks = "lanes whose row lies past the tile store whether it is a key",
       .where = kRing,
       .problem = "uneven",
       .edits = {{"place() == placeInWindow && row() < kTileKeys", "place() == placeInWindow"}},
       .expected = {DataRace}},
      {.name = "shuffle_in_a_branch",
       .breaks = "16 of 32 lanes shuffle under the full mask",
       .where = kRing,
       .problem = "topk_sliced",
       .edits = {{"from[i] = shuffleFrom(", "from[i] = lane >= 16 ? 0 : shuffleFrom("}},
       .expected = {DivergentWarp}},
      {.name = "positions_of_half_the_rows",
       .breaks = "the positions of 8 of 16 keys are stored",
       .where = kRing,
       .problem = "positions",
       .edits = {{"      if constexpr (Shape::kNeedsPositions)\n        storeSharedI32(",
                  "      if (row() < kTileKeys / 2)\n        storeSharedI32("}},
       .expected = {Uninitialised}},
      {.name = "row_words_unordered",
       .breaks = "no warp barrier between the lanes' words for their rows and lane 0's arrival",
       .where = kRing,
       .problem = "positions",
       .edits = {{"    }\n    syncWarp();\n    const u32 to", "    }\n    const u32 to"}},
       .expected = {DataRace}},
  };
}

std::vector<Mutation> rowShareFaults() {
  const std::string firstRow = "(role.dimSplit * Shape::kHeadGroups + role.headGroup) * kShare,";
  return {
      {.name = "share_one_row_on",
       .breaks = "each warp's share of a tile begins a row too late",
       .where = kRing,
       .problem = "dim_split",
       .edits = {{firstRow, firstRow.substr(0, firstRow.size() - 1) + " + 1,"}},
       .expected = {BarrierMisuse}},
      {.name = "shares_repeated",
       .breaks = "warps of different dims copy the same share",
       .where = kRing,
       .problem = "dim_split",
       .edits = {{firstRow, "role.headGroup * kShare,"}},
       .expected = {DataRace}},
      {.name = "share_past_the_tile",
       .breaks = "the last warp's share has as many rows as the others'",
       .where = kRing,
       .problem = "uneven",
       .edits = {{"larger(0, smaller(kShare, kTileKeys - firstRow))", "kShare"}},
       .expected = {AsyncOverwrite}},
  };
}

} // namespace

std::vector<Mutation> gatherFaults() {
  std::vector<Mutation> faults = announceFaults();
  for (const auto& part : {bulkFaults(), smallCopyFaults(), wordFaults(), rowShareFaults()})
    faults.insert(faults.end(), part.begin(), part.end());
  return faults;
}

} // namespace mlac::mutations
