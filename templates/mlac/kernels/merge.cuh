// Results of the same rows over different keys to one: O = sum_i w_i O_i, where w_i is what part i
// has of the sum of all exponentials.
#pragma once

#include "mlac/base/element.cuh"
#include "mlac/base/types.cuh"
#include "mlac/base/unpack.cuh"
#include "mlac/ptx/exponent.cuh"
#include "mlac/ptx/warp.cuh"

namespace mlac {

inline constexpr i32 kChunkDims = 8; ///< of a row, that a lane merges at a time

/// Eight f32 elements.
struct FloatChunk {
  static constexpr i32 kBytes = 32;
  static constexpr i32 kAtOnce = 4; ///< parts that a lane has under way, in 128 bytes

  float4 low, high;

  __device__ __forceinline__ void clear() { low = high = make_float4(0.0f, 0.0f, 0.0f, 0.0f); }

  __device__ __forceinline__ void load(const u8* from) {
    low = reinterpret_cast<const float4*>(from)[0];
    high = reinterpret_cast<const float4*>(from)[1];
  }

  __device__ __forceinline__ void addTo(float (&sum)[kChunkDims], float weight) const {
    const float own[kChunkDims] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
#pragma unroll
    for (i32 i = 0; i < kChunkDims; ++i)
      sum[i] += weight * own[i];
  }
};

/// Eight 16-bit elements, read at once unless they are aligned to 8 bytes only.
template <class Store, bool Aligned16>
struct HalfChunk {
  static constexpr i32 kBytes = 16;
  static constexpr i32 kAtOnce = 8;

  uint4 words;

  __device__ __forceinline__ void clear() { words = make_uint4(0, 0, 0, 0); }

  __device__ __forceinline__ void load(const u8* from) {
    if constexpr (Aligned16) {
      words = *reinterpret_cast<const uint4*>(from);
    } else {
      const uint2 low = reinterpret_cast<const uint2*>(from)[0];
      const uint2 high = reinterpret_cast<const uint2*>(from)[1];
      words = make_uint4(low.x, low.y, high.x, high.y);
    }
  }

  __device__ __forceinline__ void addTo(float (&sum)[kChunkDims], float weight) const {
    const u32 pairs[kChunkDims / 2] = {words.x, words.y, words.z, words.w};
#pragma unroll
    for (i32 i = 0; i < kChunkDims / 2; ++i) {
      const float2 own = unpack(Store{}, pairs[i]);
      sum[2 * i] += weight * own.x;
      sum[2 * i + 1] += weight * own.y;
    }
  }
};

/// Whether every address that is a sum of a base and multiples of strides, in bytes, is one of 16.
__device__ __forceinline__ bool aligned16(const void* base, i64 strides) {
  return ((reinterpret_cast<u64>(base) | static_cast<u64>(strides)) & 15) == 0;
}

/// Writes a chunk of the result. Of 16-bit elements, at once unless aligned to 8 bytes only.
template <class Store>
__device__ __forceinline__ void storeChunk(u8* to, const float (&v)[kChunkDims], bool isAligned16) {
  if constexpr (Store::kBytes == 4) {
    reinterpret_cast<float4*>(to)[0] = make_float4(v[0], v[1], v[2], v[3]);
    reinterpret_cast<float4*>(to)[1] = make_float4(v[4], v[5], v[6], v[7]);
  } else {
    const u32 words[4] = {Store::pack(v[0], v[1]),
                          Store::pack(v[2], v[3]),
                          Store::pack(v[4], v[5]),
                          Store::pack(v[6], v[7])};
    if (isAligned16) {
      *reinterpret_cast<uint4*>(to) = make_uint4(words[0], words[1], words[2], words[3]);
    } else {
      reinterpret_cast<uint2*>(to)[0] = make_uint2(words[0], words[1]);
      reinterpret_cast<uint2*>(to)[1] = make_uint2(words[2], words[3]);
    }
  }
}

/// One number of all lanes; each gets the same bits.
__device__ __forceinline__ float largestOfWarp(float x) {
#pragma unroll
  for (i32 lanes = 16; lanes > 0; lanes /= 2)
    x = fmaxf(x, shuffleXor(x, lanes));
  return x;
}

__device__ __forceinline__ float sumOfWarp(float x) {
#pragma unroll
  for (i32 lanes = 16; lanes > 0; lanes /= 2)
    x += shuffleXor(x, lanes);
  return x;
}

/// The LSEs of one row's parts, in the declared base, and what follows from them.
template <class Shape>
struct PartWeights {
  static constexpr float kLog2 = Shape::kLseBase2 ? 1.0f : kLog2E; ///< of the declared base

