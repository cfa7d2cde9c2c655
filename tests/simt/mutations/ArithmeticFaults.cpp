#include "tests/simt/mutations/Faults.h"

namespace mlac::mutations {
namespace {

using enum simt::FindingKind;

std::vector<Mutation> addressFaults() {
  return {
      {.name = "keys_past_the_tile",
       .breaks = "the upper lanes take their keys from the rows after the tile",
       .where = "tile/scores.cuh",
       .problem = "topk_sliced",
       .edits = {{"stage.address + role.lane % 16 * Shape::kRowStrideBytes",
                  "stage.address + role.lane * Shape::kRowStrideBytes"}},
       .expected = {AsyncRead}},
      {.name = "absent_words_past_the_slot",
       .breaks = "the last key's word on whether it is one is read from the next slot's",
       .where = "tile/scores.cuh",
       .problem = "topk_sliced",
       .edits = {{"stage.absent + (role.row + 8) * 4", "stage.absent + (role.row + 9) * 4"}},
       .expected = {DataRace}},
      {.name = "keys_past_last_step",
       .breaks = "a step past a row's last is multiplied, where 3 warps share 11",
       .where = "tile/scores.cuh",
       .problem = "uneven",
       .edits = {{"k + half < Share::kMine && (Share::kEven || first + k + half < Share::kSteps)",
                  "k + half < Share::kMine"}},
       .expected = {Uninitialised}},
      {.name = "values_past_last_tile",
       .breaks = "value dims past the last are multiplied, where 4 warps share 9 tiles",
       .where = "tile/accumulator.cuh",
       .problem = "split",
       .edits = {{"    if (Acc::kEven || firstTile + m < Acc::kTiles) {\n      u32 values",
                  "    {\n      u32 values"}},
       .expected = {Uninitialised}},
      {.name = "values_without_padding",
       .breaks = "values are read with the unpadded stride",
       .where = "tile/accumulator.cuh",
       .problem = "topk_sliced_sm120",
       .edits = {{"stage.address + key * Shape::kRowStrideBytes",
                  "stage.address + key * Shape::kRowBytes"}},
       .expected = {Uninitialised}},
  };
}

// What is read and written is in order here; only the numbers are not.
std::vector<Mutation> numberFaults() {
  return {
      {.name = "fragments_swapped",
       .breaks = "the two halves of the right-hand operand change places",
       .where = "base/element.cuh",
       .problem = "topk_sliced",
       .edits = {{"mmaBf16(d, a, b0, b1);", "mmaBf16(d, a, b1, b0);"}}},
      {.name = "values_not_transposed",
       .breaks = "values are loaded by plain ldmatrix",
       .where = "tile/accumulator.cuh",
       .problem = "topk_sliced",
       .edits = {{"loadMatrix4Transposed(values, mine + m * 32);",
                  "loadMatrix4(values, mine + m * 32);"}}},
      {.name = "sum_of_half_the_keys",
       .breaks = "the sum over a row's lanes lacks its last step",
       .where = "tile/merge.cuh",
       .problem = "topk_sliced_sm120",
       .edits = {{"      sum += shuffleXor(sum, 16);\n", ""}}},
      {.name = "scale_in_wrong_base",
       .breaks = "scores are not brought into units of log 2",
       .where = kEmitted,
       .problem = "topk_sliced",
       .edits = {{"f * kLog2E;", "f;"}}},
      {.name = "absent_keys_scored",
       .breaks = "keys that are none take part in the softmax",
       .where = kEmitted,
       .problem = "topk_sliced",
       .edits = {{"    scores = dropInvalid<Shape>(scores, stage, role);\n", ""}}},
      {.name = "absent_words_of_neighbours",
       .breaks = "a key goes by its neighbour's word on whether it is one",
       .where = "tile/scores.cuh",
       .problem = "topk_sliced",
       .edits = {{"stage.absent + role.row * 4", "stage.absent + (role.row ^ 1) * 4"}}},
      {.name = "outputs_swapped",
       .breaks = "two dims of an output fragment change places",
       .where = "tile/merge.cuh",
       .problem = "dim_split",
       .edits = {{"v[1] = o[1] * weight[1];\n  v[2] = o[2] * weight[0];",
                  "v[1] = o[2] * weight[1];\n  v[2] = o[1] * weight[0];"}}},
      {.name = "weight_of_other_head",
       .breaks = "dims of one head are weighed like the other's of its lane",
       .where = "tile/merge.cuh",
       .problem = "topk_sliced",
       .edits = {{"v[2] = o[2] * weight[0];", "v[2] = o[2] * weight[1];"}}},
      {.name = "heads_of_first_tile",
       .breaks = "all of a warp's heads get the probabilities of its first eight",
       .where = "tile/accumulator.cuh",
       .problem = "uneven",
       .edits = {{"values, probs.b[t][0], probs.b[t][1]", "values, probs.b[0][0], probs.b[0][1]"}}},
  };
}

} // namespace

std::vector<Mutation> arithmeticFaults() {
  std::vector<Mutation> faults = addressFaults();
  for (const Mutation& fault : numberFaults())
    faults.push_back(fault);
  return faults;
}

} // namespace mlac::mutations
