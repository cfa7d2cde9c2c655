// RowList: the cache rows of a launch, as a plain gather of them is told.
#pragma once

#include "common/Result.h"
#include "verify/Problem.h"

#include <cstdint>
#include <vector>

namespace mlac {

/// What a gather moves at once.
inline constexpr int kPieceBytes = 16;

struct RowList {
  /// Distance of each row from the cache's start, in pieces. Rows stand in the order in which the
  /// launch's tokens first attend to them, each once.
  std::vector<std::uint32_t> starts;
  std::uint32_t contentXor = 0; ///< of all 32-bit words of these rows
};

/// The rows `problem`'s tokens attend to. Unsupported where records are no whole number of pieces,
/// or the cache has more pieces than 32 bits count.
Result<RowList> rowsOf(const verify::Problem& problem);

/// Floating-point operations of a launch: scores and values, for every head and every key that a
/// token attends to.
double flopsOf(const verify::Problem& problem);

} // namespace mlac
