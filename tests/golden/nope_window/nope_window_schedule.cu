// nope_window: rows of different lengths cut into pieces, once a step.
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
#include "mlac/kernels/schedule.cuh"

using namespace mlac;

/// What a launch passes. Pointers are device pointers.
struct Args {
  // Requests: lengths, and which tokens are whose. Null where not given.
  const i32* queryStart;
  const i32* tokenRequest;
  const i32* seqLens;
  const i32* keyEnd;
  i32 requests;
  // What is written, a WorkList.
  void* schedule;
  // Into how many parts the batch is cut, and what a piece costs beside its tiles, in tiles.
  i32 parts;
  i32 pieceTiles;
  // The launch.
  i32 tokens;
};

/// The variant's iteration.
struct Shape {
  static constexpr i32 kTopk = 0; ///< entries of an index row; 0 where positions are walked
  static constexpr i32 kThreads = 512;
};

/// The variant's rules: which positions a token sees, and where an entry of its iteration lies.
struct Rules {
  static __device__ __forceinline__ Interval interval(i32 queryPos, i32 seqLen, i32 keyEnd, bool hasKeyEnd) {
    const i32 end = hasKeyEnd ? keyEnd : queryPos + 1;
    return {larger(end - 1024, 0), end};
  }

  template <class Table>
  static __device__ __forceinline__ KeySlot slots(i32 entry, i32 begin, i32 end, i64 slotCount, const Table& table) {
    const i32 block = table.lookup(i32(u32(entry) / 16u));
    const i64 slot = i64(block) * 16 + i64(u32(entry) % 16u);
    return {entry, slot, entry >= begin && entry < end && block >= 0 && slot < slotCount};
  }
};

extern "C" __global__ void __launch_bounds__(512) nope_window_schedule(const __grid_constant__ Args args) {
  extern __shared__ __align__(128) u8 smem[];
  schedule<Shape, Rules>(args, smem);
}
