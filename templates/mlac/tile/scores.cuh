// S^T = K Q^T for one tile of 16 keys and a warp's heads, and what the variant's rules make of it.
#pragma once

#include "mlac/base/types.cuh"
#include "mlac/ptx/address.cuh"
#include "mlac/ptx/matrix.cuh"
#include "mlac/ptx/named_barrier.cuh"
#include "mlac/tile/fragment.cuh"
#include "mlac/tile/ring.cuh"
#include "mlac/tile/warp_role.cuh"
#include "mlac/tile/work.cuh"

namespace mlac {

/// Fragments of S^T, one for each of the warp's tiles of 8 heads: [0], [1] are key `row`, heads 2
/// pair and 2 pair + 1 of the tile; [2], [3] the same of key `row` + 8.
template <class Shape>
struct Scores {
  float s[Shape::kHeadTiles][4];
};

/// This warp's share of the contraction. Keys come in by ldmatrix straight from the rows; their
/// padded stride keeps its eight row reads on different banks. Each fragment of keys is multiplied
/// with all of the warp's heads. Steps are dealt to kQkChains sums: a product waits for the one
/// before it in its chain, which a warp on its own feels; but each further chain takes registers.
template <class Shape, class Queries>
__device__ __forceinline__ Scores<Shape>
qk(const Queries& queries, const Stage& stage, const WarpRole<Shape>& role) {
  using Share = typename Queries::Share;
  constexpr i32 kChains = Shape::kQkChains;
  const i32 first = Share::first(role);
  const u32 mine =
      stage.address + role.lane % 16 * Shape::kRowStrideBytes + role.lane / 16 * 16 + first * 32;
  Scores<Shape> chains[kChains] = {};
#pragma unroll
  for (i32 k = 0; k < Share::kMine; k += 2) {
    if (!Share::kEven && first + k >= Share::kSteps)
      break;
    u32 b[Shape::kHeadTiles][4];
#pragma unroll
    for (i32 t = 0; t < Shape::kHeadTiles; ++t)
      queries.pair(t, k, b[t]);
#pragma unroll
    for (i32 half = 0; half < 2; ++half) {
      if (k + half < Share::kMine && (Share::kEven || first + k + half < Share::kSteps)) {
        u32 keys[4];
        loadMatrix4(keys, mine + (k + half) * 32);
#pragma unroll
        for (i32 t = 0; t < Shape::kHeadTiles; ++t)
          Shape::Element::mma(
              chains[(k + half) % kChains].s[t], keys, b[t][half * 2], b[t][half * 2 + 1]);
      }
    }
  }
#pragma unroll
  for (i32 chain = 1; chain < kChains; ++chain)
#pragma unroll
    for (i32 t = 0; t < Shape::kHeadTiles; ++t)
#pragma unroll
      for (i32 i = 0; i < 4; ++i)
        chains[0].s[t][i] += chains[chain].s[t][i];
  return chains[0];
}

/// Adds up the shares of the warps that divide a head group's dims, through shared memory, in one
/// order, so that all of them hold the same bits. `step` counts the slice's tiles: two buffers in
/// turn need one barrier a tile, as a warp that writes a buffer again has passed the barrier that
/// the others came to after they had read it.
template <class Shape>
__device__ __forceinline__ Scores<Shape>
sumShares(const Scores<Shape>& share, u32 smem, i32 step, const WarpRole<Shape>& role) {
  constexpr i32 kWarpBytes = Shape::kHeadTiles * kFragmentBytes;
  const i32 group = role.slice * Shape::kHeadGroups + role.headGroup;
  const u32 buffer = smem + Shape::kSharesAt +
                     (group * 2 + step % 2) * (Shape::kDimSplits * kWarpBytes) + role.lane * 16;
#pragma unroll
  for (i32 t = 0; t < Shape::kHeadTiles; ++t)
    putFragment(buffer + role.dimSplit * kWarpBytes + t * kFragmentBytes, share.s[t]);
  syncThreads(1 + group, Shape::kDimSplits * 32);
  Scores<Shape> sum = {};
#pragma unroll
  for (i32 warp = 0; warp < Shape::kDimSplits; ++warp)
#pragma unroll
    for (i32 t = 0; t < Shape::kHeadTiles; ++t)
      addFragment(buffer + warp * kWarpBytes + t * kFragmentBytes, sum.s[t]);
  return sum;
}

template <class Shape>
__device__ __forceinline__ Scores<Shape> scaled(Scores<Shape> scores, float scale) {
#pragma unroll
  for (i32 t = 0; t < Shape::kHeadTiles; ++t)
#pragma unroll
    for (i32 i = 0; i < 4; ++i)
      scores.s[t][i] *= scale;
  return scores;
}

/// Takes entries that are no keys out of the softmax.
template <class Shape>
__device__ __forceinline__ Scores<Shape>
dropInvalid(Scores<Shape> scores, const Stage& stage, const WarpRole<Shape>& role) {
  const u32 low = loadSharedU32(stage.absent + role.row * 4);
  const u32 high = loadSharedU32(stage.absent + (role.row + 8) * 4);
#pragma unroll
  for (i32 t = 0; t < Shape::kHeadTiles; ++t) {
    if (low != 0)
      scores.s[t][0] = scores.s[t][1] = negativeInfinity();
    if (high != 0)
      scores.s[t][2] = scores.s[t][3] = negativeInfinity();
  }
  return scores;
}

/// Whose score it is, of which key.
struct ScorePlace {
  i32 head;
  i32 queryPosition;
  i32 position;
  i32 token;
};

/// Calls rule(score, place) on each element of the fragments. `rows` knows the first token's
/// position.
template <class Shape, class Rows, class Rule>
__device__ __forceinline__ Scores<Shape> transform(Scores<Shape> scores,
                                                   const Stage& stage,
                                                   const WarpRole<Shape>& role,
                                                   const Work<Shape>& work,
                                                   const Rows& rows,
                                                   Rule rule) {
#pragma unroll
  for (i32 half = 0; half < 2; ++half) {
    const i32 position = loadSharedI32(stage.positions + (role.row + half * 8) * 4);
#pragma unroll
    for (i32 t = 0; t < Shape::kHeadTiles; ++t)
#pragma unroll
      for (i32 i = 0; i < 2; ++i) {
        const RowTile<Shape> tile = work.rowTile(role.headTile(t));
        scores.s[t][half * 2 + i] =
            rule(scores.s[t][half * 2 + i],
                 ScorePlace{tile.headTile * kTileHeads + role.pair * 2 + i,
                            rows.queryPosition + tile.token,
                            position,
                            work.token + smaller(tile.token, work.tokens - 1)});
      }
  }
  return scores;
}

} // namespace mlac
