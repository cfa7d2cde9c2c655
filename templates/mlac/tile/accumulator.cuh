// O^T = V^T P^T of one head group and its running softmax: max, sum and the rescaling when the max
// grows.
#pragma once

#include "mlac/base/types.cuh"
#include "mlac/ptx/exponent.cuh"
#include "mlac/ptx/matrix.cuh"
#include "mlac/ptx/warp.cuh"
#include "mlac/tile/ring.cuh"
#include "mlac/tile/scores.cuh"
#include "mlac/tile/warp_role.cuh"

namespace mlac {

/// Fragment of P^T as a right-hand operand: keys down, heads across.
struct Probs {
  u32 b[2];
};

template <class Shape>
struct Accumulator {
  static constexpr i32 kTiles = Shape::kValueDims / 16; ///< of 16 dims, in all
  static constexpr i32 kMine =
      (kTiles + Shape::kDimSplits - 1) / Shape::kDimSplits; ///< of this warp
  static constexpr bool kEven = kTiles % Shape::kDimSplits == 0;

  float o[kMine][4]; ///< dims 16 m + row and + 8 of heads 2 pair, 2 pair + 1
  float top[2];      ///< running max of the two heads' scores, in units of log 2
  float sum[2];      ///< this lane's share of the denominator

  __device__ __forceinline__ void clear() {
#pragma unroll
    for (i32 m = 0; m < kMine; ++m)
      o[m][0] = o[m][1] = o[m][2] = o[m][3] = 0.0f;
    top[0] = top[1] = negativeInfinity();
    sum[0] = sum[1] = 0.0f;
  }
};

/// One step of the online softmax. `scale` turns scores into units of log 2.
template <class Shape>
__device__ __forceinline__ Probs softmax(Scores x, float scale, Accumulator<Shape>& acc) {
  float shrink[2];
#pragma unroll
  for (i32 i = 0; i < 2; ++i) {
    x.s[i] *= scale;
    x.s[i + 2] *= scale;
    float top = fmaxf(x.s[i], x.s[i + 2]);
    top = fmaxf(top, shuffleXor(top, 4));
    top = fmaxf(top, shuffleXor(top, 8));
    top = fmaxf(top, shuffleXor(top, 16));
    top = fmaxf(top, acc.top[i]);
    const float finite = top == negativeInfinity() ? 0.0f : top; // -inf - -inf would be NaN
    shrink[i] = exp2Approx(acc.top[i] - finite);
    acc.top[i] = top;
    x.s[i] = exp2Approx(x.s[i] - finite + Shape::Element::kProbabilityShift);
    x.s[i + 2] = exp2Approx(x.s[i + 2] - finite + Shape::Element::kProbabilityShift);
    acc.sum[i] = acc.sum[i] * shrink[i] + (x.s[i] + x.s[i + 2]);
  }
  if (anyLane(shrink[0] != 1.0f || shrink[1] != 1.0f)) {
#pragma unroll
    for (i32 m = 0; m < Accumulator<Shape>::kMine; ++m) {
      acc.o[m][0] *= shrink[0];
      acc.o[m][1] *= shrink[1];
      acc.o[m][2] *= shrink[0];
      acc.o[m][3] *= shrink[1];
    }
  }
  return {{transposeMatrix(Shape::Element::pack(x.s[0], x.s[1])),
           transposeMatrix(Shape::Element::pack(x.s[2], x.s[3]))}};
}

/// O^T += V^T P^T; V is the leading part of the same rows, transposed by ldmatrix on the way.
template <class Shape>
__device__ __forceinline__ void
pv(const Probs& probs, const Stage& stage, Accumulator<Shape>& acc, const WarpRole<Shape>& role) {
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
      Shape::Element::mma(acc.o[m], values, probs.b[0], probs.b[1]);
    }
  }
}

} // namespace mlac
