// Partial results of a split row to one row: O = sum_s w_s O_s with w_s = 2^(lse_s - lse).
#pragma once

#include "mlac/base/element.cuh"
#include "mlac/base/types.cuh"
#include "mlac/ptx/address.cuh"
#include "mlac/ptx/exponent.cuh"
#include "mlac/ptx/grid_dependency.cuh"
#include "mlac/ptx/warp.cuh"
#include "mlac/tile/attention_sink.cuh"
#include "mlac/tile/sink.cuh"
#include "mlac/tile/work_list.cuh"

namespace mlac {

/// Splits that were added up: sum = sum 2^(lse - top), v = sum 2^(lse - top) O, for a lane's two
/// heads, as fragments hold them. Of no key: top -inf, the rest 0.
struct PartSum {
  float top[2];
  float sum[2];
  float v[4];
};

/// 2^(lse - top); 0 for a part without keys, whose top may be -inf too.
__device__ __forceinline__ float weightOf(float lse, float top) {
  return exp2Approx(lse - (top == negativeInfinity() ? 0.0f : top));
}

/// all += weight times the part, for both heads.
__device__ __forceinline__ void
add(PartSum& all, const float (&weight)[2], const float (&sum)[2], const float4& v) {
#pragma unroll
  for (i32 i = 0; i < 2; ++i)
    all.sum[i] += weight[i] * sum[i];
  all.v[0] += weight[0] * v.x;
  all.v[1] += weight[1] * v.y;
  all.v[2] += weight[0] * v.z;
  all.v[3] += weight[1] * v.w;
}

/// One lane's results of every `step`-th split, from the first on.
struct SplitWalk {
  const float2* lse;
  const float4* fragment;
  i64 lseStep;
  i64 fragmentStep;
  i32 splits; ///< that are left to visit
};

/// Adds up what a walk visits, `Count` splits at a time. Nothing waits for another split's weight,
/// so all loads of a round are in flight together.
template <i32 Count>
__device__ __forceinline__ PartSum sumSplits(SplitWalk walk) {
  PartSum all = {{negativeInfinity(), negativeInfinity()}, {}, {}};
  for (; walk.splits > 0; walk.splits -= Count) {
    float2 lse[Count];
    float4 values[Count];
#pragma unroll
    for (i32 i = 0; i < Count; ++i) {
      lse[i] = make_float2(negativeInfinity(), negativeInfinity());
      values[i] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
      if (i < walk.splits) {
        lse[i] = walk.lse[i * walk.lseStep];
        values[i] = walk.fragment[i * walk.fragmentStep];
      }
    }
    walk.lse += Count * walk.lseStep;
    walk.fragment += Count * walk.fragmentStep;
    float top[2] = {all.top[0], all.top[1]};
#pragma unroll
    for (i32 i = 0; i < Count; ++i) {
      top[0] = fmaxf(top[0], lse[i].x);
      top[1] = fmaxf(top[1], lse[i].y);
    }
    const float kept[2] = {weightOf(all.top[0], top[0]), weightOf(all.top[1], top[1])};
#pragma unroll
    for (i32 i = 0; i < 2; ++i) {
      all.top[i] = top[i];
      all.sum[i] *= kept[i];
      all.v[i] *= kept[i];
      all.v[i + 2] *= kept[i];
    }
#pragma unroll
    for (i32 i = 0; i < Count; ++i)
      add(all, {weightOf(lse[i].x, top[0]), weightOf(lse[i].y, top[1])}, {1.0f, 1.0f}, values[i]);
  }
  return all;
}

/// What the warps of a CTA leave one another.
template <i32 Threads>
struct SharedSums {
  float4* v;     ///< one a thread
  float4* stats; ///< top[2], sum[2]; one a thread

  static __device__ __forceinline__ SharedSums at(u8* smem) {
    float4* const words = reinterpret_cast<float4*>(smem);
    return {words, words + Threads};
  }

