// Where results go: to the caller's outputs, or to the workspace when a row was split among CTAs.
#pragma once

#include "mlac/base/types.cuh"
#include "mlac/ptx/matrix.cuh"
#include "mlac/ptx/warp.cuh"
#include "mlac/tile/warp_role.cuh"
#include "mlac/tile/work.cuh"

namespace mlac {

/// Results of the splits of one token and one tile of 8 heads, as they lie in the workspace:
/// stats as [token][head tile][split][8 heads], and fragments of O^T as [token][head tile][split]
/// [dim tile][lane][4], so that a warp writes and reads 512 bytes in a row. Heads past the last are
/// there too, and never looked at. A slot is one split with all its heads.
template <class Shape>
struct Partials {
  static constexpr i32 kHeadTiles = RowTile<Shape>::kHeadTiles;
  static constexpr i32 kFloats = Shape::kValueDims * kTileHeads; ///< of one split

  i64 first; ///< number of the first split

  /// `firstSlot` is that of the token's first split.
  static __device__ __forceinline__ Partials of(i64 firstSlot, i32 headTile, i32 splits) {
    return {firstSlot * kHeadTiles + headTile * splits};
  }

  /// The lane's two heads of a split.
  __device__ __forceinline__ float2* pairOf(void* stats, i32 split, i32 pair) const {
    return reinterpret_cast<float2*>(static_cast<float*>(stats) + (first + split) * kTileHeads) +
           pair;
  }

  __device__ __forceinline__ float4* fragmentOf(void* out, i32 split, i32 dimTile, i32 lane) const {
    return reinterpret_cast<float4*>(static_cast<float*>(out) + (first + split) * kFloats) +
           dimTile * 32 + lane;
  }
};

/// A row's LSE in the declared base, from its log2.
template <class Shape>
__device__ __forceinline__ float declaredLse(float logSum2) {
  if (logSum2 == negativeInfinity())
    return Shape::kEmptyLsePositive ? -negativeInfinity() : negativeInfinity();
  return Shape::kLseBase2 ? logSum2 : logSum2 * kLn2;
}

/// Writes one row's LSE and max logit where the variant has them.
template <class Shape, class Args>
__device__ __forceinline__ void
storeStats(const Args& args, i32 token, i32 head, float top, float logSum2) {
  const i64 row = token;
  if constexpr (Shape::kLse)
    static_cast<float*>(args.lse)[row * args.lseTokenStride + head * args.lseHeadStride] =
        declaredLse<Shape>(logSum2);
  if constexpr (Shape::kMaxLogit)
    static_cast<float*>(
        args.maxLogit)[row * args.maxLogitTokenStride + head * args.maxLogitHeadStride] =
        top * kLn2;
}

/// The caller's output of one token and one tile of 8 heads, as a lane writes it. 16-bit elements
/// are transposed and paired on the way, so that four lanes fill a sector of a head.
template <class Shape>
struct OutputTile {
  static constexpr bool kPaired = Shape::Store::kBytes == 2;

  u8* out;          ///< of the lane's first element in dim tile 0
  i64 strideBytes;  ///< to the lane's second head, where it has two
  i32 headsPresent; ///< of the lane's

  template <class Args>
  static __device__ __forceinline__ OutputTile of(const Args& args, i32 token, i32 headTile) {
    const i32 lane = threadIdx.x % 32;
    const i32 head = headTile * kTileHeads + (kPaired ? lane / 4 : lane % 4 * 2);
    const i32 dim = kPaired ? lane % 4 / 2 * 4 + lane % 2 * 8 : lane / 4;
    const i64 at = token * args.outTokenStride + head * args.outHeadStride + dim;
    return {static_cast<u8*>(args.out) + at * Shape::Store::kBytes,
            args.outHeadStride * Shape::Store::kBytes,
            Shape::kHeads - head};
  }

  /// Writes a fragment, 16 dims of 8 heads; all lanes call.
  __device__ __forceinline__ void put(i32 dimTile, const float (&v)[4]) const {
    u8* const to = out + dimTile * (16 * Shape::Store::kBytes);
    if constexpr (kPaired) {
      const i32 lane = threadIdx.x % 32;
      const u32 low = transposeMatrix(Shape::Store::pack(v[0], v[1])); // dims 2 pair, of head `row`
      const u32 high = transposeMatrix(Shape::Store::pack(v[2], v[3])); // the same + 8
      const bool odd = lane % 2 != 0;
      const u32 other = shuffleFrom(odd ? low : high, lane ^ 1);
      if (headsPresent > 0)
        *reinterpret_cast<uint2*>(to) = odd ? make_uint2(other, high) : make_uint2(low, other);
    } else {
#pragma unroll
      for (i32 i = 0; i < 2; ++i)
        if (headsPresent > i) {
          float* const dims = reinterpret_cast<float*>(to + i * strideBytes);
          dims[0] = v[i];
          dims[8] = v[2 + i];
        }
    }
  }
};

template <class Shape, class Args>
struct Sink {
  const Args& args;
  Work<Shape> work;

  /// Max and log2 sum of the lane's two heads of a tile; called by the lanes of row 0.
  __device__ __forceinline__ void stats(i32 tileInCta, float2 top, float2 logSum2) const {
    const RowTile<Shape> tile = work.rowTile(tileInCta);
    const i32 pair = threadIdx.x % 4;
    if (!work.has(tile))
      return;
    if (isPartial()) {
      const auto partials = partialsOf(tile);
      *partials.pairOf(args.partialLse, work.split, pair) = logSum2;
      if constexpr (Shape::kMaxLogit)
        *partials.pairOf(args.partialMax, work.split, pair) = top;
      return;
    }
    const i32 token = work.token + tile.token;
    const i32 head = tile.headTile * kTileHeads + pair * 2;
    if (head < Shape::kHeads)
      storeStats<Shape>(args, token, head, top.x, logSum2.x);
    if (head + 1 < Shape::kHeads)
      storeStats<Shape>(args, token, head + 1, top.y, logSum2.y);
  }

  __device__ __forceinline__ bool isPartial() const { return work.splits > 1; }

  /// Whether a tile of the CTA has any head; the last CTA of a group may have some that do not.
  __device__ __forceinline__ bool has(i32 tileInCta) const {
    return work.has(work.rowTile(tileInCta));
  }

  /// The lane's place in dim tile 0 of a tile's partial results; the next dim tile is 32 on.
  __device__ __forceinline__ float4* partial(i32 tileInCta) const {
    return partialsOf(work.rowTile(tileInCta))
        .fragmentOf(args.partialOut, work.split, 0, threadIdx.x % 32);
  }

  __device__ __forceinline__ OutputTile<Shape> output(i32 tileInCta) const {
    const RowTile<Shape> tile = work.rowTile(tileInCta);
    return OutputTile<Shape>::of(args, work.token + tile.token, tile.headTile);
  }

private:
  __device__ __forceinline__ Partials<Shape> partialsOf(const RowTile<Shape>& tile) const {
    const i64 slotsBefore = static_cast<i64>(tile.token) * work.splits;
    return Partials<Shape>::of(work.firstSlot + slotsBefore, tile.headTile, work.splits);
  }
};

} // namespace mlac
