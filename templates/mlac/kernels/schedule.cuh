// Cuts a batch of rows of different lengths into pieces that keep all CTAs busy to the end. One CTA
// does it, once a step; the list serves every layer.
//
// The rows stand end to end and are divided into `parts` of equal cost; a row that a boundary falls
// into is cut there. A part's pieces need not run on one SM: the GPU starts CTAs in the order of
// their numbers, as soon as there is room, so the longest pieces come first and the shortest fill
// the gaps.
#pragma once

#include "mlac/base/types.cuh"
#include "mlac/ptx/atomic.cuh"
#include "mlac/ptx/warp.cuh"
#include "mlac/tile/key_rows.cuh"
#include "mlac/tile/work_list.cuh"

namespace mlac {

/// Tiles that a token's row has. Called by whole warps.
template <class Shape, class Rules, class Args>
__device__ __forceinline__ i32 rowTilesOf(const Args& args, i32 token) {
  if constexpr (Shape::kTopk > 0)
    return tilesOf(pickedEntries<Shape>(args, token));
  else {
    const Interval seen = sightOf<Rules>(args, token).seen;
    return tilesOf(larger(0, seen.end - seen.begin));
  }
}

/// Sums over the CTA's threads, in the order of their numbers.
template <i32 Threads>
struct RunningSum {
  static constexpr i32 kWarps = Threads / 32;

  i64* warpSums; ///< in shared memory, one a warp

  /// The sum of the values of the threads before this one; `all` becomes that of all. Called by all
  /// threads.
  __device__ __forceinline__ i64 before(i64 value, i64& all) const {
    const i32 lane = threadIdx.x % 32;
    const i32 warp = threadIdx.x / 32;
    i64 sum = value;
#pragma unroll
    for (i32 distance = 1; distance < 32; distance *= 2) {
      const i64 lower = shuffleFrom(sum, larger(0, lane - distance));
      sum += lane >= distance ? lower : 0;
    }
    if (lane == 31)
      warpSums[warp] = sum;
    syncCta();
    i64 earlier = 0;
    all = 0;
    for (i32 i = 0; i < kWarps; ++i) {
      earlier += i < warp ? warpSums[i] : 0;
      all += warpSums[i];
    }
    syncCta(); // before the sums are used again
    return earlier + sum - value;
  }
};

/// Where the boundaries between parts fall.
struct Parts {
  i64 each;       ///< cost of a part, in tiles
  i32 pieceTiles; ///< what a piece costs beside its tiles; also the least that is worth a piece

  /// Where there are few tiles for the parts, SMs would idle, and pieces cost next to nothing.
  static __device__ __forceinline__ Parts of(i64 tiles, i32 tokens, i32 parts, i32 pieceTiles) {
    const i64 half = tiles / parts / 2;
    const i32 piece = half < 1 ? 1 : half < pieceTiles ? static_cast<i32>(half) : pieceTiles;
    const i64 even = (tiles + static_cast<i64>(tokens) * piece + parts - 1) / parts;
    const i64 least = 2 * static_cast<i64>(piece);
    return {even < least ? least : even, piece};
  }

  __device__ __forceinline__ i64 costOf(i32 tiles) const {
    return static_cast<i64>(tiles) + pieceTiles;
  }

  /// The cut of a row before which rows of cost `before` stand; its slots are not known yet.
  /// Boundaries that leave next to nothing on one side are not cut at.
  __device__ __forceinline__ TokenCut cut(i64 before, i32 tiles) const {
    const i64 end = before + costOf(tiles);
    i64 part = before / each;
    i64 splits = (end - 1) / each - part + 1;
    if (splits > 1 && end - (part + splits - 1) * each < pieceTiles)
      --splits;
    if (splits > 1 && (part + 1) * each - before < 2 * pieceTiles) {
      ++part;
      --splits;
    }
    const i64 firstCut = (part + 1) * each - before - pieceTiles;
    return {0, static_cast<i32>(splits), tiles, splits > 1 ? static_cast<i32>(firstCut) : tiles};
  }

  /// The tile at which piece `split` of a row begins; 0 or the row's end where a cut lies outside.
  __device__ __forceinline__ i32 beginOf(const TokenCut& cut, i32 split) const {
    if (split == 0)
      return 0;
    if (split == cut.splits)
      return cut.tiles;
    const i64 at = cut.firstCut + (split - 1) * each;
    return at < cut.tiles ? static_cast<i32>(at) : cut.tiles;
  }

  __device__ __forceinline__ i32 tilesOf(const TokenCut& cut, i32 split) const {
    return beginOf(cut, split + 1) - beginOf(cut, split);
  }
};

/// Pieces by length, in 32 classes, the longest in class 0.
struct LengthClasses {
  static constexpr i32 kCount = 32;

