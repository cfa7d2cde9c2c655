// ExpectedCounts: what an attention kernel must count, in closed form, from its variant and its
// schedule alone.
#pragma once

#include "common/Variant.h"
#include "compiler/schedule/Schedule.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace mlac {

/// What one token gives a kernel to walk.
struct TokenKeys {
  std::int64_t entries = 0; ///< positions or index columns it iterates over
  std::int64_t keys = 0;    ///< those of them that are keys
};

/// One prediction, by the counter's name in simt/count/Counters.h.
struct ExpectedCount {
  std::string_view counter;
  std::int64_t value = 0;
};

/// Counters of one launch of an attention kernel without splits, where cache rows and outputs
/// start at multiples of 32 bytes and are contiguous. `headCtas` is the number of CTAs
/// that share a token's heads. Counters that depend on more than this (scores that change the
/// running maximum, tables of the request, stats of a token that begin inside a sector) are left
/// out.
std::vector<ExpectedCount> expectedCounts(const Variant& variant,
                                          const Schedule& schedule,
                                          int headCtas,
                                          std::span<const TokenKeys> tokens);

} // namespace mlac
