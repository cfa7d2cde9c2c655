// A ring of slots in shared memory that hold one tile of cache rows each, without a producer warp:
// the warps that work on a tile refill its slot, each a share of the rows, so that none of them
// keeps the others waiting.
//
// Tile n lies in slot n % stages. Its full barrier is number n % kFullBarriers, a common multiple
// of stages and key slices: so each barrier serves one slot and one slice, and as a slice takes its
// tiles in order, the barrier's previous tile is behind it when it waits. With one barrier a slot,
// a slice could run two tiles of a slot ahead of another and mistake their parity for its own.
//
// A slot's empty barrier counts the threads that are done with its tile.
#pragma once

#include "mlac/base/types.cuh"
#include "mlac/ptx/address.cuh"
#include "mlac/ptx/bulk_copy.cuh"
#include "mlac/ptx/cp_async.cuh"
#include "mlac/ptx/mbarrier.cuh"
#include "mlac/ptx/warp.cuh"
#include "mlac/tile/key_rows.cuh"

namespace mlac {

/// A tile that has landed.
struct Stage {
  u32 address;   ///< of its first row in the shared window
  u32 absent;    ///< address of a word a row: not 0 where the row is no key and holds zeros
  u32 positions; ///< address of the 16 key positions, where the variant asks for them
  i32 slot;
};

template <class Shape>
struct Ring {
  static constexpr i32 kSliceWarps = Shape::kHeadGroups * Shape::kDimSplits; ///< warps on a tile
  static constexpr i32 kShare = (kTileKeys + kSliceWarps - 1) / kSliceWarps; ///< rows each copies
  static constexpr i32 kWindow = 32 / kShare; ///< tiles whose shares the lanes of a warp hold

  u32 base;       ///< of the CTA's shared memory
  const u8* rows; ///< the cache
  const u8* zeroRow;
  i32 firstRow; ///< of this warp's share of a tile
  i32 lane;

  static __device__ __forceinline__ Ring at(u32 base,
                                            const void* cache,
                                            const void* zeroRow,
                                            const WarpRole<Shape>& role) {
    return {base,
            static_cast<const u8*>(cache),
            static_cast<const u8*>(zeroRow),
            (role.dimSplit * Shape::kHeadGroups + role.headGroup) * kShare,
            role.lane};
  }

  /// Called by all threads; a CTA barrier must follow before the first gather. Where barriers are
  /// addressed by uniform registers (sm_90) one lane makes all of them: lanes that made one each
  /// would be served by a loop.
  __device__ __forceinline__ void init() const {
    if constexpr (Shape::kBulk) {
      if (threadIdx.x < 32 && electLane()) {
#pragma unroll
        for (i32 i = 0; i < Shape::kFullBarriers; ++i)
          initBarrier(fullBarrier(i), kSliceWarps);
#pragma unroll
        for (i32 slot = 0; slot < Shape::kStages; ++slot)
          initBarrier(emptyBarrier(slot), kSliceWarps * 32);
        fenceBarrierInit();
      }
    } else {
      for (i32 i = threadIdx.x; i < Shape::kFullBarriers; i += Shape::kThreads)
        initBarrier(fullBarrier(i), kSliceWarps * (1 + 32));
      for (i32 slot = threadIdx.x; slot < Shape::kStages; slot += Shape::kThreads)
        initBarrier(emptyBarrier(slot), kSliceWarps * 32);
    }
  }

  /// A warp finds out about its rows of kWindow tiles at a time, a row a lane: this is the lane's
  /// row in its tile, which may lie past the tile where 16 rows do not divide among the warps.
  __device__ __forceinline__ i32 row() const { return firstRow + lane % kShare; }

  /// Which tile of a window this lane knows a row of; none is its number past the last.
  __device__ __forceinline__ i32 place() const { return lane / kShare; }

