// dense_prefill, groups of up to 2 tokens: latent attention of 16 heads over 512 + 64 dims, dense.
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
// schedule  class=grouped engine=mma_sync gather=bulk row_reuse=l2 query_home=registers query_group=2 head_groups=4 head_tiles=1 dim_splits=1 key_slices=2 stages=6 merge_passes=2 qk_chains=1 ctas_per_sm=1
// templates 075f9775df9066ca364e016e208212bc
#include "mlac/ptx/grid_dependency.cuh"
#include "mlac/tile/accumulator.cuh"
#include "mlac/tile/key_rows.cuh"
#include "mlac/tile/merge.cuh"
#include "mlac/tile/queries.cuh"
#include "mlac/tile/ring.cuh"
#include "mlac/tile/scores.cuh"
#include "mlac/tile/sink.cuh"
#include "mlac/tile/token_sights.cuh"
#include "mlac/tile/work.cuh"

using namespace mlac;

/// What a launch passes. Pointers are device pointers.
struct Args {
  // Queries, [token][head][dim]; strides in elements.
  const void* qLatent;
  i64 qLatentTokenStride;
  i64 qLatentHeadStride;
  const void* qRope;
  i64 qRopeTokenStride;
  i64 qRopeHeadStride;
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
  // The softmax scale: read from scaleDevice unless that is null.
  const float* scaleDevice;
  float scale;
  // The launch. Rows are cut by the schedule, or, where it is null, each into `splits`.
  void* schedule;
  i32 tokens;
  i32 splits;
  i32 splitsReciprocal;
};

/// The variant and its schedule.
struct Shape {
  using Element = Bf16;
  static constexpr i32 kLatent = 512;
  static constexpr i32 kRope = 64;
  using Store = StoreBf16;
  static constexpr i32 kHeads = 16;
  static constexpr i32 kValueDims = 512;
  static constexpr bool kLse = true;
  static constexpr bool kLseBase2 = true;
  static constexpr bool kEmptyLsePositive = false;
  static constexpr bool kMaxLogit = true;
  static constexpr i32 kPage = 64; ///< tokens
  static constexpr i32 kTopk = 0; ///< entries of an index row; 0 where positions are walked
  static constexpr bool kLogical = true; ///< entries are positions of the token's request

  static constexpr i32 kHeadGroups = 4; ///< in one CTA
  static constexpr i32 kHeadTiles = 1; ///< of 8 heads, in one group
  static constexpr i32 kQueryGroup = 2; ///< tokens of a request in one CTA, at most
  static constexpr i32 kHeadCtas = 1; ///< CTAs that share a group's heads
  static constexpr i32 kDimSplits = 1; ///< warps that share a head group's dims
  static constexpr i32 kKeySlices = 2; ///< warps that share a head group's tiles
  static constexpr i32 kThreads = 256;
  static constexpr i32 kStages = 6;
  static constexpr i32 kFullBarriers = 6; ///< a multiple of stages and key slices
  static constexpr i32 kMergePasses = 2;
  static constexpr i32 kQkChains = 1; ///< sums that QK is dealt to
  static constexpr bool kBulk = true; ///< one bulk copy a row, else 16 bytes a lane
  static constexpr bool kRowsReused = true; ///< soon, from the L2 cache
  static constexpr bool kNeedsPositions = false;

  // Shared memory, 113120 bytes: the ring's slots first, then
  static constexpr i32 kRowBytes = 1152;
  static constexpr i32 kRowStrideBytes = 1168; ///< an odd multiple of 16: ldmatrix without bank conflicts
  static constexpr i32 kSlotBytes = 18688;
  static constexpr i32 kFullAt = 112128;
  static constexpr i32 kEmptyAt = 112176;
  static constexpr i32 kAbsentAt = 112224;
  static constexpr i32 kPositionsAt = 112608;
  static constexpr i32 kStatsAt = 112608;
  static constexpr i32 kSharesAt = 113120;
  static constexpr i32 kQueriesAt = 113120;
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

/// Copied in the place of keys that do not exist, so that no stale value can reach the arithmetic.
__device__ const uint4 kZeroRow[72] = {};

extern "C" __global__ void __launch_bounds__(256, 1) dense_prefill_grouped(const __grid_constant__ Args args) {
  extern __shared__ __align__(128) u8 smem[];
  const u32 shared = sharedAddress(smem);
  const auto role = WarpRole<Shape>::here();
  const auto work = Work<Shape>::mine(args);
  if (work.token < 0) {
    return;
  }
  const auto rows = KeyRows<Shape, Rules, Args>::of(args, work.token, work.tokens);
  const auto [firstTile, tiles] = work.tiles(args, rows.tiles());
  const float toLog2 = (args.scaleDevice != nullptr ? *args.scaleDevice : args.scale) * kLog2E;

  const auto ring = Ring<Shape>::at(shared, args.cache, kZeroRow, role);
  auto first = FirstRows<Shape>::peek(ring, rows, firstTile, role.slice);
  const auto sights = TokenSights<Shape>::of(rows, work, role);
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
    scores = scaled<Shape>(scores, toLog2);
    scores = dropInvalid<Shape>(scores, stage, role);
    const bool allSee = sights.seeAll(firstTile + tile);
    if (!allSee) {
      scores = dropUnseen<Shape>(scores, sights, firstTile + tile, role);
    }
    const Probs<Shape> probs = softmax<Shape>(scores, 1.0f, acc);
    pvSeen(probs, stage, allSee, acc, role);
    if (later < tiles) {
      ring.release(stage, tile);
      window.gather(ring, tile / Shape::kKeySlices, firstTile, later);
    }
  }

  allowNextGrid(); // the combine, which waits for this grid's end
  mergeAndStore(acc, smem, shared, role, Sink<Shape, Args>{args, work});
}
