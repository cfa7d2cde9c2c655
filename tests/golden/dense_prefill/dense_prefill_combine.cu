// dense_prefill: partial results of rows that were split among CTAs, joined by their LSE.
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
#include "mlac/kernels/combine.cuh"

using namespace mlac;

/// What a launch passes. Pointers are device pointers.
struct Args {
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
  // Results of split rows, [token][tile of 8 heads][split], for the combine kernel.
  void* partialOut;
  void* partialLse;
  void* partialMax;
  // The launch. Rows are cut by the schedule, or, where it is null, each into `splits`.
  void* schedule;
  i32 tokens;
  i32 splits;
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
  static constexpr i32 kThreads = 256;
  static constexpr bool kStartsEarly = true; ///< before the attention kernel has ended
};

extern "C" __global__ void __launch_bounds__(256, 2) dense_prefill_combine(const __grid_constant__ Args args) {
  extern __shared__ __align__(128) u8 smem[];
  combine<Shape>(args, smem);
}
