#include "tests/simt/mutations/Faults.h"

#include <utility>

namespace mlac::mutations {
namespace {

using enum simt::FindingKind;

Mutation fault(const char* name,
               const char* breaks,
               Edit edit,
               std::vector<simt::FindingKind> expected = {}) {
  return {.name = name,
          .breaks = breaks,
          .where = "kernels/merge.cuh",
          .problem = "merge",
          .kernel = KernelRole::Merge,
          .edits = {std::move(edit)},
          .expected = std::move(expected)};
}

/// What is read and written, and when.
std::vector<Mutation> accessFaults() {
  return {
      fault("merge_lse_stored_early",
            "an LSE takes the place of part 0's before all warps of its row have read that",
            {"  syncCta();\n  if (row.isPresent", "  if (row.isPresent"},
            {DataRace}),
      fault("merge_lse_past_the_last_part",
            "lanes past the last part read an LSE",
            {"return part < parts ? exponential(lseOf(part)) * scale : 0.0f;",
             "return exponential(lseOf(part)) * scale;"},
            {OutOfBounds}),
      fault("merge_row_past_the_last_head",
            "a token's last CTA merges a row more than there is",
            {"warp % Shape::kRowWarps, head < Shape::kHeads}", "warp % Shape::kRowWarps, true}"},
            {DataRace, OutOfBounds}),
      fault("merge_chunk_past_the_row",
            "lanes past a row's last chunk merge one",
            {"hasChunk = isPresent && chunk < kChunks", "hasChunk = isPresent"},
            {DataRace, OutOfBounds}),
      fault("merge_shares_alike",
            "all warps of a row merge its first chunks",
            {"first = share * 32; first < kChunks", "first = 0; first < 32"},
            {DataRace}),
      fault("merge_reads_past_the_last_part",
            "parts past the last are read with those of their round",
            {"if (isPresent && weight[i] != 0.0f)", "if (isPresent)"},
            {OutOfBounds}),
      fault("merge_takes_all_rows_for_aligned",
            "rows at multiples of 8 bytes are read 16 bytes at a time",
            {"else if (aligned16(args.partOut, strides * Store::kBytes))", "else if (true)"},
            {Misaligned}),
      fault("merge_stores_all_rows_aligned",
            "rows at multiples of 8 bytes are written 16 bytes at a time",
            {"    if (isAligned16) {", "    if (true) {"},
            {Misaligned}),
      fault("merge_repeats_the_first_round",
            "parts from the 33rd on are read in the place of the first ones",
            {"(round + first + i) * partBytes", "(first + i) * partBytes"}),
      fault("merge_leaves_parts_out",
            "parts from the 33rd on are not added",
            {"round < weights.parts; round += 32",
             "round < 32 && round < weights.parts; round += 32"}),
      fault("merge_reads_f32_as_halves",
            "parts in f32 are read as elements of the output's type",
            {"if (args.f32Parts != 0)", "if (false)"}),
  };
}

/// What the numbers mean.
std::vector<Mutation> meaningFaults() {
  return {
      fault("merge_reads_empty_parts",
            "parts without keys are read, and NaN in them is multiplied by 0",
            {"weight[i] != 0.0f", "round + first + i < weights.parts"}),
      fault("merge_counts_infinities",
            "an LSE of +inf is an infinite weight, not a part without keys",
            {"own == -negativeInfinity() ? negativeInfinity() : own", "own"}),
      fault("merge_in_the_other_base",
            "LSEs to base 2 are taken for natural ones",
            {"kLog2 = Shape::kLseBase2 ? 1.0f : kLog2E", "kLog2 = kLog2E"}),
      fault("merge_unshifted",
            "exponentials are not taken relative to the largest LSE",
            {"(x - (top == negativeInfinity() ? 0.0f : top)) * kLog2", "x * kLog2"}),
      fault("merge_of_nothing_is_nan",
            "a row without keys is weighed as if it had a largest LSE",
            {"top == negativeInfinity() ? 0.0f : top", "top"}),
      fault("merge_empty_by_the_other_convention",
            "the LSE of a row without keys is -inf where +inf is declared",
            {"return Shape::kEmptyLsePositive ? -negativeInfinity() : negativeInfinity();",
             "return negativeInfinity();"}),
      fault("merge_sink_joins_the_lse",
            "the sink's exponential is in the LSE too",
            {"scale = sum == 0.0f ? 0.0f : 1.0f / (sum + exponential(declared));",
             "sum += exponential(declared);\n    scale = sum == 0.0f ? 0.0f : 1.0f / sum;"}),
      fault("merge_sink_of_the_first_head",
            "every head has the first one's sink",
            {"static_cast<const float*>(args.sinks)[head]",
             "static_cast<const float*>(args.sinks)[0]"}),
      fault("merge_sink_in_the_other_base",
            "a sink is taken for a power of 2",
            {"sink * (Shape::kLseBase2 ? kLog2E : 1.0f)", "sink"}),
      fault("merge_max_of_empty_parts",
            "parts without keys have a say in the max logit",
            {"      if (weights.lseOf(part) != negativeInfinity())\n", ""}),
  };
}

} // namespace

std::vector<Mutation> mergeKernelFaults() {
  std::vector<Mutation> faults = accessFaults();
  const std::vector<Mutation> meaning = meaningFaults();
  faults.insert(faults.end(), meaning.begin(), meaning.end());
  return faults;
}

} // namespace mlac::mutations