  /// Starts copying this warp's share of a tile into its slot, which must be free. Called by all
  /// warps of a slice; `key` is the lane's row of its window, in which the tile has number `place`.
  __device__ __forceinline__ void gather(i32 tile, const KeyRow& key, i32 placeInWindow) const {
    const i32 slot = tile % Shape::kStages;
    const u32 barrier = fullBarrier(tile % Shape::kFullBarriers);
    if (place() == placeInWindow && row() < kTileKeys) {
      storeSharedU32(absentOf(slot) + row() * 4, key.offset < 0);
      if constexpr (Shape::kNeedsPositions)
        storeSharedI32(positionsOf(slot) + row() * 4, key.position);
    }
    syncWarp();
    const u32 to = base + slot * Shape::kSlotBytes + firstRow * Shape::kRowStrideBytes;
    if constexpr (Shape::kBulk)
      gatherBulk(to, barrier, key, placeInWindow * kShare);
    else
      gather16(to, barrier, key, placeInWindow * kShare);
  }

  /// Waits until a tile has landed.
  __device__ __forceinline__ Stage wait(i32 tile) const {
    const i32 slot = tile % Shape::kStages;
    waitForPhase(fullBarrier(tile % Shape::kFullBarriers), tile / Shape::kFullBarriers & 1);
    return {base + slot * Shape::kSlotBytes, absentOf(slot), positionsOf(slot), slot};
  }

  /// Gives a stage back and waits for the others that work on the tile, so that its slot is free.
  __device__ __forceinline__ void release(const Stage& stage, i32 tile) const {
    if constexpr (kSliceWarps == 1) {
      syncWarp();
    } else {
      arrive(emptyBarrier(stage.slot));
      waitForPhase(emptyBarrier(stage.slot), tile / Shape::kStages & 1);
    }
    if constexpr (Shape::kBulk)
      fenceBeforeBulkCopy();
  }

private:
  __device__ __forceinline__ u32 fullBarrier(i32 number) const {
    return base + Shape::kFullAt + number * 8;
  }

  __device__ __forceinline__ u32 emptyBarrier(i32 slot) const {
    return base + Shape::kEmptyAt + slot * 8;
  }

  __device__ __forceinline__ u32 absentOf(i32 slot) const {
    return base + Shape::kAbsentAt + slot * (kTileKeys * 4);
  }

  __device__ __forceinline__ u32 positionsOf(i32 slot) const {
    return base + Shape::kPositionsAt + slot * (kTileKeys * 4);
  }

  /// Rows of this warp's share; fewer where 16 rows do not divide among the warps.
  __device__ __forceinline__ i32 shareRows() const {
    return kTileKeys % kSliceWarps == 0 ? kShare : larger(0, smaller(kShare, kTileKeys - firstRow));
  }

  static __device__ __forceinline__ void copyRow(u32 to, const u8* from, u32 barrier) {
    if constexpr (Shape::kRowsReused)
      copyBulk(to, from, Shape::kRowBytes, barrier);
    else
      copyBulkOnce(to, from, Shape::kRowBytes, barrier);
  }

  /// One copy a row. An absent key copies a row of zeros, so that its value cannot be NaN. The copy
  /// takes its operands from uniform registers: lanes that copied a row each would be served by a
  /// loop, some fifty clocks a row; so one lane copies all of them.
  __device__ __forceinline__ void
  gatherBulk(u32 to, u32 barrier, const KeyRow& key, i32 firstLane) const {
    constexpr i32 kAtOnce = kShare < 4 ? kShare : 4;
    if (lane == 0)
      arriveExpectingBytes(barrier, shareRows() * Shape::kRowBytes);
    const u8* const mine = key.offset < 0 ? zeroRow : rows + key.offset;
#pragma unroll
    for (i32 first = 0; first < kShare; first += kAtOnce) {
      i64 from[kAtOnce];
#pragma unroll
      for (i32 i = 0; i < kAtOnce; ++i)
        from[i] = shuffleFrom(reinterpret_cast<i64>(mine), firstLane + first + i);
      if (electLane())
#pragma unroll
        for (i32 i = 0; i < kAtOnce; ++i)
          if (first + i < shareRows())
            copyRow(to + (first + i) * Shape::kRowStrideBytes,
                    reinterpret_cast<const u8*>(from[i]),
                    barrier);
    }
  }

