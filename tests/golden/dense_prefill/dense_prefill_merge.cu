// dense_prefill: results of the same rows over different keys, joined by their LSE.
//
//   attention dense_prefill {
//     heads    16
//     latent   512
//     rope     64
//     value    latent
//     q        bf16
//     cache    bf16 page 64
//     iterate  dense
//     queries  any causal
//     scale    runtime
//     output   bf16 lse base2 max_logit
//   }
//
// target    sm_90
// templates 075f9775df9066ca364e016e208212bc
#include "mlac/kernels/merge.cuh"

using namespace mlac;

/// What a launch passes. Pointers are device pointers.
struct Args {
  // Results of each part, [part][token][head][dim]; strides in elements.
  const void* partOut;
  i64 partOutPartStride;
  i64 partOutTokenStride;
  i64 partOutHeadStride;
  const void* partLse;
  i64 partLsePartStride;
  i64 partLseTokenStride;
  i64 partLseHeadStride;
  const void* partMaxLogit;
  i64 partMaxLogitPartStride;
  i64 partMaxLogitTokenStride;
  i64 partMaxLogitHeadStride;
  // A term per head for the denominator, in natural units; may be null.
  const void* sinks;
  // Outputs; strides in elements.
  void* out;
  i64 outTokenStride;
  i64 outHeadStride;
  void* lse;
  i64 lseTokenStride;
  i64 lseHeadStride;
  void* maxLogit;
  i64 maxLogitTokenStride;
  i64 maxLogitHeadStride;
  // The launch. Parts are of the output's type unless f32Parts is not 0.
  i32 tokens;
  i32 parts;
  i32 f32Parts;
};

/// The variant's outputs.
struct Shape {
  using Store = StoreBf16;
  static constexpr i32 kHeads = 16;
  static constexpr i32 kValueDims = 512;
  static constexpr bool kLse = true;
  static constexpr bool kLseBase2 = true;
  static constexpr bool kEmptyLsePositive = false;
  static constexpr bool kMaxLogit = true;
  static constexpr i32 kRows = 2; ///< heads of one token, in one CTA
  static constexpr i32 kRowWarps = 2; ///< warps that share a row's dims
  static constexpr i32 kThreads = 128;
};

extern "C" __global__ void __launch_bounds__(128, 4) dense_prefill_merge(const __grid_constant__ Args args) {
  merge<Shape>(args);
}
