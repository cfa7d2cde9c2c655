// The end of a CTA's work: the key slices' accumulators become one result, which leaves through
// shared memory so that the stores to device memory are wide. The ring's memory is reused; every
// copy into it has been waited for by then.
#pragma once

#include "mlac/base/element.cuh"
#include "mlac/base/types.cuh"
#include "mlac/ptx/exponent.cuh"
#include "mlac/ptx/warp.cuh"
#include "mlac/tile/accumulator.cuh"
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

/// Publishes each slice's stats; returns those of the whole row for the lane's two heads.
template <class Shape>
__device__ __forceinline__ void mergeStats(const Accumulator<Shape>& acc,
                                           RowStats* stats,
                                           const WarpRole<Shape>& role,
                                           RowStats (&whole)[2]) {
  constexpr i32 kHeads = Shape::kHeadGroups * kHeadsPerGroup;
  const i32 head = role.headGroup * kHeadsPerGroup + role.pair * 2;
#pragma unroll
  for (i32 i = 0; i < 2; ++i) {
    float sum = acc.sum[i];
    sum += shuffleXor(sum, 4);
    sum += shuffleXor(sum, 8);
    sum += shuffleXor(sum, 16);
    if (role.row == 0 && role.dimSplit == 0)
      stats[role.slice * kHeads + head + i] = {acc.top[i], sum};
  }
  syncCta();
#pragma unroll
  for (i32 i = 0; i < 2; ++i) {
    RowStats row{negativeInfinity(), 0.0f};
    for (i32 slice = 0; slice < Shape::kKeySlices; ++slice)
      row.top = fmaxf(row.top, stats[slice * kHeads + head + i].top);
    if (row.top != negativeInfinity())
      for (i32 slice = 0; slice < Shape::kKeySlices; ++slice) {
        const RowStats part = stats[slice * kHeads + head + i];
        row.sum += part.sum * exp2Approx(part.top - row.top);
      }
    whole[i] = row;
  }
}

/// Brings the accumulators of all slices together, kMergePasses rounds of dims at a time, and hands
/// each four dims to sink.values(head, dim, v[4]) and each head's stats to sink.stats(head, top,
/// logSum), once each.
template <class Shape, class Sink>
__device__ __forceinline__ void mergeAndStore(const Accumulator<Shape>& acc,
                                              u8* smem,
                                              const WarpRole<Shape>& role,
                                              const Sink& sink) {
  using Acc = Accumulator<Shape>;
  constexpr i32 kHeads = Shape::kHeadGroups * kHeadsPerGroup;
  constexpr i32 kRound =
      Acc::kMine / Shape::kMergePasses; // tiles of 16 dims a warp brings in one round
  constexpr i32 kRowDims = Shape::kDimSplits * kRound * 16;
  constexpr i32 kRowFloats =
      kRowDims + 4; // + 4: the two heads of a lane and its eight rows fall on different banks
  static_assert(Acc::kMine % Shape::kMergePasses == 0, "merge passes divide a warp's dims");
  float* const rows = reinterpret_cast<float*>(smem);

  RowStats whole[2];
  mergeStats(acc, reinterpret_cast<RowStats*>(smem + Shape::kStatsAt), role, whole);
  float weight[2];
#pragma unroll
  for (i32 i = 0; i < 2; ++i) {
    weight[i] = whole[i].sum > 0.0f ? exp2Approx(acc.top[i] - whole[i].top) / whole[i].sum : 0.0f;
    if (role.row == 0 && role.dimSplit == 0 && role.slice == 0)
      sink.stats(role.headGroup * kHeadsPerGroup + role.pair * 2 + i,
                 whole[i].top,
                 logSum(whole[i], Shape::Element::kProbabilityShift));
  }

  const i32 myHead = role.slice * kHeads + role.headGroup * kHeadsPerGroup + role.pair * 2;
#pragma unroll
  for (i32 round = 0; round < Shape::kMergePasses; ++round) {
    if (round > 0)
      syncCta();
#pragma unroll
    for (i32 j = 0; j < kRound; ++j) {
      float* const at = rows + myHead * kRowFloats + (role.dimSplit * kRound + j) * 16 + role.row;
      const float (&o)[4] = acc.o[round * kRound + j];
      at[0] = o[0] * weight[0];
      at[kRowFloats] = o[1] * weight[1];
      at[8] = o[2] * weight[0];
      at[kRowFloats + 8] = o[3] * weight[1];
    }
    syncCta();
    for (i32 quad = threadIdx.x; quad < kHeads * kRowDims / 4; quad += Shape::kThreads) {
      const i32 head = quad / (kRowDims / 4);
      const i32 column = quad % (kRowDims / 4) * 4;
      float v[4] = {};
      for (i32 slice = 0; slice < Shape::kKeySlices; ++slice) {
        const float4 part =
            *reinterpret_cast<const float4*>(rows + (slice * kHeads + head) * kRowFloats + column);
        v[0] += part.x;
        v[1] += part.y;
        v[2] += part.z;
        v[3] += part.w;
      }
      const i32 dim =
          (column / (kRound * 16) * Acc::kMine + round * kRound) * 16 + column % (kRound * 16);
      if (Acc::kEven || dim < Shape::kValueDims)
        sink.values(head, dim, v);
    }
  }
}

} // namespace mlac