  __device__ __forceinline__ void put(const PartSum& part) const {
    v[threadIdx.x] = make_float4(part.v[0], part.v[1], part.v[2], part.v[3]);
    stats[threadIdx.x] = make_float4(part.top[0], part.top[1], part.sum[0], part.sum[1]);
  }

  /// The sum of what this warp and the next `warps` - 1 have put, of at most MostWarps. All maxima
  /// are found before any weight, and warps that are too many count as parts without keys: so
  /// nothing waits for a weight or a branch.
  template <i32 MostWarps>
  __device__ __forceinline__ PartSum take(i32 warps) const {
    PartSum all = {{negativeInfinity(), negativeInfinity()}, {}, {}};
    float4 parts[MostWarps];
#pragma unroll
    for (i32 i = 0; i < MostWarps; ++i) {
      parts[i] = stats[threadIdx.x + (i < warps ? i * 32 : 0)];
      if (i >= warps)
        parts[i].x = parts[i].y = negativeInfinity();
      all.top[0] = fmaxf(all.top[0], parts[i].x);
      all.top[1] = fmaxf(all.top[1], parts[i].y);
    }
#pragma unroll
    for (i32 i = 0; i < MostWarps; ++i)
      add(all,
          {weightOf(parts[i].x, all.top[0]), weightOf(parts[i].y, all.top[1])},
          {parts[i].z, parts[i].w},
          v[threadIdx.x + (i < warps ? i * 32 : 0)]);
    return all;
  }
};

/// Max logits of two heads in each lane, those of pair `lane % 4`; all lanes call, and the splits
/// are dealt among those that have the same two.
template <class Shape, class Args>
__device__ __forceinline__ float2
combineMax(const Args& args, const Partials<Shape>& partials, i32 splits, i32 lane) {
  float2 top = {negativeInfinity(), negativeInfinity()};
#pragma unroll 4
  for (i32 split = lane / 4; split < splits; split += 8) {
    const float2 other = *partials.pairOf(args.partialMax, split, lane % 4);
    top = make_float2(fmaxf(top.x, other.x), fmaxf(top.y, other.y));
  }
#pragma unroll
  for (i32 lanes = 4; lanes < 32; lanes *= 2)
    top =
        make_float2(fmaxf(top.x, shuffleXor(top.x, lanes)), fmaxf(top.y, shuffleXor(top.y, lanes)));
  return top;
}

/// log2 of the tiles a CTA has. The grid says: one where there are few tiles, so that all warps
/// share its splits; up to one a warp where there are enough to fill the GPU.
__device__ __forceinline__ i32 tilesOfCtaLog2(u32 tiles, i32 mostLog2) {
  i32 log2 = 0;
  while (log2 < mostLog2 && gridDim.x << log2 < tiles)
    ++log2;
  return log2;
}

/// Where a CTA's warps stand: which tile, 16 dims of 8 heads of a token, a warp works on, and which
/// share of its splits it has.
template <class Shape, i32 WarpsLog2>
struct CombineWork {
  static constexpr i32 kDimTiles = Shape::kValueDims / 16;
  static constexpr i32 kHeadTiles = Partials<Shape>::kHeadTiles;

  bool present; ///< the last CTA may have warps without a tile; a row may not have been split
  i32 token;
  i32 headTile;
  i32 dimTile;
  i32 sharers; ///< warps on the tile
  i32 share;   ///< this warp's number among them
  i32 splits;  ///< of the token
  i64 firstSlot;

