#include "tools/mlac/ExpectedCounts.h"

#include <algorithm>

namespace mlac {
namespace {

constexpr std::int64_t kWarpThreads = 32;
constexpr std::int64_t kSectorBytes = 32;
constexpr std::int64_t kGroupHeads = 8;
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

  /// A product covers 16 keys, 8 heads and 16 dims. Each of a head group's dim splits makes all
  /// scores; the value dims are divided among them. Groups past the last head are computed too.
  std::int64_t matrixProducts() const {
    const std::int64_t scoreSteps = schedule.dimSplits * (variant.qkDims() / kStepDims);
    const std::int64_t valueSteps = variant.valueDims() / kStepDims;
    return headCtas * tiles * schedule.headGroups * (scoreSteps + valueSteps);
  }

  /// Each product takes its left operand from the ring with one ldmatrix.
  std::int64_t matrixLoads() const { return matrixProducts(); }

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
    return tokens == 1 || variant.heads % kGroupHeads == 0 || statTensors() == 0;
  }

  /// Sectors of `out` are written whole. The stats of a head group fill one sector, which two
  /// instructions write: one for the even heads, one for the odd ones.
  std::int64_t globalStoreSectors() const {
    const std::int64_t wholeGroups = variant.heads / kGroupHeads;
    const std::int64_t inLastGroup = variant.heads % kGroupHeads;
    const std::int64_t writes = 2 * wholeGroups + std::min<std::int64_t>(2, inLastGroup);
    return outBytes() / kSectorBytes + tokens * statTensors() * writes;
  }

  /// After the ring's barriers are set up, after queries were put into shared memory, after the
  /// slices' stats, after each round of the merge, and between two rounds.
  std::int64_t ctaBarriers() const {
    const std::int64_t inSharedMemory = schedule.queryHome == QueryHome::Shared ? 1 : 0;
    const std::int64_t merge = 1 + schedule.mergePasses + schedule.mergePasses - 1;
    return ctas() * schedule.warps() * (1 + inSharedMemory + merge);
  }

  /// Every thread that works on a tile waits until it has landed. Where several warps do, the one
  /// that refills its slot waits for the others too.
  std::int64_t barrierWaits() const {
    const std::int64_t forOthers = consumers() > 1 ? refills : 0;
    return headCtas * kWarpThreads * (tiles * consumers() + forOthers);
  }

  /// One a tile by the warp that gathers it. Where several warps work on a tile that will be
  /// refilled, each of their threads arrives when it is done.
  std::int64_t barrierArrivals() const {
    const std::int64_t done = consumers() > 1 ? refills * consumers() * kWarpThreads : 0;
    return headCtas * (tiles + done);
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
