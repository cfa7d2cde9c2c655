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
       .edits = {{"if (entry >= entries)", "if (entry > entries)"}},
       .expected = {OutOfBounds}},
      {.name = "tail_tile_dropped",
       .breaks = "the number of tiles is rounded down",
       .where = kKeyRows,
       .problem = "topk_sliced",
       .edits = {{"(entries + kTileKeys - 1) / kTileKeys", "entries / kTileKeys"}}},
      {.name = "topk_length_ignored",
       .breaks = "entries past a row's length count",
       .where = kKeyRows,
       .problem = "split",
       .edits = {{"      if (args.topkLength != nullptr)\n"
                  "        rows.entries = larger(0, smaller(Shape::kTopk, "
                  "args.topkLength[token]));\n",
                  ""}}},
      {.name = "minus_one_looked_up",
       .breaks = "-1 in an index row is looked up in the block table like a position",
       .where = kEmitted,
       .problem = "topk_sliced",
       .edits = {{"table.lookup(i32(u32(entry) / 16u))",
                  "__ldg(table.blocks + floorDiv(entry, 16))"},
                 {"entry >= begin && ", ""}},
       .expected = {OutOfBounds}},
      {.name = "minus_one_copied",
       .breaks = "an absent key's offset, -1, is copied from",
       .where = kRing,
       .problem = "topk_sliced",
       .edits = {{"row.offset < 0 ? zeroRow : rows + row.offset", "rows + row.offset"}},
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
       .edits = {{"zeroRow : rows + row.offset", "zeroRow : rows + static_cast<i32>(row.offset)"}},
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
       .edits = {{"ballot(probe < high && queryStart[probe] <= token)",
                  "ballot(queryStart[probe] <= token)"}},
       .expected = {OutOfBounds}},
      {.name = "request_unchecked",
       .breaks = "request numbers out of range are used",
       .where = kRequest,
       .problem = "window",
       .edits = {{"return {request >= 0 && request < args.requests ? request : -1, 1};",
                  "return {request, 1};"}},
       .expected = {OutOfBounds}},
  };
}

} // namespace

std::vector<Mutation> rowFaults() {
  std::vector<Mutation> faults = entryFaults();
  for (const Mutation& fault : placeFaults())
    faults.push_back(fault);
  return faults;
}

} // namespace mlac::mutations
