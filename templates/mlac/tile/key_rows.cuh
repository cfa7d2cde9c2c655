// The keys one token iterates over, and the cache rows they lie in. The rules (interval, slots) are
// the variant's own.
#pragma once

#include "mlac/base/types.cuh"
#include "mlac/tile/request.cuh"
#include "mlac/tile/warp_role.cuh"

namespace mlac {

/// Positions [begin, end) that a token may see.
struct Interval {
  i32 begin;
  i32 end;
};

/// Where an entry of the iteration leads.
struct KeySlot {
  i32 position; ///< -1 where it is unknown (physical indices)
  i64 slot;
  bool valid;
};

/// One request's row of the block table. A physical iteration has none and never looks anything up.
struct BlockTable {
  const i32* blocks;
  i32 pages;

  /// -1 outside the row.
  __device__ __forceinline__ i32 lookup(i32 page) const {
    return page >= 0 && page < pages ? __ldg(blocks + page) : -1;
  }
};

/// What a lane knows of the row it will copy.
struct KeyRow {
  i64 offset; ///< bytes from the cache's base; negative: no such key
  i32 position;
};

template <class Shape, class Rules, class Args>
struct KeyRows {
  const Args& args;
  const i32* indices;
  BlockTable table;
  Interval seen;
  i32 entries;       ///< entries to iterate over; those past it are never read
  i32 queryPosition; ///< -1 where positions are unknown

  static __device__ __forceinline__ KeyRows of(const Args& args, i32 token) {
    KeyRows rows{args, nullptr, {nullptr, 0}, {0, 0}, 0, -1};
    if constexpr (Shape::kLogical)
      rows.findRequest(token);
    if constexpr (Shape::kTopk > 0) {
      rows.indices = args.indices + token * args.indicesStride;
      rows.entries = Shape::kTopk;
      if (args.topkLength != nullptr)
        rows.entries = larger(0, smaller(Shape::kTopk, args.topkLength[token]));
    } else {
      rows.entries = larger(0, rows.seen.end - rows.seen.begin);
    }
    return rows;
  }

  __device__ __forceinline__ i32 tiles() const { return (entries + kTileKeys - 1) / kTileKeys; }

  /// The row of entry `lane % 16` of a tile.
  __device__ __forceinline__ KeyRow resolve(i32 tile, i32 lane) const {
    const i32 entry = tile * kTileKeys + lane % kTileKeys;
    if (entry >= entries)
      return {-1, -1};
    const KeySlot key = slotOf(entry);
    if (!key.valid)
      return {-1, key.position};
    const i64 page = key.slot / Shape::kPage;
    const i32 inPage = static_cast<i32>(key.slot % Shape::kPage);
    return {page * args.pageStrideBytes + inPage * args.tokenStrideBytes, key.position};
  }

  __device__ __forceinline__ KeySlot slotOf(i32 entry) const {
    if constexpr (Shape::kTopk > 0)
      return Rules::slots(__ldg(indices + entry), seen.begin, seen.end, args.slots, table);
    else
      return Rules::slots(seen.begin + entry, seen.begin, seen.end, args.slots, table);
  }

private:
  __device__ __forceinline__ void findRequest(i32 token) {
    const TokenPlace place = placeOf(args, token);
    if (place.request < 0)
      return;
    table = {args.blockTable + place.request * args.blockTableStride, args.maxPages};
    const i32 length = args.seqLens[place.request];
    const bool hasEnd = args.keyEnd != nullptr;
    queryPosition = length - place.fromEnd;
    seen = Rules::interval(queryPosition, length, hasEnd ? args.keyEnd[token] : 0, hasEnd);
    seen.begin = larger(seen.begin, 0);
  }
};

} // namespace mlac
