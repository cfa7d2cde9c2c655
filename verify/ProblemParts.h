// The steps that draw a problem, in the order they are taken. Private to verify/.
#pragma once

#include "verify/Problem.h"

#include <cstdint>
#include <vector>

namespace mlac::verify {

/// Random streams, one a step.
enum Stream : std::uint64_t {
  kStreamRequests,
  kStreamPages,
  kStreamKeyEnd,
  kStreamIndices,
  kStreamQuery,
  kStreamKeys,
  kStreamRules = std::uint64_t{1} << 62 ///< behind the streams of all slots
};

/// What lies in the cache, which the launch may or may not be told.
struct Layout {
  std::vector<std::int32_t> starts;  ///< [R + 1] first token of each request
  std::vector<std::int32_t> lengths; ///< [R] keys that have pages
  std::vector<std::int32_t> pages;   ///< [R][maxPages] page numbers; -1 past a request's own
};

/// Bytes of guard at each end of an output buffer; also what device pointers are aligned to.
inline constexpr std::int64_t kGuardBytes = 256;

/// Fills an i32 input.
void setInts(Problem& problem, Input id, const std::vector<std::int32_t>& values);

/// Decides R and what each request owns. Errors: InvalidArgument.
Result<Layout> drawRequests(Problem& problem);

/// Deals the pages and sets slots, strides and the cache's extent. Errors: InvalidArgument.
Status drawPages(Problem& problem, Layout& layout);

/// Passes block table, request tables, lengths and key ends, for logical variants.
void drawTables(Problem& problem, const Layout& layout);

/// Passes index rows and their lengths, for top-k variants.
void drawIndices(Problem& problem, const Layout& layout);

/// Draws parameters and sinks. Errors: InvalidArgument.
Status drawRules(Problem& problem);

/// Draws q.
void drawQuery(Problem& problem);

/// Draws the rows of all slots that some token attends to. Errors: InvalidArgument.
Status drawKeys(Problem& problem);

/// Lays out the output buffers.
void layOutOutputs(Problem& problem);

} // namespace mlac::verify
