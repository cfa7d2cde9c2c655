#include "tests/simt/mutations/Faults.h"

namespace mlac::mutations {
namespace {

using enum simt::FindingKind;

constexpr const char* kSchedule = "kernels/schedule.cuh";
constexpr const char* kWorkList = "tile/work_list.cuh";
constexpr const char* kWork = "tile/work.cuh";
constexpr const char* kCombine = "kernels/combine.cuh";

std::vector<Mutation> orderFaults() {
  return {
      {.name = "cuts_read_before_measured",
       .breaks = "no CTA barrier between measuring rows and adding up their tiles",
       .where = kSchedule,
       .problem = "balanced",
       .kernel = KernelRole::Schedule,
       .edits = {{"  scheduler.measure();\n  syncCta();\n", "  scheduler.measure();\n"}},
       .expected = {DataRace}},
      {.name = "sums_used_again_too_early",
       .breaks = "no CTA barrier between reading the warps' sums and the next ones",
       .where = kSchedule,
       .problem = "balanced",
       .kernel = KernelRole::Schedule,
       .edits = {{"    syncCta(); // before the sums are used again\n", ""}},
       .expected = {DataRace}},
      {.name = "pieces_placed_unnumbered",
       .breaks = "no CTA barrier between numbering the length classes and placing pieces",
       .where = kSchedule,
       .problem = "balanced",
       .kernel = KernelRole::Schedule,
       .edits = {{"  syncCta();\n  scheduler.placePieces(parts);",
                  "  scheduler.placePieces(parts);"}},
       .expected = {DataRace}},
      {.name = "classes_begin_alike",
       .breaks = "every length class is placed from the list's first entry on",
       .where = kSchedule,
       .problem = "balanced",
       .kernel = KernelRole::Schedule,
       .edits = {{"counts[lane] = sum - mine;", "counts[lane] = 0;"}},
       .expected = {DataRace}},
  };
}

std::vector<Mutation> cutFaults() {
  return {
      {.name = "slots_of_cut_rows_shared",
       .breaks = "all rows cut in a round of threads have the same slots",
       .where = kSchedule,
       .problem = "balanced",
       .kernel = KernelRole::Schedule,
       .edits = {{"static_cast<i32>(slots + sums.before(splits > 1 ? splits : 0, all))",
                  "static_cast<i32>(slots + 0 * sums.before(splits > 1 ? splits : 0, all))"}},
       .expected = {DataRace}},
      {.name = "pieces_end_a_tile_early",
       .breaks = "a piece ends a tile before the next begins",
       .where = kSchedule,
       .problem = "balanced",
       .kernel = KernelRole::Schedule,
       .edits =
           {{"return beginOf(cut, split + 1) - beginOf(cut, split);",
             "return beginOf(cut, split + 1) - beginOf(cut, split) - (split + 1 < cut.splits);"}}},
      {.name = "last_piece_uncounted",
       .breaks = "the list's count leaves out its last piece",
       .where = kSchedule,
       .problem = "balanced",
       .kernel = KernelRole::Schedule,
       .edits = {{"list.setCount(static_cast<i32>(pieces));",
                  "list.setCount(static_cast<i32>(pieces) - 1);"}}},
      {.name = "cuts_reach_into_pieces",
       .breaks = "pieces begin where the last token's cut lies",
       .where = kWorkList,
       .problem = "balanced",
       .kernel = KernelRole::Schedule,
       .edits = {{"words + 1, words + 1 + tokens", "words + 1, words + tokens"}},
       .expected = {DataRace}},
  };
}

std::vector<Mutation> readerFaults() {
  return {
      {.name = "pieces_16_bytes_apart",
       .breaks = "a piece is read from the middle of one before it",
       .where = kWorkList,
       .problem = "balanced",
       .edits = {{"const int4 what = pieces[static_cast<i64>(number) * 2];",
                  "const int4 what = pieces[static_cast<i64>(number)];"}},
       .expected = {DataRace}},
      {.name = "piece_in_first_slots",
       .breaks = "partial results of all cut rows go to the first slots",
       .where = kWork,
       .problem = "balanced",
       .edits = {{"            piece.firstSlot,\n", "            0,\n"}},
       .expected = {DataRace}},
      {.name = "piece_of_first_heads",
       .breaks = "all CTAs on a piece work on the first of its heads",
       .where = kWork,
       .problem = "balanced",
       .edits = {{"            firstRowTileOf(blockIdx.x % Shape::kHeadCtas),\n",
                  "            firstRowTileOf(0),\n"}},
       .expected = {DataRace}},
      {.name = "pieces_begin_alike",
       .breaks = "every piece of a row begins at the row's first tile",
       .where = kWork,
       .problem = "balanced",
       .edits = {{"            {piece.firstTile, piece.tiles}};",
                  "            {0, piece.tiles}};"}}},
      {.name = "uncut_rows_combined",
       .breaks = "rows in one piece are combined from slots of others",
       .where = kCombine,
       .problem = "balanced",
       .kernel = KernelRole::Combine,
       .edits = {{"    present = splits > 1;\n", ""}}},
      {.name = "combined_from_first_slots",
       .breaks = "all cut rows are combined from the first slots",
       .where = kCombine,
       .problem = "balanced",
       .kernel = KernelRole::Combine,
       .edits = {{"    firstSlot = cut.firstSlot;\n", "    firstSlot = 0;\n"}}},
  };
}

} // namespace

std::vector<Mutation> scheduleFaults() {
  std::vector<Mutation> faults = orderFaults();
  for (const auto& part : {cutFaults(), readerFaults()})
    faults.insert(faults.end(), part.begin(), part.end());
  return faults;
}

} // namespace mlac::mutations