  u32* counts; ///< in shared memory: pieces of a class, later the number of its next piece

  static __device__ __forceinline__ i32 of(i32 tiles, const Parts& parts) {
    const float share = static_cast<float>(tiles) / static_cast<float>(parts.each);
    return kCount - 1 - smaller(kCount - 1, static_cast<i32>(share * kCount));
  }

  /// Counts become the numbers of the first pieces. Called by one warp.
  __device__ __forceinline__ void number() const {
    const i32 lane = threadIdx.x % 32;
    const u32 mine = counts[lane];
    u32 sum = mine;
#pragma unroll
    for (i32 distance = 1; distance < 32; distance *= 2) {
      const u32 lower = shuffleUp(sum, distance);
      sum += lane >= distance ? lower : 0;
    }
    counts[lane] = sum - mine;
  }
};

/// The steps, each done by all threads of the CTA.
template <class Shape, class Rules, class Args>
struct Scheduler {
  const Args& args;
  WorkList list;
  RunningSum<Shape::kThreads> sums;
  LengthClasses classes;

  /// Leaves every row's tiles in its cut.
  __device__ __forceinline__ void measure() const {
    const i32 lane = threadIdx.x % 32;
    for (i32 token = threadIdx.x / 32; token < args.tokens; token += Shape::kThreads / 32) {
      const i32 tiles = rowTilesOf<Shape, Rules>(args, token);
      if (lane == 0)
        list.setCut(token, {0, 1, tiles, tiles});
    }
  }

  __device__ __forceinline__ Parts divide() const {
    i64 tiles = 0;
    for (i32 token = threadIdx.x; token < args.tokens; token += Shape::kThreads)
      tiles += list.cut(token).tiles;
    i64 total = 0;
    sums.before(tiles, total);
    return Parts::of(total, args.tokens, args.parts, args.pieceTiles);
  }

  /// Decides all cuts, and counts pieces by length.
  __device__ __forceinline__ void cutRows(const Parts& parts) const {
    i64 cost = 0; // of the rows before this round's
    i64 slots = 0;
    i64 pieces = 0;
    for (i32 first = 0; first < args.tokens; first += Shape::kThreads) {
      const i32 token = first + static_cast<i32>(threadIdx.x);
      const bool present = token < args.tokens;
      const i32 tiles = present ? list.cut(token).tiles : 0;
      i64 all = 0;
      const i64 before = cost + sums.before(present ? parts.costOf(tiles) : 0, all);
      cost += all;
      TokenCut cut = parts.cut(before, tiles);
      const i32 splits = present ? cut.splits : 0;
      cut.firstSlot = static_cast<i32>(slots + sums.before(splits > 1 ? splits : 0, all));
      slots += all;
      sums.before(splits, all);
      pieces += all;
      if (present)
        list.setCut(token, cut);
      for (i32 split = 0; split < splits; ++split)
        addShared(&classes.counts[LengthClasses::of(parts.tilesOf(cut, split), parts)], 1);
    }
    if (threadIdx.x == 0)
      list.setCount(static_cast<i32>(pieces));
  }

  __device__ __forceinline__ void placePieces(const Parts& parts) const {
    for (i32 token = threadIdx.x; token < args.tokens; token += Shape::kThreads) {
      const TokenCut cut = list.cut(token);
      for (i32 split = 0; split < cut.splits; ++split) {
        const i32 tiles = parts.tilesOf(cut, split);
        const u32 number = addShared(&classes.counts[LengthClasses::of(tiles, parts)], 1);
        list.setPiece(static_cast<i32>(number),
                      {token, parts.beginOf(cut, split), tiles, split, cut.splits, cut.firstSlot});
      }
    }
  }
};

/// Writes args.schedule. What is cut where depends on the lengths only; of pieces of one length
/// class, any may come first. `smem` holds 8 bytes for each warp, and 4 for each length class.
template <class Shape, class Rules, class Args>
__device__ __forceinline__ void schedule(const Args& args, u8* smem) {
  i64* const warpSums = reinterpret_cast<i64*>(smem);
  const Scheduler<Shape, Rules, Args> scheduler{
      args,
      WorkList::at(args.schedule, args.tokens),
      {warpSums},
      {reinterpret_cast<u32*>(warpSums + Shape::kThreads / 32)}};
  if (threadIdx.x < LengthClasses::kCount)
    scheduler.classes.counts[threadIdx.x] = 0;
  scheduler.measure();
  syncCta();
  const Parts parts = scheduler.divide();
  scheduler.cutRows(parts);
  syncCta();
  if (threadIdx.x < 32)
    scheduler.classes.number();
  syncCta();
  scheduler.placePieces(parts);
}

} // namespace mlac
