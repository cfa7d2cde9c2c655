// A ring of slots in shared memory that hold one tile of cache rows each, without a producer warp:
// the warps that work on a tile take turns to refill its slot.
//
// Tile n lies in slot n % stages. Its full barrier is number n % kFullBarriers, a common multiple
// of stages and key slices: so each barrier serves one slot and one slice, and as a slice takes its
// tiles in order, the barrier's previous tile is behind it when it waits. With one barrier a slot,
// a slice could run two tiles of a slot ahead of another and mistake their parity for its own.
//
// A slot's empty barrier counts the threads that are done with its tile, and tells the refilling
// warp.
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
  u32 invalid;   ///< bit r: row r is no key; the row holds zeros
  u32 positions; ///< address of the 16 key positions, where the variant asks for them
  i32 slot;
};

template <class Shape>
struct Ring {
  u32 base;       ///< of the CTA's shared memory
  const u8* rows; ///< the cache
  const u8* zeroRow;

  static __device__ __forceinline__ Ring at(u32 base, const void* cache, const void* zeroRow) {
    return {base, static_cast<const u8*>(cache), static_cast<const u8*>(zeroRow)};
  }

  /// Called by all threads; a CTA barrier must follow before the first gather.
  __device__ __forceinline__ void init() const {
    for (i32 i = threadIdx.x; i < Shape::kFullBarriers; i += Shape::kThreads)
      initBarrier(fullBarrier(i), Shape::kBulk ? 1 : 1 + 32);
    for (i32 slot = threadIdx.x; slot < Shape::kStages; slot += Shape::kThreads)
      initBarrier(emptyBarrier(slot), kConsumers * 32);
    if constexpr (Shape::kBulk)
      fenceBarrierInit();
  }

  /// Starts copying a tile's 16 rows into its slot, which must be free. Called by one whole warp.
  __device__ __forceinline__ void gather(i32 tile, const KeyRow& row, i32 lane) const {
    const i32 slot = tile % Shape::kStages;
    const u32 barrier = fullBarrier(tile % Shape::kFullBarriers);
    const u32 invalid = ballot(row.offset < 0) & 0xffffu;
    if constexpr (Shape::kNeedsPositions) {
      if (lane < kTileKeys)
        storeSharedI32(positionsOf(slot) + lane * 4, row.position);
      syncWarp();
    }
    if (lane == 0)
      storeSharedU32(invalidOf(slot), invalid);
    if constexpr (Shape::kBulk)
      gatherBulk(slot, barrier, row, lane);
    else
      gather16(slot, barrier, row, lane);
  }

  /// Waits until a tile has landed.
  __device__ __forceinline__ Stage wait(i32 tile) const {
    const i32 slot = tile % Shape::kStages;
    waitForPhase(fullBarrier(tile % Shape::kFullBarriers), tile / Shape::kFullBarriers & 1);
    return {
        base + slot * Shape::kSlotBytes, loadSharedU32(invalidOf(slot)), positionsOf(slot), slot};
  }

  /// Whether it is this warp's turn to refill the slot of a tile that its slice works on.
  __device__ __forceinline__ bool refills(i32 tile, const WarpRole<Shape>& role) const {
    const i32 turn = tile / Shape::kKeySlices % kConsumers;
    return turn == role.dimSplit * Shape::kHeadGroups + role.headGroup;
  }

  /// Gives a stage back. The warp that refills its slot waits here for the others that work on the
  /// tile.
  __device__ __forceinline__ void release(const Stage& stage, i32 tile, bool refills) const {
    if constexpr (kConsumers == 1) {
      syncWarp();
    } else {
      arrive(emptyBarrier(stage.slot));
      if (refills)
        waitForPhase(emptyBarrier(stage.slot), tile / Shape::kStages & 1);
    }
    if constexpr (Shape::kBulk)
      if (refills)
        fenceBeforeBulkCopy();
  }

private:
  static constexpr i32 kConsumers = Shape::kHeadGroups * Shape::kDimSplits; ///< warps on a tile

  __device__ __forceinline__ u32 fullBarrier(i32 number) const {
    return base + Shape::kFullAt + number * 8;
  }

  __device__ __forceinline__ u32 emptyBarrier(i32 slot) const {
    return base + Shape::kEmptyAt + slot * 8;
  }

  __device__ __forceinline__ u32 invalidOf(i32 slot) const {
    return base + Shape::kInvalidAt + slot * 4;
  }

  __device__ __forceinline__ u32 positionsOf(i32 slot) const {
    return base + Shape::kPositionsAt + slot * (kTileKeys * 4);
  }

  /// One copy a row by lanes 0..15. An absent key copies a row of zeros, so that its value cannot
  /// be NaN.
  __device__ __forceinline__ void
  gatherBulk(i32 slot, u32 barrier, const KeyRow& row, i32 lane) const {
    if (lane == 0)
      arriveExpectingBytes(barrier, kTileKeys * Shape::kRowBytes);
    syncWarp();
    if (lane < kTileKeys)
      copyBulk(base + slot * Shape::kSlotBytes + lane * Shape::kRowStrideBytes,
               row.offset < 0 ? zeroRow : rows + row.offset,
               Shape::kRowBytes,
               barrier);
  }

  /// All lanes copy 16 bytes at a time, row after row.
  __device__ __forceinline__ void
  gather16(i32 slot, u32 barrier, const KeyRow& row, i32 lane) const {
    constexpr i32 kChunks = Shape::kRowBytes / 16;
#pragma unroll 1
    for (i32 key = 0; key < kTileKeys; ++key) {
      const i64 offset = shuffleFrom(row.offset, key);
      const u8* source = offset < 0 ? rows : rows + offset;
      const u32 target = base + slot * Shape::kSlotBytes + key * Shape::kRowStrideBytes;
      for (i32 chunk = lane; chunk < kChunks; chunk += 32)
        copy16(target + chunk * 16, source + chunk * 16, offset >= 0);
    }
    arriveWhenCopied(barrier);
    if (lane == 0)
      arrive(barrier); // releases what this lane stored beside the copies
  }
};

/// Starts the first `kStages` tiles, dealt among the warps. Ends with every slot under way.
template <class Shape, class Rows>
__device__ __forceinline__ void
fill(const Ring<Shape>& ring, const Rows& rows, i32 firstTile, i32 tiles, i32 lane) {
  constexpr i32 kWarps = Shape::kThreads / 32;
  constexpr i32 kEach = (Shape::kStages + kWarps - 1) / kWarps;
  const i32 warp = threadIdx.x / 32;
  KeyRow mine[kEach];
#pragma unroll
  for (i32 i = 0; i < kEach; ++i) {
    const i32 tile = warp + i * kWarps;
    mine[i] = {-1, -1};
    if (tile < Shape::kStages && tile < tiles)
      mine[i] = rows.resolve(firstTile + tile, lane);
  }
  ring.init();
  syncCta();
#pragma unroll
  for (i32 i = 0; i < kEach; ++i) {
    const i32 tile = warp + i * kWarps;
    if (tile < Shape::kStages && tile < tiles)
      ring.gather(tile, mine[i], lane);
  }
}

} // namespace mlac
