// The query vectors of 8 heads as right-hand fragments of S^T = K Q^T, in registers or in shared
// memory.
#pragma once

#include "mlac/base/types.cuh"
#include "mlac/ptx/address.cuh"
#include "mlac/ptx/warp.cuh"
#include "mlac/tile/warp_role.cuh"
#include "mlac/tile/work.cuh"

namespace mlac {

/// Lane (row, pair) holds dims 16 k + 2 pair, +1 and +8, +9 of head `row`. Heads past the last are
/// zero.
template <class Shape, class Args>
struct QuerySource {
  static constexpr i32 kLatentSteps = Shape::kLatent / 16;

  const u16* latent;
  const u16* rope;
  bool present;

  static __device__ __forceinline__ QuerySource of(const Args& args,
                                                   const Work<Shape>& work,
                                                   const WarpRole<Shape>& role) {
    const i32 head = work.firstHead + role.headGroup * kHeadsPerGroup + role.row;
    QuerySource source{nullptr, nullptr, head < Shape::kHeads};
    const i64 token = work.token;
    source.latent = static_cast<const u16*>(args.qLatent) + token * args.qLatentTokenStride +
                    head * args.qLatentHeadStride + role.pair * 2;
    if constexpr (Shape::kRope > 0)
      source.rope = static_cast<const u16*>(args.qRope) + token * args.qRopeTokenStride +
                    head * args.qRopeHeadStride + role.pair * 2;
    return source;
  }

  /// Half `half` of the fragment of step `k`.
  __device__ __forceinline__ u32 load(i32 k, i32 half) const {
    if (!present)
      return 0;
    const u16* from = latent + k * 16;
    if constexpr (Shape::kRope > 0)
      if (k >= kLatentSteps)
        from = rope + (k - kLatentSteps) * 16;
    return __ldg(reinterpret_cast<const u32*>(from + half * 8));
  }
};

/// Fragments that stay in registers.
template <class Shape>
struct RegisterQueries {
  static constexpr i32 kSteps = (Shape::kLatent + Shape::kRope) / 16;

  u32 fragment[kSteps][2];

  template <class Args>
  __device__ __forceinline__ void
  load(const Args& args, const Work<Shape>& work, const WarpRole<Shape>& role) {
    const auto source = QuerySource<Shape, Args>::of(args, work, role);
#pragma unroll
    for (i32 k = 0; k < kSteps; ++k) {
      fragment[k][0] = source.load(k, 0);
      fragment[k][1] = source.load(k, 1);
    }
  }

  __device__ __forceinline__ void pair(i32 k, u32 (&b)[4]) const {
    b[0] = fragment[k][0];
    b[1] = fragment[k][1];
    if (k + 1 < kSteps) {
      b[2] = fragment[k + 1][0];
      b[3] = fragment[k + 1][1];
    }
  }
};

/// Fragments in shared memory, two steps a 16-byte word, one word a lane: for accumulators that
/// leave no registers.
template <class Shape>
struct SharedQueries {
  static constexpr i32 kSteps = (Shape::kLatent + Shape::kRope) / 16;
  static constexpr i32 kPairs = (kSteps + 1) / 2;

  u32 words;

  /// Written once for each head group; ends with a CTA barrier.
  template <class Args>
  __device__ __forceinline__ void
  load(const Args& args, const Work<Shape>& work, const WarpRole<Shape>& role, u32 smem) {
    words = smem + Shape::kQueriesAt + (role.headGroup * kPairs * 32 + role.lane) * 16;
    if (role.dimSplit == 0 && role.slice == 0) {
      const auto source = QuerySource<Shape, Args>::of(args, work, role);
#pragma unroll 4
      for (i32 p = 0; p < kPairs; ++p) {
        const bool whole = 2 * p + 1 < kSteps;
        storeSharedWord4(words + p * (32 * 16),
                         {source.load(2 * p, 0),
                          source.load(2 * p, 1),
                          whole ? source.load(2 * p + 1, 0) : 0,
                          whole ? source.load(2 * p + 1, 1) : 0});
      }
    }
    syncCta();
  }

  __device__ __forceinline__ void pair(i32 k, u32 (&b)[4]) const {
    const Word4 w = loadSharedWord4(words + k / 2 * (32 * 16));
    b[0] = w.x;
    b[1] = w.y;
    b[2] = w.z;
    b[3] = w.w;
  }
};

} // namespace mlac
