// glm5_decode: a token's logical indices to physical slots.
//
//   attention glm5_decode {
//     heads    8
//     latent   512
//     rope     64
//     value    latent
//     q        bf16
//     cache    bf16 page 64
//     iterate  topk 2048 logical
//     queries  1..4 causal
//     scale    0.0625
//     output   bf16 lse natural
//   }
//
// target    sm_120
// templates 075f9775df9066ca364e016e208212bc
#include "mlac/kernels/convert.cuh"

using namespace mlac;

/// What a launch passes. Pointers are device pointers.
struct Args {
  // Requests: block tables, lengths, and which tokens are whose. Null where not given.
  const i32* blockTable;
  i64 blockTableStride;
  const i32* queryStart;
  const i32* tokenRequest;
  const i32* seqLens;
  const i32* keyEnd;
  i32 maxPages;
  i32 requests;
  // Rows of the indexer's choice, [token][top-k]; topkLength may be null.
  const i32* indices;
  i64 indicesStride;
  const i32* topkLength;
  // Slots, [token][top-k], and how many of a token's are valid; validCounts may be null.
  void* slotsOut;
  i64 slotsOutStride;
  void* validCounts;
  // Cache geometry, in slots.
  i64 slots;
  i64 slotsPerBlock;
  // The launch.
  i32 tokens;
};

/// The variant's iteration.
struct Shape {
  static constexpr i32 kPage = 64; ///< tokens
  static constexpr i32 kTopk = 2048; ///< entries of an index row; 0 where positions are walked
  static constexpr bool kLogical = true; ///< entries are positions of the token's request
  static constexpr i32 kThreads = 256;
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

extern "C" __global__ void __launch_bounds__(256) glm5_decode_convert(const __grid_constant__ Args args) {
  extern __shared__ __align__(128) u8 smem[];
  convert<Shape, Rules>(args, reinterpret_cast<u32*>(smem));
}
