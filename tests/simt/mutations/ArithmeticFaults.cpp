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
       .edits = {{"    sum += shuffleXor(sum, 16);\n    if (role.row", "    if (role.row"}}},
      {.name = "scale_in_wrong_base",
       .breaks = "scores are not brought into units of log 2",
       .where = kEmitted,
       .problem = "topk_sliced",
       .edits = {{"f * kLog2E;", "f;"}}},
      {.name = "absent_keys_scored",
       .breaks = "keys that are none take part in the softmax",
       .where = kEmitted,
       .problem = "topk_sliced",
       .edits = {{"    scores = dropInvalid(scores, stage, role);\n", ""}}},
      {.name = "outputs_swapped",
       .breaks = "two dims of an output fragment change places",
       .where = "tile/merge.cuh",
       .problem = "dim_split",
       .edits = {{"= o[1] * weight[1];\n      at[8] = o[2] * weight[0];",
                  "= o[2] * weight[1];\n      at[8] = o[1] * weight[0];"}}},
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
