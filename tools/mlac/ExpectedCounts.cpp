#include "tools/mlac/ExpectedCounts.h"

#include <algorithm>

namespace mlac {
namespace {

constexpr std::int64_t kWarpThreads = 32;
constexpr std::int64_t kSectorBytes = 32;
constexpr std::int64_t kTileHeads = 8;
constexpr std::int64_t kStepDims = 16;  ///< of m16n8k16, along the contracted or the value dims
constexpr std::int64_t kCopyBytes = 16; ///< of one cp.async
constexpr std::int64_t kStatBytes = 4;  ///< lse and max_logit are f32

struct Formula {
  const Variant& variant;
  const Schedule& schedule;
  std::int64_t headCtas;
  std::int64_t tokens = 0;
  std::int64_t tiles = 0;   ///< of all tokens, gathered once by each head CTA
  std::int64_t refills = 0; ///< tiles that are not among a ring's first
  std::int64_t keys = 0;

  void add(const TokenKeys& token) {
    const std::int64_t tilesOfToken =
        (token.entries + schedule.keysPerStage - 1) / schedule.keysPerStage;
    ++tokens;
    tiles += tilesOfToken;
    refills += std::max<std::int64_t>(0, tilesOfToken - schedule.stages);
    keys += token.keys;
  }

  bool isBulk() const { return schedule.gather == Gather::Bulk; }

  /// Warps that work on one tile.
  std::int64_t consumers() const { return std::int64_t{schedule.headGroups} * schedule.dimSplits; }

  std::int64_t ctas() const { return headCtas * tokens; }

  std::int64_t threads() const { return ctas() * schedule.threads(); }

  /// A head group takes each of its left operands, 16 keys by 16 dims, from the ring with one
  /// ldmatrix. Its dim splits divide these steps, for scores and for values; where they do not
  /// divide evenly, steps past the last are left out.
  std::int64_t matrixLoads() const {
    const std::int64_t scoreSteps = variant.qkDims() / kStepDims;
    const std::int64_t valueSteps = variant.valueDims() / kStepDims;
    return headCtas * tiles * schedule.headGroups * (scoreSteps + valueSteps);
  }

  /// An operand is multiplied with each tile of 8 heads of the group, those past the last head
  /// among them.
  std::int64_t matrixProducts() const { return matrixLoads() * schedule.headTiles; }

  /// One bulk copy a row of a tile, or one copy each 16 bytes of it; also where there is no key.
  std::int64_t asyncCopies() const {
    return headCtas * tiles * schedule.keysPerStage *
           (isBulk() ? 1 : variant.recordBytes() / kCopyBytes);
  }

  /// A bulk copy brings a row of zeros where there is no key; cp.async writes zeros and reads
  /// nothing.
  std::int64_t asyncBytes() const {
    return headCtas * (isBulk() ? tiles * schedule.keysPerStage : keys) * variant.recordBytes();
  }

  /// Rows begin with a sector, and lanes that share one read it together.
  std::int64_t asyncSectors() const { return asyncBytes() / kSectorBytes; }

  /// Outputs beside `out`.
  std::int64_t statTensors() const {
    return (variant.lse != LseMode::None ? 1 : 0) + (variant.maxLogit ? 1 : 0);
  }

  std::int64_t outBytes() const {
    return tokens * variant.heads * variant.valueDims() * elementBytes(variant.output);
  }

  /// Every output once, without the padding of the heads.
  std::int64_t globalStoreBytes() const {
    return outBytes() + tokens * variant.heads * statTensors() * kStatBytes;
  }

  /// Whether each token's stats begin with a sector.
  bool statsAreAligned() const {
    return tokens == 1 || variant.heads % kTileHeads == 0 || statTensors() == 0;
  }

  /// Four lanes with 8 bytes each, or eight with an f32, write a whole sector of `out`. The stats
  /// of 8 heads fill one sector, which two instructions write: one for the even heads, one for the
  /// odd ones.
  std::int64_t globalStoreSectors() const {
    const std::int64_t wholeTiles = variant.heads / kTileHeads;
    const std::int64_t inLastTile = variant.heads % kTileHeads;
    const std::int64_t writes = 2 * wholeTiles + std::min<std::int64_t>(2, inLastTile);
    return outBytes() / kSectorBytes + tokens * statTensors() * writes;
  }

  /// By all warps: after the ring's barriers are set up and after queries were put into shared
  /// memory; with slices, after their stats, after each round of the merge, and between two rounds.
  /// By those that divide a tile's dims: one a tile, between their shares of the scores and the
  /// sum.
  std::int64_t ctaBarriers() const {
    const std::int64_t inSharedMemory = schedule.queryHome == QueryHome::Shared ? 1 : 0;
    const std::int64_t merge = schedule.keySlices > 1 ? 2 * schedule.mergePasses : 0;
    const std::int64_t exchanges = schedule.dimSplits > 1 ? tiles * consumers() : 0;
    return ctas() * schedule.warps() * (1 + inSharedMemory + merge) + headCtas * exchanges;
  }

  /// Tiles whose slots the warps that work on them wait for one another to refill; a warp alone
  /// need not.
  std::int64_t awaitedRefills() const { return consumers() > 1 ? refills : 0; }

  /// Every thread that works on a tile waits until it has landed, and until its slot is free.
  std::int64_t barrierWaits() const {
    return headCtas * consumers() * kWarpThreads * (tiles + awaitedRefills());
  }

  /// Every warp that works on a tile arrives once for its share of the gather (besides the copies
  /// themselves); every thread of them when it is done with a tile whose slot is refilled.
  std::int64_t barrierArrivals() const {
    return headCtas * consumers() * (tiles + awaitedRefills() * kWarpThreads);
  }
};

} // namespace

std::vector<ExpectedCount> expectedCounts(const Variant& variant,
                                          const Schedule& schedule,
                                          int headCtas,
                                          std::span<const TokenKeys> tokens) {
  Formula formula{.variant = variant, .schedule = schedule, .headCtas = headCtas};
  for (const TokenKeys& token : tokens)
    formula.add(token);
  std::vector<ExpectedCount> counts = {
      {"ctas", formula.ctas()},
      {"threads", formula.threads()},
      {"matrixLoads", formula.matrixLoads()},
      // The ring's rows stand an odd multiple of 16 bytes apart, so the eight of a matrix lie on
      // different banks.
      {"matrixConflicts", 0},
      {"globalStoreBytes", formula.globalStoreBytes()},
      {"asyncCopies", formula.asyncCopies()},
      {"asyncBytes", formula.asyncBytes()},
      {"asyncSectors", formula.asyncSectors()},
      {"matrixProducts", formula.matrixProducts()},
      {"ctaBarriers", formula.ctaBarriers()},
      {"barrierWaits", formula.barrierWaits()},
      {"barrierArrivals", formula.barrierArrivals()},
  };
  if (formula.statsAreAligned())
    counts.push_back({"globalStoreSectors", formula.globalStoreSectors()});
  return counts;
}

} // namespace mlac
