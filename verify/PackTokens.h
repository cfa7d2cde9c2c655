// PackTokens: new keys into a paged cache, as an engine's cache kernel writes them. For the host
// only.
#pragma once

#include "common/Record.h"
#include "common/Variant.h"
#include "verify/RecordCodec.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace mlac::verify {

/// [tokens][dims], rows `strideElements` apart. A part of concatenated rows is a view with their
/// stride.
struct PackRows {
  ElementType type = ElementType::BF16;
  const std::byte* base = nullptr;
  std::int64_t strideElements = 0;
};

/// New keys, and where they go: token i to slots[i].
struct PackInput {
  PackRows latent;
  PackRows rope; ///< not read where the record has none
  std::span<const std::int64_t> slots;
};

/// A cache in the caller's memory.
struct PackCache {
  std::byte* base = nullptr;
  CachePages pages;
  std::int64_t slots = 0; ///< tokens it has room for
};

/// Writes one token a slot. Slots below 0 or past the cache's are skipped; rows of the input past
/// the last slot are not read. All else in the cache keeps what it holds.
void packTokens(const RecordCodec& codec,
                const PackInput& input,
                const PackOptions& options,
                const PackCache& cache);

} // namespace mlac::verify
