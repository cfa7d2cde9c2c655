// The keys one token iterates over, and the cache rows they lie in. The rules (interval, slots) are
// the variant's own.
#pragma once

#include "mlac/base/types.cuh"
#include "mlac/ptx/prefetch.cuh"
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

  /// -1 outside the row. A plain load, because it waits for the index: one that the compiler may
  /// move would move before others that need not wait.
  __device__ __forceinline__ i32 lookup(i32 page) const {
    return page >= 0 && page < pages ? blocks[page] : -1;
  }
};

/// A block table that knows one entry, loaded before.
struct LoadedBlock {
  i32 block;

  __device__ __forceinline__ i32 lookup(i32 /*page*/) const { return block; }
};

/// A block table that finds out which entry is wanted.
struct WantedPage {
  i32& page;

  __device__ __forceinline__ i32 lookup(i32 wanted) const {
    page = wanted;
    return 0;
  }
};

/// What a lane has asked for about the row it will copy. The loads may be under way: nothing is
/// made of them before `resolve`, as a warp stands still where it first uses what it loads.
struct KeyPeek {
  i32 entry; ///< of the iteration: an index, or a position; an index of -1 past the last
  i32 block; ///< of the block table, where the iteration is logical
};

/// What a lane knows of the row it will copy.
struct KeyRow {
  i64 offset; ///< bytes from the cache's base; negative: no such key
  i32 position;
};

/// What a token may see, and where it stands itself.
struct Sight {
  i32 request;       ///< -1 where the token belongs to none
  i32 length;        ///< of the request
  i32 queryPosition; ///< -1 where it is unknown
  Interval seen;
};

/// What a token at `position` of a request of `length` keys may see.
template <class Rules, class Args>
__device__ __forceinline__ Interval
intervalOf(const Args& args, i32 token, i32 position, i32 length) {
  const bool hasEnd = args.keyEnd != nullptr;
  Interval seen = Rules::interval(position, length, hasEnd ? args.keyEnd[token] : 0, hasEnd);
  seen.begin = larger(seen.begin, 0);
  return seen;
}

template <class Rules, class Args>
__device__ __forceinline__ Sight sightOf(const Args& args, i32 token) {
  const TokenPlace place = placeOf(args, token);
  if (place.request < 0)
    return {-1, 0, -1, {0, 0}};
  const i32 length = args.seqLens[place.request];
  const i32 position = length - place.fromEnd;
  return {place.request, length, position, intervalOf<Rules>(args, token, position, length)};
}

/// Entries of a token's index row that are iterated over.
template <class Shape, class Args>
__device__ __forceinline__ i32 pickedEntries(const Args& args, i32 token) {
  return args.topkLength == nullptr ? Shape::kTopk
                                    : larger(0, smaller(Shape::kTopk, args.topkLength[token]));
}

/// Tiles that a row of entries fills; up to 2^31 - 1 of them.
__device__ __forceinline__ i32 tilesOf(i32 entries) {
  return static_cast<i32>((static_cast<u32>(entries) + kTileKeys - 1) / kTileKeys);
}

template <class Shape, class Rules, class Args>
struct KeyRows {
  const Args& args;
  i32 token; ///< the first of those that share the rows
  const i32* indices;
  BlockTable table;
  Interval seen;     ///< by one token or more, and what lies between
  i32 entries;       ///< entries to iterate over; those past it are never read
  i32 length;        ///< of the request
  i32 queryPosition; ///< the first token's; -1 where positions are unknown

  /// What can be known without a look at the token's request where entries are picked: so their
  /// indices can be asked for first. Logical ones need findRequest before they are looked up.
  /// More tokens than one are of one request, and share its positions.
  static __device__ __forceinline__ KeyRows of(const Args& args, i32 token, i32 tokens = 1) {
    KeyRows rows{args, token, nullptr, {nullptr, 0}, {0, 0}, 0, 0, -1};
    if constexpr (Shape::kTopk > 0) {
      rows.indices = args.indices + token * args.indicesStride;
      rows.entries = pickedEntries<Shape>(args, token);
    } else {
      rows.findRequest();
      for (i32 i = 1; i < tokens; ++i)
        rows.widen(rows.seenBy(i));
      rows.entries = larger(0, rows.seen.end - rows.seen.begin);
    }
    return rows;
  }

  /// Finds the request's row of the block table and the positions that the first token may see.
  __device__ __forceinline__ void findRequest() {
    const Sight sight = sightOf<Rules>(args, token);
    if (sight.request < 0)
      return;
    table = {args.blockTable + sight.request * args.blockTableStride, args.maxPages};
    length = sight.length;
    queryPosition = sight.queryPosition;
    seen = sight.seen;
  }

  /// What token number `i` may see; nothing where there is no request.
  __device__ __forceinline__ Interval seenBy(i32 i) const {
    if (table.blocks == nullptr)
      return {0, 0};
    return intervalOf<Rules>(args, token + i, queryPosition + i, length);
  }

  /// Starts bringing the request's row of the block table into the L2 cache, while the indices that
  /// will be looked up in it are on their way. Called by all threads.
  __device__ __forceinline__ void prefetchTable() const {
#pragma unroll 1
    for (i32 page = threadIdx.x * kLineWords; page < table.pages;
         page += Shape::kThreads * kLineWords)
      prefetchToL2(table.blocks + page);
  }

  __device__ __forceinline__ i32 tiles() const { return tilesOf(entries); }

  /// Starts bringing the indices of some tiles into the L2 cache: a later peek then waits for that
  /// only, not for the memory behind it. Called by all threads.
  __device__ __forceinline__ void prefetch(i32 firstTile, i32 tiles) const {
    if constexpr (Shape::kTopk > 0) {
      const i32* const first = indices + firstTile * kTileKeys;
      for (i32 at = threadIdx.x * kLineWords; at < tiles * kTileKeys;
           at += Shape::kThreads * kLineWords)
        prefetchToL2(first + at);
    }
  }

  /// Asks for the entry of a tile's row: for its index, or for the block its position lies in.
  __device__ __forceinline__ KeyPeek peek(i32 tile, i32 row) const {
    const i32 at = tile * kTileKeys + row;
    if constexpr (Shape::kTopk > 0) {
      KeyPeek key{-1, -1};
      if (at < entries)
        key.entry = __ldg(indices + at);
      return key;
    } else {
      KeyPeek key{at < entries ? seen.begin + at : -1, -1};
      findBlock(key);
      return key;
    }
  }

  /// Asks for the block of an index that has arrived; nothing to do for other iterations.
  __device__ __forceinline__ void look(KeyPeek& key) const {
    if constexpr (Shape::kTopk > 0 && Shape::kLogical)
      findBlock(key);
  }

  /// The row of an entry whose loads have arrived.
  __device__ __forceinline__ KeyRow resolve(const KeyPeek& peek) const {
    const KeySlot key =
        Rules::slots(peek.entry, seen.begin, seen.end, args.slots, LoadedBlock{peek.block});
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
  __device__ __forceinline__ void widen(const Interval& more) {
    if (more.end <= more.begin)
      return;
    seen = seen.end <= seen.begin
               ? more
               : Interval{smaller(seen.begin, more.begin), larger(seen.end, more.end)};
  }

  static constexpr i32 kLineWords = 128 / sizeof(i32); ///< of a line of the L2 cache

  __device__ __forceinline__ void findBlock(KeyPeek& key) const {
    i32 page = -1;
    Rules::slots(key.entry, seen.begin, seen.end, args.slots, WantedPage{page});
    key.block = table.lookup(page);
  }
};

} // namespace mlac
