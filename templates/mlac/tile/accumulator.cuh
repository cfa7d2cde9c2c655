// O^T = V^T P^T of a warp's heads and their running softmax: max, sum and the rescaling when the
// max grows.
#pragma once

#include "mlac/base/types.cuh"
#include "mlac/ptx/exponent.cuh"
#include "mlac/ptx/matrix.cuh"
#include "mlac/ptx/warp.cuh"
#include "mlac/tile/ring.cuh"
#include "mlac/tile/scores.cuh"
#include "mlac/tile/warp_role.cuh"

namespace mlac {

/// Fragments of P^T as right-hand operands, one a tile of heads: keys down, heads across.
template <class Shape>
struct Probs {
  u32 b[Shape::kHeadTiles][2];
};

template <class Shape>
struct Accumulator {
  static constexpr i32 kTiles = Shape::kValueDims / 16; ///< of 16 dims, in all
  static constexpr i32 kMine =
      (kTiles + Shape::kDimSplits - 1) / Shape::kDimSplits; ///< of this warp
  static constexpr bool kEven = kTiles % Shape::kDimSplits == 0;

  float o[Shape::kHeadTiles][kMine][4]; ///< dims 16 m + row and + 8 of heads 2 pair, 2 pair + 1
  float top[Shape::kHeadTiles][2];      ///< running max of those heads' scores, in units of log 2
  float sum[Shape::kHeadTiles][2];      ///< this lane's share of the denominator

  __device__ __forceinline__ void clear() {
#pragma unroll
    for (i32 t = 0; t < Shape::kHeadTiles; ++t) {
#pragma unroll
      for (i32 m = 0; m < kMine; ++m)
        o[t][m][0] = o[t][m][1] = o[t][m][2] = o[t][m][3] = 0.0f;
      top[t][0] = top[t][1] = negativeInfinity();
      sum[t][0] = sum[t][1] = 0.0f;
    }
  }
};

/// One step of the online softmax. `scale` turns scores into units of log 2; it is positive, as
/// scores may be -inf.
template <class Shape>
__device__ __forceinline__ Probs<Shape>
softmax(const Scores<Shape>& scores, float scale, Accumulator<Shape>& acc) {
  Probs<Shape> probs;
#pragma unroll
  for (i32 t = 0; t < Shape::kHeadTiles; ++t) {
    float x[4];
    float shrink[2];
#pragma unroll
    for (i32 i = 0; i < 2; ++i) {
      x[i] = scores.s[t][i] * scale;
      x[i + 2] = scores.s[t][i + 2] * scale;
      float top = fmaxf(x[i], x[i + 2]);
      top = fmaxf(top, shuffleXor(top, 4));
      top = fmaxf(top, shuffleXor(top, 8));
      top = fmaxf(top, shuffleXor(top, 16));
      top = fmaxf(top, acc.top[t][i]);
      const float finite = top == negativeInfinity() ? 0.0f : top; // -inf - -inf would be NaN
      shrink[i] = exp2Approx(acc.top[t][i] - finite);
      acc.top[t][i] = top;
      x[i] = exp2Approx(x[i] - finite + Shape::Element::kProbabilityShift);
      x[i + 2] = exp2Approx(x[i + 2] - finite + Shape::Element::kProbabilityShift);
      acc.sum[t][i] = acc.sum[t][i] * shrink[i] + (x[i] + x[i + 2]);
    }
    if (anyLane(shrink[0] != 1.0f || shrink[1] != 1.0f)) {
#pragma unroll
      for (i32 m = 0; m < Accumulator<Shape>::kMine; ++m) {
        acc.o[t][m][0] *= shrink[0];
        acc.o[t][m][1] *= shrink[1];
        acc.o[t][m][2] *= shrink[0];
        acc.o[t][m][3] *= shrink[1];
      }
    }
    probs.b[t][0] = transposeMatrix(Shape::Element::pack(x[0], x[1]));
    probs.b[t][1] = transposeMatrix(Shape::Element::pack(x[2], x[3]));
  }
  return probs;
}

/// Two elements with 0 in the place of those that are not finite.
template <class Element>
__device__ __forceinline__ u32 finiteOnly(u32 pair) {
  constexpr u32 kLow = Element::kExponentBits;
  constexpr u32 kHigh = kLow << 16;
  return ((pair & kLow) == kLow ? 0 : pair & 0xffffu) |
         ((pair & kHigh) == kHigh ? 0 : pair & 0xffff0000u);
}

/// O^T += V^T P^T; V is the leading part of the same rows, transposed by ldmatrix on the way.
/// `FiniteOnly`: for rows that some of the warp's tokens see and others do not, whose probability 0
/// would not keep a NaN out. Those that see it have it by their scores.
template <class Shape, bool FiniteOnly = false>
__device__ __forceinline__ void pv(const Probs<Shape>& probs,
                                   const Stage& stage,
                                   Accumulator<Shape>& acc,
                                   const WarpRole<Shape>& role) {
  using Acc = Accumulator<Shape>;
  const i32 key = role.lane % 8 + role.lane / 16 * 8;
  const i32 firstTile = role.dimSplit * Acc::kMine;
  const u32 mine =
      stage.address + key * Shape::kRowStrideBytes + role.lane / 8 % 2 * 16 + firstTile * 32;
#pragma unroll
  for (i32 m = 0; m < Acc::kMine; ++m) {
    if (Acc::kEven || firstTile + m < Acc::kTiles) {
      u32 values[4];
      loadMatrix4Transposed(values, mine + m * 32);
      if constexpr (FiniteOnly)
#pragma unroll
        for (i32 i = 0; i < 4; ++i)
          values[i] = finiteOnly<typename Shape::Element>(values[i]);
#pragma unroll
      for (i32 t = 0; t < Shape::kHeadTiles; ++t)
        Shape::Element::mma(acc.o[t][m], values, probs.b[t][0], probs.b[t][1]);
    }
  }
}

} // namespace mlac
