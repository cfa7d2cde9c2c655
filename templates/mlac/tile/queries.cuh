// The query vectors of a warp's heads as right-hand fragments of S^T = K Q^T, in registers or in
// shared memory.
#pragma once

#include "mlac/base/types.cuh"
#include "mlac/ptx/address.cuh"
#include "mlac/ptx/warp.cuh"
#include "mlac/tile/warp_role.cuh"
#include "mlac/tile/work.cuh"

namespace mlac {

/// Steps of 16 dims that each of the warps that share a head group's dims contracts: QK is divided
/// like the value dims. `Unit` steps stay together.
template <class Shape, i32 Unit>
struct StepShare {
  static constexpr i32 kSteps = (Shape::kLatent + Shape::kRope) / 16;
  static constexpr i32 kUnits = (kSteps + Unit - 1) / Unit;
  static constexpr i32 kMine = (kUnits + Shape::kDimSplits - 1) / Shape::kDimSplits * Unit;
  static constexpr bool kEven = kMine * Shape::kDimSplits == kSteps;

  static __device__ __forceinline__ i32 first(const WarpRole<Shape>& role) {
    return role.dimSplit * kMine;
  }
};

/// A warp's share of the queries of one tile of 8 heads of a token, from step `first` on. Lane
/// (row, pair) holds dims 16 k + 2 pair, +1 and +8, +9 of head `row`. Tokens and heads past the
/// last, and steps past the last, are zero.
template <class Shape, class Args>
struct QuerySource {
  static constexpr i32 kLatentSteps = Shape::kLatent / 16;
  static constexpr i32 kSteps = (Shape::kLatent + Shape::kRope) / 16;

  const u16* latent; ///< where step `first` lies if it is latent
  const u16* rope;   ///< where it lies if it is rope
  i32 first;
  bool present;

  static __device__ __forceinline__ QuerySource of(const Args& args,
                                                   const Work<Shape>& work,
                                                   i32 tileInCta,
                                                   i32 first,
                                                   const WarpRole<Shape>& role) {
    const RowTile<Shape> tile = work.rowTile(tileInCta);
    const i32 token = work.token + tile.token;
    const i32 head = tile.headTile * kTileHeads + role.row;
    QuerySource source{nullptr, nullptr, first, head < Shape::kHeads};
    if constexpr (Shape::kQueryGroup > 1)
      source.present = source.present && work.has(tile);
    source.latent = static_cast<const u16*>(args.qLatent) + token * args.qLatentTokenStride +
                    head * args.qLatentHeadStride + (role.pair * 2 + first * 16);
    if constexpr (Shape::kRope > 0)
      source.rope = static_cast<const u16*>(args.qRope) + token * args.qRopeTokenStride +
                    head * args.qRopeHeadStride + (role.pair * 2 + (first - kLatentSteps) * 16);
    return source;
  }

  /// Half `half` of the fragment of the share's step `k`, a constant: so each load is a choice
  /// between two addresses and an offset in the instruction.
  __device__ __forceinline__ u32 load(i32 k, i32 half) const {
    if (!present || first + k >= kSteps)
      return 0;
    const u16* from = latent;
    if constexpr (Shape::kRope > 0)
      if (first + k >= kLatentSteps)
        from = rope;
    return __ldg(reinterpret_cast<const u32*>(from + k * 16 + half * 8));
  }
};

/// Fragments that stay in registers.
template <class Shape>
struct RegisterQueries {
  using Share = StepShare<Shape, 1>;

  u32 fragment[Shape::kHeadTiles][Share::kMine][2];

  template <class Args>
  __device__ __forceinline__ void
  load(const Args& args, const Work<Shape>& work, const WarpRole<Shape>& role) {
#pragma unroll
    for (i32 t = 0; t < Shape::kHeadTiles; ++t) {
      const auto source =
          QuerySource<Shape, Args>::of(args, work, role.headTile(t), Share::first(role), role);
#pragma unroll
      for (i32 k = 0; k < Share::kMine; ++k) {
        fragment[t][k][0] = source.load(k, 0);
        fragment[t][k][1] = source.load(k, 1);
      }
    }
  }

  /// Fragments of the warp's steps k and k + 1 for its tile of heads `t`; k is even.
  __device__ __forceinline__ void pair(i32 t, i32 k, u32 (&b)[4]) const {
    b[0] = fragment[t][k][0];
    b[1] = fragment[t][k][1];
    if (k + 1 < Share::kMine) {
      b[2] = fragment[t][k + 1][0];
      b[3] = fragment[t][k + 1][1];
    }
  }
};

/// Fragments in shared memory, two steps a 16-byte word, one word a lane: for accumulators that
/// leave no registers.
template <class Shape>
struct SharedQueries {
  using Share = StepShare<Shape, 2>;
  static constexpr i32 kPairs = Share::kUnits;
  static constexpr i32 kPairBytes = 32 * 16;

  u32 words; ///< of the warp's first step

  /// Written once for each head group; ends with a CTA barrier.
  template <class Args>
  __device__ __forceinline__ void
  load(const Args& args, const Work<Shape>& work, const WarpRole<Shape>& role, u32 smem) {
    const i32 first = Share::first(role);
    words = smem + Shape::kQueriesAt + (role.headTile(0) * kPairs + first / 2) * kPairBytes +
            role.lane * 16;
    if (role.slice == 0) {
#pragma unroll 1
      for (i32 t = 0; t < Shape::kHeadTiles; ++t) {
        const auto source = QuerySource<Shape, Args>::of(args, work, role.headTile(t), first, role);
#pragma unroll 4
        for (i32 k = 0; k < Share::kMine; k += 2)
          if (Share::kEven || first + k < Share::kSteps)
            storeSharedWord4(words + (t * kPairs + k / 2) * kPairBytes,
                             {source.load(k, 0),
                              source.load(k, 1),
                              source.load(k + 1, 0),
                              source.load(k + 1, 1)});
      }
    }
    syncCta();
  }

  __device__ __forceinline__ void pair(i32 t, i32 k, u32 (&b)[4]) const {
    const Word4 w = loadSharedWord4(words + (t * kPairs + k / 2) * kPairBytes);
    b[0] = w.x;
    b[1] = w.y;
    b[2] = w.z;
    b[3] = w.w;
  }
};

} // namespace mlac
