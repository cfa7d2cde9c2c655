#include "tests/simt/mutations/Faults.h"

namespace mlac::mutations {
namespace {

using enum simt::FindingKind;

constexpr const char* kRing = "tile/ring.cuh";
constexpr const char* kKeyRows = "tile/key_rows.cuh";
constexpr const char* kRequest = "tile/request.cuh";

std::vector<Mutation> entryFaults() {
  return {
      {.name = "tail_reads_one_more",
       .breaks = "the entry after the last of an index row is read",
       .where = kKeyRows,
       .problem = "topk_sliced",
       .edits = {{"      if (at < entries)\n        key.entry",
                  "      if (at <= entries)\n        key.entry"}},
       .expected = {OutOfBounds}},
      {.name = "tail_tile_dropped",
       .breaks = "the number of tiles is rounded down",
       .where = kKeyRows,
       .problem = "topk_sliced",
       .edits = {{"(static_cast<u32>(entries) + kTileKeys - 1) / kTileKeys",
                  "entries / kTileKeys"}}},
      {.name = "topk_length_ignored",
       .breaks = "entries past a row's length count",
       .where = kKeyRows,
       .problem = "split",
       .edits = {{"return args.topkLength == nullptr ?", "return true ?"}}},
      {.name = "minus_one_looked_up",
       .breaks = "-1 in an index row is looked up in the block table like a position",
       .where = kKeyRows,
       .problem = "topk_sliced",
       .edits = {{"return page >= 0 && page < pages ? blocks[page] : -1;",
                  "return page >= 0 ? blocks[page] : -1;"}},
       .expected = {OutOfBounds}},
      {.name = "request_not_found",
       .breaks = "logical indices are looked up before the token's request is known",
       .where = kEmitted,
       .problem = "topk_sliced",
       .edits = {{"  rows.findRequest();\n  rows.prefetchTable();\n",
                  "  rows.prefetchTable();\n"}}},
      {.name = "minus_one_copied",
       .breaks = "an absent key's offset, -1, is copied from",
       .where = kRing,
       .problem = "topk_sliced",
       .edits = {{"key.offset < 0 ? zeroRow : rows + key.offset", "rows + key.offset"}},
       .expected = {Misaligned}},
      {.name = "validity_of_slots_ignored",
       .breaks = "slots past the cache's last are read",
       .where = kKeyRows,
       .problem = "ragged",
       .edits = {{"    if (!key.valid)\n      return {-1, key.position};\n", ""}},
       .expected = {OutOfBounds}},
  };
}

std::vector<Mutation> placeFaults() {
  return {
      {.name = "offset_of_32_bits",
       .breaks = "a row's offset is cut to 32 bits when it is copied",
       .where = kRing,
       .problem = "far",
       .edits = {{"zeroRow : rows + key.offset", "zeroRow : rows + static_cast<i32>(key.offset)"}},
       .expected = {OutOfBounds}},
      {.name = "offset_computed_in_32_bits",
       .breaks = "a row's offset is computed in 32 bits, and turns negative",
       .where = kKeyRows,
       .problem = "far",
       .edits = {{"return {page * args.pageStrideBytes + inPage * args.tokenStrideBytes, ",
                  "return {static_cast<i32>(page * args.pageStrideBytes + "
                  "inPage * args.tokenStrideBytes), "}}},
      {.name = "search_past_request_table",
       .breaks = "the search for a token's request reads past queryStart",
       .where = kRequest,
       .problem = "ragged",
       .edits = {{"ballot(probe < high && hasStarted(probe))", "ballot(hasStarted(probe))"}},
       .expected = {OutOfBounds}},
      {.name = "request_unchecked",
       .breaks = "request numbers out of range are used",
       .where = kRequest,
       .problem = "balanced",
       .edits = {{"return {request >= 0 && request < args.requests ? request : -1, 1};",
                  "return {request, 1};"}},
       .expected = {OutOfBounds}},
  };
}

// Rows that are read are a token's own here, but not those of the tile they are copied for.
std::vector<Mutation> windowFaults() {
  return {
      {.name = "window_place_off_by_one",
       .breaks = "a refill takes the rows of the next in its window",
       .where = kRing,
       .problem = "topk_sliced",
       .edits = {{"const i32 place = refill % kWindow;",
                  "const i32 place = (refill + 1) % kWindow;"}}},
      {.name = "window_refreshed_late",
       .breaks = "a window of rows is used for a tile more",
       .where = kRing,
       .problem = "dim_split",
       .edits = {{"    if (place == 0) {\n", "    if (refill == 0 || place == 1) {\n"}}},
      {.name = "window_of_all_slices",
       .breaks = "a window holds the rows of tiles that follow one another, not of the slice's",
       .where = kRing,
       .problem = "topk_sliced",
       .edits = {{"tile + (kWindow + ring.place()) * Shape::kKeySlices",
                  "tile + kWindow * Shape::kKeySlices + ring.place()"}}},
      {.name = "window_not_looked_up",
       .breaks = "the blocks of a window's indices are not asked for",
       .where = kRing,
       .problem = "topk_sliced",
       .edits = {{"    } else if (place == kWindow - 1) {\n      rows.look(next);\n    }\n",
                  "    }\n"}}},
      {.name = "first_window_not_looked_up",
       .breaks = "the blocks of the first window's indices are not asked for",
       .where = kRing,
       .problem = "topk_sliced",
       .edits = {{"    rows.look(window.next);\n", ""}}},
      {.name = "first_rows_not_looked_up",
       .breaks = "the blocks of the first tiles' indices are not asked for",
       .where = kRing,
       .problem = "topk_sliced",
       .edits = {{"    rows.look(first.peeks[w]);\n", "    ;\n"}}},
      {.name = "first_rows_of_slice_0",
       .breaks = "all slices fill their first slots with the rows of the first slice",
       .where = kRing,
       .problem = "topk_sliced",
       .edits = {{"firstTile + slice + (w * kWindow", "firstTile + (w * kWindow"}}},
  };
}

} // namespace

std::vector<Mutation> rowFaults() {
  std::vector<Mutation> faults = entryFaults();
  for (const auto& part : {placeFaults(), windowFaults()})
    faults.insert(faults.end(), part.begin(), part.end());
  return faults;
}

} // namespace mlac::mutations
