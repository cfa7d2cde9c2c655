// ScratchLayout: where a CPU kernel keeps its intermediate values; one such block for each thread.
#pragma once

#include <cstdint>

namespace mlac {

/// Byte offsets into a thread's scratch. All but `rows` and `scores` have fixed sizes; those two
/// grow with `capacity`, the most entries one token can have. `scores` is entry-major so that the
/// loops over heads, which run inside the loops over entries, walk it in order.
struct ScratchLayout {
  std::int64_t queries = 0;   ///< f32 [heads][qkDims]
  std::int64_t record = 0;    ///< f32 [qkDims]: the record at hand
  std::int64_t sums = 0;      ///< f32 [heads][valueDims]: sum of P * V
  std::int64_t maxima = 0;    ///< f32 [heads]
  std::int64_t totals = 0;    ///< f32 [heads]: sum of P
  std::int64_t rows = 0;      ///< i64 [capacity]: slots of valid records
  std::int64_t headBytes = 0; ///< f32 scores of one entry

  ScratchLayout(std::int64_t heads, std::int64_t qkDims, std::int64_t valueDims) {
    constexpr std::int64_t kFloatBytes = 4;
    headBytes = kFloatBytes * heads;
    record = queries + headBytes * qkDims;
    sums = record + kFloatBytes * qkDims;
    maxima = sums + headBytes * valueDims;
    totals = maxima + headBytes;
    rows = (totals + headBytes + 7) / 8 * 8;
  }

  /// Where f32 [capacity][heads] begin.
  std::int64_t scores(std::int64_t capacity) const { return rows + 8 * capacity; }

  std::int64_t totalBytes(std::int64_t capacity) const {
    return scores(capacity) + headBytes * capacity;
  }
};

} // namespace mlac
