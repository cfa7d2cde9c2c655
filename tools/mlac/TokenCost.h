// TokenCost: what one token costs, whatever kernel serves it.
#pragma once

#include "common/Variant.h"

#include <cstdint>

namespace mlac {

/// Bytes and FLOPs of one query token.
struct TokenCost {
  std::int64_t keys = 0;        ///< cache rows it attends to
  std::int64_t cacheBytes = 0;  ///< read from the cache
  std::int64_t queryBytes = 0;  ///< read from q
  std::int64_t indexBytes = 0;  ///< read from index rows
  std::int64_t outputBytes = 0; ///< written
  std::int64_t flops = 0;       ///< multiplications and additions the variant asks for
  std::int64_t paddedFlops = 0; ///< with heads rounded up to the tensor cores' eight

  std::int64_t bytes() const { return cacheBytes + queryBytes + indexBytes + outputBytes; }
};

/// Of a token whose request holds `context` keys.
TokenCost tokenCost(const Variant& variant, std::int64_t context);

} // namespace mlac
