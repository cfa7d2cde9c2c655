// Where results go: to the caller's outputs, or to the workspace when a row was split among CTAs.
#pragma once

#include "mlac/base/types.cuh"
#include "mlac/tile/warp_role.cuh"
#include "mlac/tile/work.cuh"

namespace mlac {

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

template <class Shape, class Args>
struct Sink {
  const Args& args;
  Work<Shape> work;

  __device__ __forceinline__ void stats(i32 headInCta, float top, float logSum2) const {
    const i32 head = work.firstHead + headInCta;
    if (head >= Shape::kHeads)
      return;
    if (args.splits == 1) {
      storeStats<Shape>(args, work.token, head, top, logSum2);
      return;
    }
    static_cast<float*>(args.partialLse)[partial(head)] = logSum2;
    if constexpr (Shape::kMaxLogit)
      static_cast<float*>(args.partialMax)[partial(head)] = top;
  }

  __device__ __forceinline__ void values(i32 headInCta, i32 dim, const float (&v)[4]) const {
    const i32 head = work.firstHead + headInCta;
    if (head >= Shape::kHeads)
      return;
    if (args.splits == 1)
      Shape::Store::four(
          args.out, work.token * args.outTokenStride + head * args.outHeadStride + dim, v);
    else
      *reinterpret_cast<float4*>(static_cast<float*>(args.partialOut) +
                                 partial(head) * Shape::kValueDims + dim) =
          make_float4(v[0], v[1], v[2], v[3]);
  }

private:
  /// Partial results lie [token][head][split].
  __device__ __forceinline__ i64 partial(i32 head) const {
    return (static_cast<i64>(work.token) * Shape::kHeads + head) * args.splits + work.split;
  }
};

} // namespace mlac