  template <class Args>
  static __device__ __forceinline__ CombineWork mine(const Args& args) {
    const i32 warp = threadIdx.x / 32;
    const u32 tiles = static_cast<u32>(args.tokens) * (kHeadTiles * kDimTiles);
    const i32 tilesLog2 = tilesOfCtaLog2(tiles, WarpsLog2);
    const i32 sharersLog2 = WarpsLog2 - tilesLog2;
    const u32 tile = (blockIdx.x << tilesLog2) + (warp >> sharersLog2);
    CombineWork work{tile < tiles,
                     static_cast<i32>(tile / kDimTiles / kHeadTiles),
                     static_cast<i32>(tile / kDimTiles % kHeadTiles),
                     static_cast<i32>(tile % kDimTiles),
                     1 << sharersLog2,
                     warp & ((1 << sharersLog2) - 1),
                     args.splits,
                     static_cast<i64>(tile / kDimTiles / kHeadTiles) * args.splits};
    if (args.schedule != nullptr)
      work.readCut(WorkList::at(args.schedule, args.tokens));
    return work;
  }

  template <class Args>
  __device__ __forceinline__ SplitWalk walk(const Args& args) const {
    const i32 lane = threadIdx.x % 32;
    const auto partials = this->partials();
    return {partials.pairOf(args.partialLse, share, lane % 4),
            partials.fragmentOf(args.partialOut, share, dimTile, lane),
            sharers * (kTileHeads / 2),
            sharers * (Partials<Shape>::kFloats / 4),
            present ? (splits - share + sharers - 1) / sharers : 0};
  }

  __device__ __forceinline__ Partials<Shape> partials() const {
    return Partials<Shape>::of(firstSlot, headTile, splits);
  }

private:
  /// A row in one piece has its outputs already.
  __device__ __forceinline__ void readCut(const WorkList& list) {
    if (!present)
      return;
    const TokenCut cut = list.cut(token);
    splits = cut.splits;
    firstSlot = cut.firstSlot;
    present = splits > 1;
  }
};

/// Combines the tiles of a CTA. `smem` holds 32 bytes for each thread.
template <class Shape, class Args>
__device__ __forceinline__ void combine(const Args& args, u8* smem) {
  constexpr i32 kWarpsLog2 = 3;
  constexpr i32 kWarps = 1 << kWarpsLog2;
  static_assert(Shape::kThreads == kWarps * 32, "eight warps combine");
  constexpr i32 kAtOnce = 8; // splits a lane has under way
  const auto work = CombineWork<Shape, kWarpsLog2>::mine(args);
  const SplitWalk walk = work.walk(args);
  makeEarly(walk.lse);
  makeEarly(walk.fragment);
  if constexpr (Shape::kStartsEarly)
    waitForPreviousGrid();

  const auto shared = SharedSums<Shape::kThreads>::at(smem);
  shared.put(sumSplits<kAtOnce>(walk));
  syncCta();
  if (work.share != 0 || !work.present)
    return;
  const i32 lane = threadIdx.x % 32;
  PartSum all = shared.template take<kWarps>(work.sharers);
#pragma unroll
  for (i32 i = 0; i < 2; ++i) {
    const i32 head = work.headTile * kTileHeads + lane % 4 * 2 + i;
    const float whole = withSink<Shape>(args, head, all.top[i], all.sum[i]);
    const float inverse = all.sum[i] > 0.0f ? 1.0f / whole : 0.0f;
    all.v[i] *= inverse;
    all.v[i + 2] *= inverse;
  }
  OutputTile<Shape>::of(args, work.token, work.headTile).put(work.dimTile, all.v);
  if (work.dimTile != 0)
    return;
  float2 top = {0.0f, 0.0f};
  if constexpr (Shape::kMaxLogit)
    top = combineMax<Shape>(args, work.partials(), work.splits, lane);
  if (lane < 4) {
#pragma unroll
    for (i32 i = 0; i < 2; ++i) {
      const i32 head = work.headTile * kTileHeads + lane * 2 + i;
      const float logSum2 =
          all.sum[i] > 0.0f ? all.top[i] + log2Approx(all.sum[i]) : negativeInfinity();
      if (head < Shape::kHeads)
        storeStats<Shape>(args, work.token, head, i == 0 ? top.x : top.y, logSum2);
    }
  }
}

} // namespace mlac
