// The end of a CTA's work: the key slices' accumulators become one result. Fragments stay fragments
// on the way: a lane stores and loads 16 bytes at a time. The ring's memory is reused; every copy
// into it has been waited for by then.
#pragma once

#include "mlac/base/element.cuh"
#include "mlac/base/types.cuh"
#include "mlac/ptx/address.cuh"
#include "mlac/ptx/exponent.cuh"
#include "mlac/ptx/warp.cuh"
#include "mlac/tile/accumulator.cuh"
#include "mlac/tile/attention_sink.cuh"
#include "mlac/tile/fragment.cuh"
#include "mlac/tile/warp_role.cuh"
#include "mlac/tile/work.cuh"

namespace mlac {

/// Max and sum of a row in units of log 2.
struct RowStats {
  float top;
  float sum;
};

/// log2 of a row's sum of exponentials; -inf for an empty row. `shift` undoes
/// Element::kProbabilityShift.
__device__ __forceinline__ float logSum(const RowStats& row, float shift) {
  return row.sum > 0.0f ? row.top + log2Approx(row.sum) - shift : negativeInfinity();
}

/// The stats of whole rows, for the lane's two heads of each of the warp's tiles. Slices publish
/// theirs in shared memory.
template <class Shape>
__device__ __forceinline__ void mergeStats(const Accumulator<Shape>& acc,
                                           RowStats* stats,
                                           const WarpRole<Shape>& role,
                                           RowStats (&whole)[Shape::kHeadTiles][2]) {
  constexpr i32 kHeads = Shape::kHeadGroups * Shape::kHeadTiles * kTileHeads;
#pragma unroll
  for (i32 t = 0; t < Shape::kHeadTiles; ++t)
#pragma unroll
    for (i32 i = 0; i < 2; ++i) {
      float sum = acc.sum[t][i];
      sum += shuffleXor(sum, 4);
      sum += shuffleXor(sum, 8);
      sum += shuffleXor(sum, 16);
      whole[t][i] = {acc.top[t][i], sum};
    }
  if constexpr (Shape::kKeySlices > 1) {
    RowStats* const mine = stats + role.headTile(0) * kTileHeads + role.pair * 2;
    if (role.row == 0 && role.dimSplit == 0)
#pragma unroll
      for (i32 t = 0; t < Shape::kHeadTiles; ++t)
#pragma unroll
        for (i32 i = 0; i < 2; ++i)
          mine[role.slice * kHeads + t * kTileHeads + i] = whole[t][i];
    syncCta();
#pragma unroll
    for (i32 t = 0; t < Shape::kHeadTiles; ++t)
#pragma unroll
      for (i32 i = 0; i < 2; ++i) {
        RowStats row{negativeInfinity(), 0.0f};
        for (i32 slice = 0; slice < Shape::kKeySlices; ++slice)
          row.top = fmaxf(row.top, mine[slice * kHeads + t * kTileHeads + i].top);
        if (row.top != negativeInfinity())
          for (i32 slice = 0; slice < Shape::kKeySlices; ++slice) {
            const RowStats part = mine[slice * kHeads + t * kTileHeads + i];
            row.sum += part.sum * exp2Approx(part.top - row.top);
          }
        whole[t][i] = row;
      }
  }
}

/// A fragment times the weights of its heads.
__device__ __forceinline__ void
weigh(const float (&o)[4], const float (&weight)[2], float (&v)[4]) {
  v[0] = o[0] * weight[0];
  v[1] = o[1] * weight[1];
  v[2] = o[2] * weight[0];
  v[3] = o[3] * weight[1];
}

/// Without slices: every warp has whole fragments and stores its own.
template <class Shape, class Sink>
__device__ __forceinline__ void storeOwn(const Accumulator<Shape>& acc,
                                         const float (&weight)[Shape::kHeadTiles][2],
                                         const WarpRole<Shape>& role,
                                         const Sink& sink) {
  using Acc = Accumulator<Shape>;
  const i32 firstTile = role.dimSplit * Acc::kMine;
#pragma unroll
  for (i32 t = 0; t < Shape::kHeadTiles; ++t) {
    if (!sink.has(role.headTile(t)))
      continue;
    float v[4];
    if (sink.isPartial()) {
      float4* const to = sink.partial(role.headTile(t)) + firstTile * 32;
#pragma unroll
      for (i32 m = 0; m < Acc::kMine; ++m) {
        weigh(acc.o[t][m], weight[t], v);
        if (Acc::kEven || firstTile + m < Acc::kTiles)
          to[m * 32] = make_float4(v[0], v[1], v[2], v[3]);
      }
    } else {
      const auto to = sink.output(role.headTile(t));
#pragma unroll
      for (i32 m = 0; m < Acc::kMine; ++m) {
        weigh(acc.o[t][m], weight[t], v);
        if (Acc::kEven || firstTile + m < Acc::kTiles)
          to.put(firstTile + m, v);
      }
    }
  }
}

/// With slices: fragments pass through shared memory, kMergePasses rounds of them, and each slice
/// adds up and stores its share of a round.
template <class Shape, class Sink>
__device__ __forceinline__ void storeMerged(const Accumulator<Shape>& acc,
                                            const float (&weight)[Shape::kHeadTiles][2],
                                            u32 smem,
                                            const WarpRole<Shape>& role,
                                            const Sink& sink) {
  using Acc = Accumulator<Shape>;
  constexpr i32 kFragments = Shape::kHeadTiles * Acc::kMine;
  constexpr i32 kRound = kFragments / Shape::kMergePasses;
  constexpr i32 kSliceBytes = Shape::kHeadGroups * Shape::kDimSplits * kRound * kFragmentBytes;
  static_assert(kFragments % Shape::kMergePasses == 0, "merge passes divide a warp's fragments");
  const i32 warpInSlice = threadIdx.x / 32 % (Shape::kHeadGroups * Shape::kDimSplits);
  const u32 fragments = smem + warpInSlice * (kRound * kFragmentBytes) + role.lane * 16;
#pragma unroll
  for (i32 round = 0; round < Shape::kMergePasses; ++round) {
    if (round > 0)
      syncCta();
#pragma unroll
    for (i32 f = 0; f < kRound; ++f) {
      const i32 t = (round * kRound + f) / Acc::kMine;
      float v[4];
      weigh(acc.o[t][(round * kRound + f) % Acc::kMine], weight[t], v);
      putFragment(fragments + role.slice * kSliceBytes + f * kFragmentBytes, v);
    }
    syncCta();
#pragma unroll 1
    for (i32 f = role.slice; f < kRound; f += Shape::kKeySlices) {
      const i32 tile = role.headTile((round * kRound + f) / Acc::kMine);
      const i32 dimTile = role.dimSplit * Acc::kMine + (round * kRound + f) % Acc::kMine;
      if (!sink.has(tile) || (!Acc::kEven && dimTile >= Acc::kTiles))
        continue;
      float v[4] = {};
#pragma unroll
      for (i32 slice = 0; slice < Shape::kKeySlices; ++slice)
        addFragment(fragments + slice * kSliceBytes + f * kFragmentBytes, v);
      if (sink.isPartial())
        sink.partial(tile)[dimTile * 32] = make_float4(v[0], v[1], v[2], v[3]);
      else
        sink.output(tile).put(dimTile, v);
    }
  }
}

/// What a row's results are divided by. Splits leave the sink to the combine.
template <class Shape, class Sink>
__device__ __forceinline__ float denominator(const RowStats& row, i32 head, const Sink& sink) {
  if (sink.isPartial())
    return row.sum;
  return withSink<Shape>(sink.args, head, row.top - Shape::Element::kProbabilityShift, row.sum);
}

/// Brings the accumulators of all slices together and stores them, and hands the stats of heads to
/// sink.stats(headTile, top, logSum), once each. `smem` and `shared` are the CTA's shared memory.
template <class Shape, class Sink>
__device__ __forceinline__ void mergeAndStore(const Accumulator<Shape>& acc,
                                              u8* smem,
                                              u32 shared,
                                              const WarpRole<Shape>& role,
                                              const Sink& sink) {
  RowStats whole[Shape::kHeadTiles][2];
  mergeStats(acc, reinterpret_cast<RowStats*>(smem + Shape::kStatsAt), role, whole);
  float weight[Shape::kHeadTiles][2];
#pragma unroll
  for (i32 t = 0; t < Shape::kHeadTiles; ++t) {
    const RowStats(&row)[2] = whole[t];
#pragma unroll
    for (i32 i = 0; i < 2; ++i)
      weight[t][i] =
          row[i].sum > 0.0f
              ? exp2Approx(acc.top[t][i] - row[i].top) /
                    denominator<Shape>(row[i],
                                       sink.work.rowTile(role.headTile(t)).headTile * kTileHeads +
                                           role.pair * 2 + i,
                                       sink)
              : 0.0f;
    if (role.row == 0 && role.dimSplit == 0 && role.slice == 0) {
      constexpr float kShift = Shape::Element::kProbabilityShift;
      sink.stats(role.headTile(t),
                 {row[0].top, row[1].top},
                 {logSum(row[0], kShift), logSum(row[1], kShift)});
    }
  }
  if constexpr (Shape::kKeySlices == 1)
    storeOwn(acc, weight, role, sink);
  else
    storeMerged(acc, weight, shared, role, sink);
}

} // namespace mlac
