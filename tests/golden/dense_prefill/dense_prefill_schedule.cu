// dense_prefill: rows of different lengths cut into pieces, once a step.
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
    return {0, hasKeyEnd ? keyEnd : queryPos + 1};
  }

  template <class Table>
  static __device__ __forceinline__ KeySlot slots(i32 entry, i32 begin, i32 end, i64 slotCount, const Table& table) {
    const i32 block = table.lookup(i32(u32(entry) / 64u));
    const i64 slot = i64(block) * 64 + i64(u32(entry) % 64u);
    return {entry, slot, entry >= begin && entry < end && block >= 0 && slot < slotCount};
  }
};

extern "C" __global__ void __launch_bounds__(512) dense_prefill_schedule(const __grid_constant__ Args args) {
  extern __shared__ __align__(128) u8 smem[];
  schedule<Shape, Rules>(args, smem);
}