  /// All lanes copy 16 bytes at a time, row after row.
  __device__ __forceinline__ void
  gather16(u32 to, u32 barrier, const KeyRow& key, i32 firstLane) const {
    constexpr i32 kChunks = Shape::kRowBytes / 16;
#pragma unroll 1
    for (i32 i = 0; i < shareRows(); ++i) {
      const i64 offset = shuffleFrom(key.offset, firstLane + i);
      const u8* source = offset < 0 ? rows : rows + offset;
      const u32 target = to + i * Shape::kRowStrideBytes;
      for (i32 chunk = lane; chunk < kChunks; chunk += 32)
        copy16(target + chunk * 16, source + chunk * 16, offset >= 0);
    }
    arriveWhenCopied(barrier);
    if (lane == 0)
      arrive(barrier); // releases what this warp stored beside the copies
  }
};

/// The rows of the first `kStages` tiles: each slice starts those that it will work on.
template <class Shape>
struct FirstRows {
  static constexpr i32 kEach = (Shape::kStages + Shape::kKeySlices - 1) / Shape::kKeySlices;
  static constexpr i32 kWindow = Ring<Shape>::kWindow;
  static constexpr i32 kWindows = (kEach + kWindow - 1) / kWindow;

  KeyPeek peeks[kWindows];

  /// Asks for them, as early as can be: everything else waits for these loads.
  template <class Rows>
  static __device__ __forceinline__ FirstRows
  peek(const Ring<Shape>& ring, const Rows& rows, i32 firstTile, i32 slice) {
    FirstRows first;
#pragma unroll
    for (i32 w = 0; w < kWindows; ++w)
      first.peeks[w] = rows.peek(
          firstTile + slice + (w * kWindow + ring.place()) * Shape::kKeySlices, ring.row());
    return first;
  }
};

/// Starts the first tiles. Ends with every slot under way.
template <class Shape, class Rows>
__device__ __forceinline__ void fill(const Ring<Shape>& ring,
                                     const Rows& rows,
                                     FirstRows<Shape>& first,
                                     i32 firstTile,
                                     i32 tiles,
                                     i32 slice) {
  using First = FirstRows<Shape>;
  makeEarly(ring.zeroRow); // it lies in a constant bank of its own, and would be fetched late
  ring.init();
  syncCta();
#pragma unroll
  for (i32 w = 0; w < First::kWindows; ++w)
    rows.look(first.peeks[w]);
#pragma unroll
  for (i32 w = 0; w < First::kWindows; ++w) {
    const KeyRow row = rows.resolve(first.peeks[w]);
#pragma unroll
    for (i32 i = 0; i < First::kWindow && w * First::kWindow + i < First::kEach; ++i) {
      const i32 tile = slice + (w * First::kWindow + i) * Shape::kKeySlices;
      if (tile < Shape::kStages && tile < tiles)
        ring.gather(tile, row, i);
    }
  }
  if (tiles > Shape::kStages)
    rows.prefetch(firstTile, tiles);
}

/// The rows a warp will copy next, a window of tiles at a time: so index loads are few, and under
/// way for as long as a window lasts.
template <class Shape, class Rows>
struct RowWindow {
  static constexpr i32 kWindow = Ring<Shape>::kWindow;

  const Rows& rows;
  KeyRow now;
  KeyPeek next;

  /// `firstRefill` is the first tile that this warp's slice will refill a slot with.
  static __device__ __forceinline__ RowWindow startingAt(const Rows& rows,
                                                         const Ring<Shape>& ring,
                                                         i32 firstRefill) {
    RowWindow window{
        rows, {-1, -1}, rows.peek(firstRefill + ring.place() * Shape::kKeySlices, ring.row())};
    rows.look(window.next);
    return window;
  }

  /// Copies the slice's refill number `refill`, tile `tile` of the CTA.
  __device__ __forceinline__ void
  gather(const Ring<Shape>& ring, i32 refill, i32 firstTile, i32 tile) {
    const i32 place = refill % kWindow;
    if (place == 0) {
      now = rows.resolve(next);
      next = rows.peek(firstTile + tile + (kWindow + ring.place()) * Shape::kKeySlices, ring.row());
    } else if (place == kWindow - 1) {
      rows.look(next);
    }
    ring.gather(tile, now, place);
  }
};

} // namespace mlac
