// Which of the keys that a group of tokens shares each of them may see.
#pragma once

#include "mlac/base/types.cuh"
#include "mlac/ptx/warp.cuh"
#include "mlac/tile/accumulator.cuh"
#include "mlac/tile/key_rows.cuh"
#include "mlac/tile/scores.cuh"
#include "mlac/tile/warp_role.cuh"
#include "mlac/tile/work.cuh"

namespace mlac {

/// For each of the warp's tiles of 8 rows, the entries of the iteration that its token sees.
template <class Shape>
struct TokenSights {
  Interval seen[Shape::kHeadTiles];

  template <class Rows>
  static __device__ __forceinline__ TokenSights of(const Rows& rows,
                                                   const Work<Shape>& work,
                                                   const WarpRole<Shape>& role) {
    constexpr i32 kAll = 0x7fffffff; // what a tile without a token makes of keys goes nowhere
    TokenSights sights;
#pragma unroll
    for (i32 t = 0; t < Shape::kHeadTiles; ++t) {
      const RowTile<Shape> tile = work.rowTile(role.headTile(t));
      sights.seen[t] = {0, kAll};
      if (work.has(tile)) {
        const Interval own = rows.seenBy(tile.token);
        sights.seen[t] = {own.begin - rows.seen.begin,
                          larger(own.end, rows.seen.begin) - rows.seen.begin};
      }
    }
    return sights;
  }

  /// Whether all of the warp's rows see all of a tile's keys, as in all tiles but the last few. All
  /// lanes know; the vote tells the compiler so.
  __device__ __forceinline__ bool seeAll(i32 tile) const {
    const i32 first = tile * kTileKeys;
    bool all = true;
#pragma unroll
    for (i32 t = 0; t < Shape::kHeadTiles; ++t)
      all = all && first >= seen[t].begin && seen[t].end - first >= kTileKeys;
    return allLanes(all);
  }
};

/// Takes keys that a row's token may not see out of its softmax. `tile` counts from the row's
/// first.
template <class Shape>
__device__ __forceinline__ Scores<Shape> dropUnseen(Scores<Shape> scores,
                                                    const TokenSights<Shape>& sights,
                                                    i32 tile,
                                                    const WarpRole<Shape>& role) {
#pragma unroll
  for (i32 half = 0; half < 2; ++half) {
    const i32 entry = tile * kTileKeys + role.row + half * 8;
#pragma unroll
    for (i32 t = 0; t < Shape::kHeadTiles; ++t)
      if (entry < sights.seen[t].begin || entry >= sights.seen[t].end)
        scores.s[t][half * 2] = scores.s[t][half * 2 + 1] = negativeInfinity();
  }
  return scores;
}

/// O^T += V^T P^T of a tile that all of the warp's tokens see, or else of what is finite in it.
template <class Shape>
__device__ __forceinline__ void pvSeen(const Probs<Shape>& probs,
                                       const Stage& stage,
                                       bool allSee,
                                       Accumulator<Shape>& acc,
                                       const WarpRole<Shape>& role) {
  if (__builtin_expect(allSee, true))
    pv(probs, stage, acc, role);
  else
    pv<Shape, true>(probs, stage, acc, role);
}

} // namespace mlac
