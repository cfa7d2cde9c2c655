// MaskBounds: the part of a mask that is an interval of key positions.
#pragma once

#include "common/Expression.h"

#include <cstdint>
#include <optional>

namespace mlac {

/// What the terms of a mask's top-level `&&` say about k alone. Bounds relative to the query are
/// distances from q; all lie within +-2^31.
struct MaskBounds {
  std::optional<std::int64_t> begin;      ///< k >= begin
  std::optional<std::int64_t> end;        ///< k < end
  std::optional<std::int64_t> queryBegin; ///< k >= q + queryBegin
  std::optional<std::int64_t> queryEnd;   ///< k < q + queryEnd
  Rule rest; ///< the other terms, joined by `&&`; empty where there are none

  /// True where no key satisfies the bounds, wherever the query stands.
  bool isEmpty() const;
};

/// Takes a settled mask apart.
MaskBounds boundsOfMask(const Rule& settled);

} // namespace mlac
