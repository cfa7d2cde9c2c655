#include "tests/simt/mutations/Faults.h"

namespace mlac::mutations {
namespace {

using enum simt::FindingKind;

constexpr const char* kCombine = "kernels/combine.cuh";
constexpr const char* kConvert = "kernels/convert.cuh";

std::vector<Mutation> combineFaults() {
  const std::string returns = "  if (work.share != 0 || !work.present)\n    return;\n";
  return {
      {.name = "combine_unsynchronised",
       .breaks = "no CTA barrier between the warps' parts and their sum",
       .where = kCombine,
       .problem = "split",
       .kernel = KernelRole::Combine,
       .edits = {{"  syncCta();\n" + returns, returns}},
       .expected = {Uninitialised}},
      {.name = "combine_past_last_tile",
       .breaks = "the last CTA combines a tile more than there is",
       .where = kCombine,
       .problem = "many_tiles",
       .kernel = KernelRole::Combine,
       .edits = {{"work{tile < tiles,", "work{true,"}},
       .expected = {OutOfBounds}},
      {.name = "combine_tiles_left_out",
       .breaks = "CTAs take one tile each where the grid is for two",
       .where = kCombine,
       .problem = "many_tiles",
       .kernel = KernelRole::Combine,
       .edits = {{"gridDim.x << log2 < tiles", "gridDim.x << log2 << 1 < tiles"}}},
      {.name = "combine_max_of_own_splits",
       .breaks = "a lane's max logit is that of its own share of the splits",
       .where = kCombine,
       .problem = "split",
       .kernel = KernelRole::Combine,
       .edits = {{"shuffleXor(top.x, lanes)", "top.x"}, {"shuffleXor(top.y, lanes)", "top.y"}}},
      {.name = "combine_stored_by_all_warps",
       .breaks = "every warp stores its part, where the first should store their sum",
       .where = kCombine,
       .problem = "many_tiles",
       .kernel = KernelRole::Combine,
       .edits = {{returns, "  if (!work.present)\n    return;\n"},
                 {"take<kWarps>(work.sharers)", "take<kWarps>(1)"}},
       .expected = {DataRace}},
      {.name = "combine_starts_too_early",
       .breaks = "partial results are read while the attention kernel may still write them",
       .where = kCombine,
       .problem = "split",
       .kernel = KernelRole::Combine,
       .edits = {{"    waitForPreviousGrid();\n", "    ;\n"}},
       .expected = {DataRace}},
  };
}

std::vector<Mutation> combinedSumFaults() {
  return {
      {.name = "combine_walks_a_split_too_far",
       .breaks = "each warp reads a split more than its share",
       .where = kCombine,
       .problem = "split",
       .kernel = KernelRole::Combine,
       .edits = {{"(splits - share + sharers - 1) / sharers : 0",
                  "(splits - share + sharers - 1) / sharers + 1 : 0"}},
       .expected = {OutOfBounds}},
      {.name = "combine_reads_past_its_round",
       .breaks = "a round of eight splits is read where fewer are left",
       .where = kCombine,
       .problem = "split",
       .kernel = KernelRole::Combine,
       .edits = {{"if (i < walk.splits) {", "if (i < Count) {"}},
       .expected = {OutOfBounds}},
      {.name = "combine_shares_alike",
       .breaks = "all warps on a tile add up the first one's splits",
       .where = kCombine,
       .problem = "split",
       .kernel = KernelRole::Combine,
       .edits = {{"fragmentOf(args.partialOut, share, dimTile",
                  "fragmentOf(args.partialOut, 0, "
                  "dimTile"}}},
      {.name = "combine_takes_one_less",
       .breaks = "the last warp's part is not added",
       .where = kCombine,
       .problem = "many_tiles",
       .kernel = KernelRole::Combine,
       .edits = {{"take<kWarps>(work.sharers)", "take<kWarps>(work.sharers - 1)"}}},
      {.name = "combine_takes_past_its_warps",
       .breaks = "eight warps' parts are added, though four work on the tile",
       .where = kCombine,
       .problem = "many_tiles",
       .kernel = KernelRole::Combine,
       .edits = {{"take<kWarps>(work.sharers)", "take<kWarps>(kWarps)"}},
       .expected = {OutOfBounds}},
      {.name = "combine_takes_unscaled",
       .breaks = "warps' parts are added without scaling them to one maximum",
       .where = kCombine,
       .problem = "split",
       .kernel = KernelRole::Combine,
       .edits = {{"{weightOf(parts[i].x, all.top[0]), weightOf(parts[i].y, all.top[1])}",
                  "{1.0f, 1.0f}"}}},
      {.name = "combine_of_nothing_is_nan",
       .breaks = "parts without keys are weighed as if they had a maximum",
       .where = kCombine,
       .problem = "split",
       .kernel = KernelRole::Combine,
       .edits = {{"lse - (top == negativeInfinity() ? 0.0f : top)", "lse - top"}}},
  };
}

std::vector<Mutation> convertFaults() {
  return {
      {.name = "count_cleared_unsynchronised",
       .breaks = "no CTA barrier between clearing the count and adding to it",
       .where = kConvert,
       .problem = "convert",
       .kernel = KernelRole::Convert,
       .edits = {{"    *validInCta = 0;\n  syncCta();\n", "    *validInCta = 0;\n"}},
       .expected = {DataRace}},
      {.name = "count_read_unsynchronised",
       .breaks = "no CTA barrier between adding to the count and reading it",
       .where = kConvert,
       .problem = "convert",
       .kernel = KernelRole::Convert,
       .edits = {{"    addShared(validInCta, valid);\n  syncCta();\n",
                  "    addShared(validInCta, valid);\n"}},
       .expected = {DataRace}},
      {.name = "slots_past_the_row",
       .breaks = "threads past a row's last entry store too",
       .where = kConvert,
       .problem = "convert",
       .kernel = KernelRole::Convert,
       .edits = {{"    if (entry < Shape::kTopk)\n      out[entry]", "    out[entry]"}},
       .expected = {DataRace, OutOfBounds}},
      {.name = "entries_past_the_row",
       .breaks = "threads past a row's last entry read one",
       .where = kConvert,
       .problem = "convert",
       .kernel = KernelRole::Convert,
       .edits = {{"    if (entry < rows.entries)\n", ""}},
       .expected = {OutOfBounds}},
      {.name = "missing_block_converted",
       .breaks = "-1 in the block table counts as a block",
       .where = kEmitted,
       .problem = "convert",
       .kernel = KernelRole::Convert,
       .edits = {{"block >= 0 && ", ""}}},
  };
}

} // namespace

std::vector<Mutation> supportFaults() {
  std::vector<Mutation> faults = combineFaults();
  for (const auto& part : {combinedSumFaults(), convertFaults()})
    faults.insert(faults.end(), part.begin(), part.end());
  return faults;
}

} // namespace mlac::mutations
