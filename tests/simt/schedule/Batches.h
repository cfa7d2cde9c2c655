// Batches: rows of different lengths, in all the ways that matter to how they are cut.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mlac::cuts {

/// One-token requests, and their lengths in keys.
struct Batch {
  std::string name;
  std::vector<std::int32_t> lengths;
};

/// Every kind of batch, of rows of at most `longest` keys.
std::vector<Batch> allBatches(std::int32_t longest);

/// Tiles of a row of that many keys.
std::int32_t tilesOf(std::int32_t keys);

} // namespace mlac::cuts
