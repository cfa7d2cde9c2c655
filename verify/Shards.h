// Shards: one part of a problem's keys, as a rank that holds only those attends to them.
#pragma once

#include "verify/Problem.h"

#include <cstddef>
#include <vector>

namespace mlac::verify {

/// The input by which keys are told apart: index rows, or, where all positions are walked, the
/// block table.
Input shardedInput(const Variant& variant);

/// That input for one of `shards`: every shards-th index of a row, or page of a request, from
/// `shard` on, and -1 in the place of all others. Together the shards see every key once.
std::vector<std::byte> shardOf(const Problem& problem, int shard, int shards);

} // namespace mlac::verify
