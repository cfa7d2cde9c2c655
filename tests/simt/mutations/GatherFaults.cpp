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
      {.name = "announces_fifteen_rows",
       .breaks = "the bytes of one row less are announced than copied",
       .where = kRing,
       .problem = "topk_sliced",
       .edits = {{"kTileKeys * Shape::kRowBytes);", "(kTileKeys - 1) * Shape::kRowBytes);"}},
       .expected = {AsyncRead}},
      {.name = "announces_too_few_bytes",
       .breaks = "16 bytes less are announced than copied",
       .where = kRing,
       .problem = "topk_sliced_sm120",
       .edits = {{"kTileKeys * Shape::kRowBytes);", "kTileKeys * Shape::kRowBytes - 16);"}},
       .expected = {Deadlock}},
      {.name = "announces_too_many_bytes",
       .breaks = "16 bytes more are announced than copied",
       .where = kRing,
       .problem = "topk_sliced",
       .edits = {{"kTileKeys * Shape::kRowBytes);", "kTileKeys * Shape::kRowBytes + 16);"}},
       .expected = {Deadlock}},
  };
}

std::vector<Mutation> bulkFaults() {
  return {
      {.name = "rows_without_padding",
       .breaks = "rows are copied end to end, but read with the padded stride",
       .where = kRing,
       .problem = "topk_sliced_sm120",
       .edits = {{"lane * Shape::kRowStrideBytes", "lane * Shape::kRowBytes"}},
       .expected = {Uninitialised}},
      {.name = "slots_overlap",
       .breaks = "slots lie one row too close",
       .where = kRing,
       .problem = "topk_sliced",
       .edits = {{"copyBulk(base + slot * Shape::kSlotBytes",
                  "copyBulk(base + slot * (Shape::kSlotBytes - Shape::kRowStrideBytes)"}},
       .expected = {AsyncOverwrite}},
      {.name = "copies_seventeen_rows",
       .breaks = "17 lanes copy a row",
       .where = kRing,
       .problem = "topk_sliced",
       .edits = {{"    if (lane < kTileKeys)\n      copyBulk(",
                  "    if (lane <= kTileKeys)\n      copyBulk("}},
       .expected = {AsyncOverwrite}},
      {.name = "copy_one_chunk_long",
       .breaks = "each row's copy is 16 bytes longer than announced",
       .where = kRing,
       .problem = "topk_sliced",
       .edits = {{"               Shape::kRowBytes,\n               barrier);",
                  "               Shape::kRowBytes + 16,\n               barrier);"}},
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
       .edits = {{"Shape::kBulk ? 1 : 1 + 32", "Shape::kBulk ? 1 : 32"}},
       .expected = {AsyncRead}},
      {.name = "mask_of_rows_unreleased",
       .breaks = "lane 0 does not release what it stored beside the copies",
       .where = kRing,
       .problem = "cp_async",
       .edits = {{"Shape::kBulk ? 1 : 1 + 32", "Shape::kBulk ? 1 : 32"},
                 {laneZeroArrives, "    // releases"}},
       .expected = {DataRace}},
      {.name = "absent_rows_copied",
       .breaks = "an absent key's row gets the cache's first bytes, not zeros",
       .where = kRing,
       .problem = "cp_async",
       .edits = {{"source + chunk * 16, offset >= 0);", "source + chunk * 16, true);"}}},
  };
}

std::vector<Mutation> storeFaults() {
  const std::string store = "    if (lane == 0)\n"
                            "      storeSharedU32(invalidOf(slot), invalid);\n";
  const std::string gathers = "    if constexpr (Shape::kBulk)\n"
                              "      gatherBulk(slot, barrier, row, lane);\n"
                              "    else\n"
                              "      gather16(slot, barrier, row, lane);\n";
  return {
      {.name = "mask_of_rows_stored_late",
       .breaks = "which rows are no keys is stored after the arrival",
       .where = kRing,
       .problem = "topk_sliced",
       .edits = {{store + gathers, gathers + store}},
       .expected = {DataRace}},
      {.name = "ballot_in_a_branch",
       .breaks = "16 of 32 lanes vote under the full mask",
       .where = kRing,
       .problem = "topk_sliced",
       .edits = {{"    const u32 invalid = ballot(row.offset < 0) & 0xffffu;\n",
                  "    u32 invalid = 0;\n"
                  "    if (lane < kTileKeys)\n"
                  "      invalid = ballot(row.offset < 0);\n"}},
       .expected = {DivergentWarp}},
      {.name = "positions_of_half_the_rows",
       .breaks = "8 lanes store 16 key positions",
       .where = kRing,
       .problem = "positions",
       .edits = {{"      if (lane < kTileKeys)\n        storeSharedI32(",
                  "      if (lane < kTileKeys / 2)\n        storeSharedI32("}},
       .expected = {Uninitialised}},
      {.name = "positions_unordered",
       .breaks = "no warp barrier between the lanes' key positions and lane 0's arrival",
       .where = kRing,
       .problem = "positions",
       .edits = {{"lane * 4, row.position);\n      syncWarp();", "lane * 4, row.position);"}},
       .expected = {DataRace}},
  };
}

} // namespace

std::vector<Mutation> gatherFaults() {
  std::vector<Mutation> faults = announceFaults();
  for (const auto& part : {bulkFaults(), smallCopyFaults(), storeFaults()})
    faults.insert(faults.end(), part.begin(), part.end());
  return faults;
}

} // namespace mlac::mutations