  const float* lse; ///< of part 0
  i64 stride;       ///< to the next part
  i32 parts;        ///< 0: the row is none
  float top;        ///< the largest LSE; -inf where all parts are empty
  float sum;        ///< of e^(lse - top); 0 where all parts are empty
  float scale;      ///< of those to weights: 1 / (sum + e^(sink - top))

  /// All lanes call.
  static __device__ __forceinline__ PartWeights of(const float* lse, i64 stride, i32 parts) {
    PartWeights weights{lse, stride, parts, negativeInfinity(), 0.0f, 0.0f};
    const i32 lane = threadIdx.x % 32;
    float top = negativeInfinity();
    for (i32 part = lane; part < parts; part += 32)
      top = fmaxf(top, weights.lseOf(part));
    weights.top = largestOfWarp(top);
    float sum = 0.0f;
    for (i32 part = lane; part < parts; part += 32)
      sum += weights.exponential(weights.lseOf(part));
    weights.sum = sumOfWarp(sum);
    weights.setSink(negativeInfinity());
    return weights;
  }

  /// Joins e^sink, in natural units, to the denominator. A sink of +inf leaves no weight to anyone.
  __device__ __forceinline__ void setSink(float sink) {
    const float declared = sink * (Shape::kLseBase2 ? kLog2E : 1.0f);
    // Not `sum > 0`: an LSE that is NaN must show.
    scale = sum == 0.0f ? 0.0f : 1.0f / (sum + exponential(declared));
  }

  /// Either infinity says that the part has no key, whatever the spec's own convention.
  __device__ __forceinline__ float lseOf(i32 part) const {
    const float own = lse[part * stride];
    return own == -negativeInfinity() ? negativeInfinity() : own;
  }

  /// 0 for parts without keys and past the last.
  __device__ __forceinline__ float weightOf(i32 part) const {
    return part < parts ? exponential(lseOf(part)) * scale : 0.0f;
  }

  /// The whole row's, without the sink.
  __device__ __forceinline__ float wholeLse() const {
    if (sum == 0.0f)
      return Shape::kEmptyLsePositive ? -negativeInfinity() : negativeInfinity();
    return top + log2Approx(sum) * (Shape::kLseBase2 ? 1.0f : kLn2);
  }

  __device__ __forceinline__ float exponential(float x) const {
    return exp2Approx((x - (top == negativeInfinity() ? 0.0f : top)) * kLog2);
  }
};

/// sum += the parts' chunks, each by its weight, in the order of the parts. All lanes call; what
/// has no weight is not read, so that NaN in it stays there.
template <class Chunk, class Weights>
__device__ __forceinline__ void addParts(float (&sum)[kChunkDims],
                                         const u8* from,
                                         i64 partBytes,
                                         const Weights& weights,
                                         bool isPresent) {
  for (i32 round = 0; round < weights.parts; round += 32) {
    const u32 own = __float_as_uint(weights.weightOf(round + threadIdx.x % 32));
    const i32 left = weights.parts - round;
    for (i32 first = 0; first < 32 && first < left; first += Chunk::kAtOnce) {
      Chunk chunks[Chunk::kAtOnce];
      float weight[Chunk::kAtOnce];
#pragma unroll
      for (i32 i = 0; i < Chunk::kAtOnce; ++i) {
        weight[i] = __uint_as_float(shuffleFrom(own, first + i));
        chunks[i].clear();
        if (isPresent && weight[i] != 0.0f)
          chunks[i].load(from + (round + first + i) * partBytes);
      }
#pragma unroll
      for (i32 i = 0; i < Chunk::kAtOnce; ++i)
        chunks[i].addTo(sum, weight[i]);
    }
  }
}

/// A warp's share of a row: every kRowWarps-th run of 32 chunks of one head of one token.
template <class Shape, class Args>
struct MergeRow {
  static constexpr i32 kCtas = (Shape::kHeads + Shape::kRows - 1) / Shape::kRows; ///< of a token

  const Args& args;
  i64 token;
  i64 head;
  i32 share;
  bool isPresent; ///< a token's last CTA may have rows past the last head

  static __device__ __forceinline__ MergeRow mine(const Args& args) {
    const i32 warp = threadIdx.x / 32;
    const i32 head = blockIdx.x % kCtas * Shape::kRows + warp / Shape::kRowWarps;
    return {args, blockIdx.x / kCtas, head, warp % Shape::kRowWarps, head < Shape::kHeads};
  }

