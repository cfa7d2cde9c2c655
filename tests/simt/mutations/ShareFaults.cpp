#include "tests/simt/mutations/Faults.h"

namespace mlac::mutations {
namespace {

using enum simt::FindingKind;

constexpr const char* kScores = "tile/scores.cuh";

std::vector<Mutation> bufferFaults() {
  return {
      {.name = "shares_in_one_buffer",
       .breaks = "scores pass through one buffer, where one barrier a tile needs two in turn",
       .where = kScores,
       .problem = "dim_split",
       .edits = {{"(group * 2 + step % 2)", "(group * 2)"}},
       .expected = {DataRace}},
      {.name = "shares_counted_by_tiles_of_cta",
       .breaks = "buffers take turns by the CTA's tiles, so that a slice of two stays in one",
       .where = kEmitted,
       .problem = "shared_queries",
       .edits = {{"sumShares<Shape>(scores, shared, tile / Shape::kKeySlices, role)",
                  "sumShares<Shape>(scores, shared, tile, role)"}},
       .expected = {DataRace}},
      {.name = "shares_in_different_buffers",
       .breaks = "of two warps one begins with the first buffer, one with the second",
       .where = kScores,
       .problem = "dim_split",
       .edits = {{"(group * 2 + step % 2)", "(group * 2 + (step + role.dimSplit) % 2)"}},
       .expected = {Uninitialised}},
      {.name = "share_buffers_overlap",
       .breaks = "all head groups pass their scores through the same buffers",
       .where = kScores,
       .problem = "dim_split",
       .edits = {{"(group * 2 + step % 2)", "(step % 2)"}},
       .expected = {DataRace}},
      {.name = "shares_over_queries",
       .breaks = "scores pass through the memory of the query fragments",
       .where = kScores,
       .problem = "shared_queries",
       .edits = {{"smem + Shape::kSharesAt", "smem + Shape::kQueriesAt"}},
       .expected = {DataRace, OutOfBounds}},
  };
}

std::vector<Mutation> barrierFaults() {
  const std::string barrier = "  syncThreads(1 + group, Shape::kDimSplits * 32);\n";
  return {
      {.name = "shares_unsynchronised",
       .breaks = "no barrier between the warps' shares of the scores and their sum",
       .where = kScores,
       .problem = "dim_split",
       .edits = {{barrier, ""}},
       .expected = {Uninitialised}},
      {.name = "shares_barrier_high",
       .breaks = "the barrier waits for a warp more than there is",
       .where = kScores,
       .problem = "dim_split",
       .edits = {{barrier, "  syncThreads(1 + group, Shape::kDimSplits * 32 + 32);\n"}},
       .expected = {Deadlock}},
      {.name = "shares_barrier_low",
       .breaks = "the barrier waits for a warp less than there is",
       .where = kScores,
       .problem = "dim_split",
       .edits = {{barrier, "  syncThreads(1 + group, Shape::kDimSplits * 32 - 32);\n"}},
       .expected = {Uninitialised}},
      {.name = "shares_barrier_of_two_slices",
       .breaks = "the slices' warps come to the same barrier",
       .where = kScores,
       .problem = "shared_queries",
       .edits = {{barrier, "  syncThreads(1 + role.headGroup, Shape::kDimSplits * 32);\n"}},
       .expected = {Uninitialised, DataRace},
       .orders = 20},
      {.name = "shares_barrier_of_the_cta",
       .breaks = "one slice's barrier is the one that the whole CTA meets at",
       .where = kScores,
       .problem = "shared_queries",
       .edits = {{barrier, "  syncThreads(group, Shape::kDimSplits * 32);\n"}},
       .expected = {BarrierMisuse},
       .orders = 20},
  };
}

std::vector<Mutation> sumFaults() {
  return {
      {.name = "share_left_out",
       .breaks = "the last warp's share of the scores is not added",
       .where = kScores,
       .problem = "dim_split",
       .edits = {{"for (i32 warp = 0; warp < Shape::kDimSplits; ++warp)",
                  "for (i32 warp = 0; warp < Shape::kDimSplits - 1; ++warp)"}}},
      {.name = "steps_of_first_warp",
       .breaks = "every warp multiplies the keys' first dims",
       .where = kScores,
       .problem = "dim_split",
       .edits = {{"role.lane / 16 * 16 + first * 32", "role.lane / 16 * 16"}}},
  };
}

} // namespace

std::vector<Mutation> shareFaults() {
  std::vector<Mutation> faults = bufferFaults();
  for (const auto& part : {barrierFaults(), sumFaults()})
    faults.insert(faults.end(), part.begin(), part.end());
  return faults;
}

} // namespace mlac::mutations
