// Partial results of a split row to one row: O = sum_s w_s O_s with w_s = 2^(lse_s - lse).
#pragma once

#include "mlac/base/element.cuh"
#include "mlac/base/types.cuh"
#include "mlac/ptx/exponent.cuh"
#include "mlac/ptx/grid_dependency.cuh"
#include "mlac/ptx/warp.cuh"
#include "mlac/tile/sink.cuh"

namespace mlac {

/// The row's log2 LSE and, where wanted, its max; found by every warp on its own.
template <class Shape, class Args>
__device__ __forceinline__ float combineStats(const Args& args, i64 row, i32 lane, float& top) {
  const float* const lse = static_cast<const float*>(args.partialLse) + row * args.splits;
  float most = negativeInfinity();
  top = negativeInfinity();
  for (i32 split = lane; split < args.splits; split += 32) {
    most = fmaxf(most, lse[split]);
    if constexpr (Shape::kMaxLogit)
      top = fmaxf(top, static_cast<const float*>(args.partialMax)[row * args.splits + split]);
  }
  for (i32 lanes = 16; lanes > 0; lanes /= 2) {
    most = fmaxf(most, shuffleXor(most, lanes));
    if constexpr (Shape::kMaxLogit)
      top = fmaxf(top, shuffleXor(top, lanes));
  }
  if (most == negativeInfinity())
    return most;
  float sum = 0.0f;
  for (i32 split = lane; split < args.splits; split += 32)
    sum += exp2Approx(lse[split] - most);
  for (i32 lanes = 16; lanes > 0; lanes /= 2)
    sum += shuffleXor(sum, lanes);
  return most + log2Approx(sum);
}

/// The partial results of a lane's four dims that it asks for before it knows their weights.
template <i32 Count>
struct PartialRows {
  float4 values[Count];

  __device__ __forceinline__ void
  load(const float* parts, i64 stride, i32 firstSplit, i32 step, i32 splits) {
#pragma unroll
    for (i32 i = 0; i < Count; ++i) {
      const i32 split = firstSplit + i * step;
      if (split < splits)
        values[i] = *reinterpret_cast<const float4*>(parts + split * stride);
    }
  }

  /// v += sum of 2^(lse - whole) times the rows.
  __device__ __forceinline__ void
  addTo(float (&v)[4], const float* lse, float whole, i32 firstSplit, i32 step, i32 splits) const {
#pragma unroll
    for (i32 i = 0; i < Count; ++i) {
      const i32 split = firstSplit + i * step;
      if (split < splits) {
        const float weight = exp2Approx(lse[split] - whole);
        v[0] += weight * values[i].x;
        v[1] += weight * values[i].y;
        v[2] += weight * values[i].z;
        v[3] += weight * values[i].w;
      }
    }
  }
};

/// One CTA combines 128 dims of one head of one token: a lane has four dims, and the warps share
/// the splits.
template <class Shape, class Args>
__device__ __forceinline__ void combine(const Args& args, float4* shared) {
  constexpr i32 kBlocks = (Shape::kValueDims + 127) / 128;
  constexpr i32 kWarps = Shape::kThreads / 32;
  constexpr i32 kAtOnce = 8; // rows a warp has under way
  const i32 lane = threadIdx.x % 32;
  const i32 warp = threadIdx.x / 32;
  const i64 row = blockIdx.x / kBlocks;
  const i32 dim = blockIdx.x % kBlocks * 128 + lane * 4;
  const i32 token = static_cast<i32>(row / Shape::kHeads);
  const i32 head = static_cast<i32>(row % Shape::kHeads);
  const i32 mine = dim < Shape::kValueDims ? args.splits : 0;
  const float* const lse = static_cast<const float*>(args.partialLse) + row * args.splits;
  const float* const parts =
      static_cast<const float*>(args.partialOut) + row * args.splits * Shape::kValueDims + dim;
  if constexpr (Shape::kStartsEarly)
    waitForPreviousGrid();

  // The first rows are under way while the weights are found.
  PartialRows<kAtOnce> rows;
  rows.load(parts, Shape::kValueDims, warp, kWarps, mine);
  float top;
  const float whole = combineStats<Shape>(args, row, lane, top);
  float v[4] = {};
  if (whole != negativeInfinity()) {
    rows.addTo(v, lse, whole, warp, kWarps, mine);
    for (i32 first = warp + kAtOnce * kWarps; first < mine; first += kAtOnce * kWarps) {
      rows.load(parts, Shape::kValueDims, first, kWarps, mine);
      rows.addTo(v, lse, whole, first, kWarps, mine);
    }
  }
  shared[warp * 32 + lane] = make_float4(v[0], v[1], v[2], v[3]);
  syncCta();
  if (warp != 0)
    return;
  for (i32 other = 1; other < kWarps; ++other) {
    const float4 part = shared[other * 32 + lane];
    v[0] += part.x;
    v[1] += part.y;
    v[2] += part.z;
    v[3] += part.w;
  }
  if (dim < Shape::kValueDims)
    Shape::Store::four(args.out, token * args.outTokenStride + head * args.outHeadStride + dim, v);
  if (dim == 0)
    storeStats<Shape>(args, token, head, top, whole);
}

} // namespace mlac
