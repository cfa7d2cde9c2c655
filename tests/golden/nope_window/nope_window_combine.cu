// nope_window: partial results of rows that were split among CTAs, joined by their LSE.
//
//   attention nope_window {
//     heads    10
//     latent   256
//     rope     0
//     value    record
//     q        f16
//     cache    f16 page 16
//     iterate  window 1024
//     queries  1
//     scale    0.0625
//     output   f32
//   }
//
// target    sm_80
// templates 075f9775df9066ca364e016e208212bc
#include "mlac/kernels/combine.cuh"

using namespace mlac;

/// What a launch passes. Pointers are device pointers.
struct Args {
  // Outputs; strides in elements.
  void* out;
  i64 outTokenStride;
  i64 outHeadStride;
  // Results of split rows, [token][tile of 8 heads][split], for the combine kernel.
  void* partialOut;
  void* partialLse;
  // The launch. Rows are cut by the schedule, or, where it is null, each into `splits`.
  void* schedule;
  i32 tokens;
  i32 splits;
};

/// The variant's outputs.
struct Shape {
  using Store = StoreF32;
  static constexpr i32 kHeads = 10;
  static constexpr i32 kValueDims = 256;
  static constexpr bool kLse = false;
  static constexpr bool kLseBase2 = false;
  static constexpr bool kEmptyLsePositive = false;
  static constexpr bool kMaxLogit = false;
  static constexpr i32 kThreads = 256;
  static constexpr bool kStartsEarly = false; ///< before the attention kernel has ended
};

extern "C" __global__ void __launch_bounds__(256, 3) nope_window_combine(const __grid_constant__ Args args) {
  extern __shared__ __align__(128) u8 smem[];
  combine<Shape>(args, smem);
}
