// nope_window, some tokens: latent attention of 10 heads over 256 + 0 dims, window.
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
// schedule  class=some engine=mma_sync gather=cp_async row_reuse=none query_home=registers head_groups=2 head_tiles=1 dim_splits=4 key_slices=1 stages=6 merge_passes=1 qk_chains=2 ctas_per_sm=1
// templates 075f9775df9066ca364e016e208212bc
#include "mlac/ptx/grid_dependency.cuh"
#include "mlac/tile/accumulator.cuh"
#include "mlac/tile/key_rows.cuh"
#include "mlac/tile/merge.cuh"
#include "mlac/tile/queries.cuh"
#include "mlac/tile/ring.cuh"
#include "mlac/tile/scores.cuh"
#include "mlac/tile/sink.cuh"
#include "mlac/tile/work.cuh"

using namespace mlac;

/// What a launch passes. Pointers are device pointers.
struct Args {
  // Queries, [token][head][dim]; strides in elements.
  const void* qLatent;
  i64 qLatentTokenStride;
  i64 qLatentHeadStride;
  // The paged cache.
  const void* cache;
  i64 pageStrideBytes;
  i64 tokenStrideBytes;
  i64 slots;
  // Requests: block tables, lengths, and which tokens are whose. Null where not given.
  const i32* blockTable;
  i64 blockTableStride;
  const i32* queryStart;
  const i32* tokenRequest;
  const i32* seqLens;
  const i32* keyEnd;
  i32 maxPages;
  i32 requests;
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
  i32 splitsReciprocal;
};

/// The variant and its schedule.
struct Shape {
  using Element = F16;
  static constexpr i32 kLatent = 256;
  static constexpr i32 kRope = 0;
  using Store = StoreF32;
  static constexpr i32 kHeads = 10;
  static constexpr i32 kValueDims = 256;
  static constexpr bool kLse = false;
  static constexpr bool kLseBase2 = false;
  static constexpr bool kEmptyLsePositive = false;
  static constexpr bool kMaxLogit = false;
  static constexpr i32 kPage = 16; ///< tokens
  static constexpr i32 kTopk = 0; ///< entries of an index row; 0 where positions are walked
  static constexpr bool kLogical = true; ///< entries are positions of the token's request

  static constexpr i32 kHeadGroups = 2; ///< in one CTA
  static constexpr i32 kHeadTiles = 1; ///< of 8 heads, in one group
  static constexpr i32 kQueryGroup = 1; ///< tokens of a request in one CTA, at most
  static constexpr i32 kHeadCtas = 1; ///< CTAs that share a group's heads
  static constexpr i32 kDimSplits = 4; ///< warps that share a head group's dims
  static constexpr i32 kKeySlices = 1; ///< warps that share a head group's tiles
  static constexpr i32 kThreads = 256;
  static constexpr i32 kStages = 6;
  static constexpr i32 kFullBarriers = 6; ///< a multiple of stages and key slices
  static constexpr i32 kMergePasses = 1;
  static constexpr i32 kQkChains = 2; ///< sums that QK is dealt to
  static constexpr bool kBulk = false; ///< one bulk copy a row, else 16 bytes a lane
  static constexpr bool kRowsReused = false; ///< soon, from the L2 cache
  static constexpr bool kNeedsPositions = false;

  // Shared memory, 59360 bytes: the ring's slots first, then
  static constexpr i32 kRowBytes = 512;
  static constexpr i32 kRowStrideBytes = 528; ///< an odd multiple of 16: ldmatrix without bank conflicts
  static constexpr i32 kSlotBytes = 8448;
  static constexpr i32 kFullAt = 50688;
  static constexpr i32 kEmptyAt = 50736;
  static constexpr i32 kAbsentAt = 50784;
  static constexpr i32 kPositionsAt = 51168;
  static constexpr i32 kStatsAt = 51168;
  static constexpr i32 kSharesAt = 51168;
  static constexpr i32 kQueriesAt = 59360;
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

/// Copied in the place of keys that do not exist, so that no stale value can reach the arithmetic.
__device__ const uint4 kZeroRow[32] = {};

extern "C" __global__ void __launch_bounds__(256, 1) nope_window_some(const __grid_constant__ Args args) {
  extern __shared__ __align__(128) u8 smem[];
  const u32 shared = sharedAddress(smem);
  const auto role = WarpRole<Shape>::here();
  const auto work = Work<Shape>::mine(args);
  if (work.token < 0) {
    return;
  }
  const auto rows = KeyRows<Shape, Rules, Args>::of(args, work.token);
  const auto [firstTile, tiles] = work.tiles(args, rows.tiles());
  const float toLog2 = 0.0625f * kLog2E;

  const auto ring = Ring<Shape>::at(shared, args.cache, kZeroRow, role);
  auto first = FirstRows<Shape>::peek(ring, rows, firstTile, role.slice);
  RegisterQueries<Shape> queries;
  queries.load(args, work, role);
  fill(ring, rows, first, firstTile, tiles, role.slice);
  Accumulator<Shape> acc;
  acc.clear();
  auto window = RowWindow<Shape, decltype(rows)>::startingAt(rows, ring, firstTile + role.slice + Shape::kStages);

  for (i32 tile = role.slice; tile < tiles; tile += Shape::kKeySlices) {
    const i32 later = tile + 6;
    const Stage stage = ring.wait(tile);
    Scores<Shape> scores = qk<Shape>(queries, stage, role);
    scores = sumShares<Shape>(scores, shared, tile / Shape::kKeySlices, role);
    scores = dropInvalid<Shape>(scores, stage, role);
    const Probs<Shape> probs = softmax<Shape>(scores, toLog2, acc);
    pv(probs, stage, acc, role);
    if (later < tiles) {
      ring.release(stage, tile);
      window.gather(ring, tile / Shape::kKeySlices, firstTile, later);
    }
  }

  mergeAndStore(acc, smem, shared, role, Sink<Shape, Args>{args, work});
}
