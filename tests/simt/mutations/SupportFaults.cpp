#include "tests/simt/mutations/Faults.h"

namespace mlac::mutations {
namespace {

using enum simt::FindingKind;

constexpr const char* kCombine = "kernels/combine.cuh";
constexpr const char* kConvert = "kernels/convert.cuh";

std::vector<Mutation> combineFaults() {
  return {
      {.name = "combine_unsynchronised",
       .breaks = "no CTA barrier between the warps' parts and their sum",
       .where = kCombine,
       .problem = "split",
       .kernel = KernelRole::Combine,
       .edits = {{"= make_float4(v[0], v[1], v[2], v[3]);\n  syncCta();\n",
                  "= make_float4(v[0], v[1], v[2], v[3]);\n"}},
       .expected = {Uninitialised}},
      {.name = "combine_past_last_dim",
       .breaks = "dims past the last are stored",
       .where = kCombine,
       .problem = "split",
       .kernel = KernelRole::Combine,
       .edits = {{"  if (dim < Shape::kValueDims)\n    Shape::Store", "  Shape::Store"}},
       .expected = {DataRace}},
      {.name = "combine_stored_by_all_warps",
       .breaks = "every warp sums and stores the same outputs",
       .where = kCombine,
       .problem = "split",
       .kernel = KernelRole::Combine,
       .edits = {{"  if (warp != 0)\n    return;\n", ""}},
       .expected = {DataRace}},
      {.name = "combine_weighs_next_split",
       .breaks = "a split's weight goes to the values of the next",
       .where = kCombine,
       .problem = "split",
       .kernel = KernelRole::Combine,
       .edits = {{"parts + split * stride", "parts + (split + 1) * stride"}}},
      {.name = "combine_starts_too_early",
       .breaks = "partial results are read while the attention kernel may still write them",
       .where = kCombine,
       .problem = "split",
       .kernel = KernelRole::Combine,
       .edits = {{"    waitForPreviousGrid();\n", "    ;\n"}},
       .expected = {DataRace}},
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
  for (const Mutation& fault : convertFaults())
    faults.push_back(fault);
  return faults;
}

} // namespace mlac::mutations