  __device__ __forceinline__ PartWeights<Shape> weights() const {
    const float* const lse = static_cast<const float*>(args.partLse) +
                             token * args.partLseTokenStride + head * args.partLseHeadStride;
    auto weights = PartWeights<Shape>::of(lse, args.partLsePartStride, isPresent ? args.parts : 0);
    if (args.sinks != nullptr && isPresent)
      weights.setSink(static_cast<const float*>(args.sinks)[head]);
    return weights;
  }

  /// Merges the share of `out`, from parts of chunks of that kind.
  template <class Chunk>
  __device__ __forceinline__ void merge(const PartWeights<Shape>& weights) const {
    using Store = typename Shape::Store;
    constexpr i32 kChunks = Shape::kValueDims / kChunkDims;
    constexpr i32 kBytes = Chunk::kBytes / kChunkDims; // of an element
    const u8* const from =
        static_cast<const u8*>(args.partOut) +
        (token * args.partOutTokenStride + head * args.partOutHeadStride) * kBytes;
    u8* const to = static_cast<u8*>(args.out) +
                   (token * args.outTokenStride + head * args.outHeadStride) * Store::kBytes;
    const bool isAligned16 =
        aligned16(args.out, (args.outTokenStride | args.outHeadStride) * Store::kBytes);
    for (i32 first = share * 32; first < kChunks; first += Shape::kRowWarps * 32) {
      const i32 chunk = first + threadIdx.x % 32;
      const bool hasChunk = isPresent && chunk < kChunks;
      float sum[kChunkDims] = {};
      addParts<Chunk>(
          sum, from + chunk * Chunk::kBytes, args.partOutPartStride * kBytes, weights, hasChunk);
      if (hasChunk)
        storeChunk<Store>(to + chunk * (kChunkDims * Store::kBytes), sum, isAligned16);
    }
  }

  __device__ __forceinline__ void mergeOut(const PartWeights<Shape>& weights) const {
    using Store = typename Shape::Store;
    if constexpr (Store::kBytes == 4) {
      merge<FloatChunk>(weights);
    } else {
      const i64 strides = args.partOutPartStride | args.partOutTokenStride | args.partOutHeadStride;
      if (args.f32Parts != 0)
        merge<FloatChunk>(weights);
      else if (aligned16(args.partOut, strides * Store::kBytes))
        merge<HalfChunk<Store, true>>(weights);
      else
        merge<HalfChunk<Store, false>>(weights);
    }
  }

  /// The largest of the parts that have keys; all lanes call.
  __device__ __forceinline__ float largestLogit(const PartWeights<Shape>& weights) const {
    const float* const logits = static_cast<const float*>(args.partMaxLogit) +
                                token * args.partMaxLogitTokenStride +
                                head * args.partMaxLogitHeadStride;
    float top = negativeInfinity();
    for (i32 part = threadIdx.x % 32; part < weights.parts; part += 32)
      if (weights.lseOf(part) != negativeInfinity())
        top = fmaxf(top, logits[part * args.partMaxLogitPartStride]);
    return largestOfWarp(top);
  }

  __device__ __forceinline__ void storeStats(float lse, float maxLogit) const {
    if (args.lse != nullptr)
      static_cast<float*>(args.lse)[token * args.lseTokenStride + head * args.lseHeadStride] = lse;
    if constexpr (Shape::kMaxLogit)
      if (args.maxLogit != nullptr)
        static_cast<float*>(
            args.maxLogit)[token * args.maxLogitTokenStride + head * args.maxLogitHeadStride] =
            maxLogit;
  }
};

/// Merges the rows of a CTA: some heads of a token.
template <class Shape, class Args>
__device__ __forceinline__ void merge(const Args& args) {
  static_assert(Shape::kThreads == Shape::kRows * Shape::kRowWarps * 32, "a warp a share of a row");
  const auto row = MergeRow<Shape, Args>::mine(args);
  const PartWeights<Shape> weights = row.weights();
  row.mergeOut(weights);
  float maxLogit = negativeInfinity();
  if constexpr (Shape::kMaxLogit)
    if (args.maxLogit != nullptr)
      maxLogit = row.largestLogit(weights);
  // The results may take the place of part 0, whose LSEs every warp of a row reads.
  syncCta();
  if (row.isPresent && row.share == 0 && threadIdx.x % 32 == 0)
    row.storeStats(weights.wholeLse(), maxLogit);
}

} // namespace mlac
