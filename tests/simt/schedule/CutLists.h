// CutLists: what the schedule kernel writes, brought back from the device.
#pragma once

#include "common/Result.h"
#include "common/Variant.h"
#include "tools/gpu/DeviceBuffer.h"
#include "tools/simt/RunOnSimt.h"

#include <cstdint>
#include <span>
#include <vector>

namespace mlac::cuts {

/// One entry of the list, as it lies in memory.
struct Piece {
  std::int32_t token;
  std::int32_t firstTile;
  std::int32_t tiles;
  std::int32_t split;
  std::int32_t splits;
  std::int32_t firstSlot;
  std::int32_t unused[2];
};

/// A token's cut, as it lies in memory.
struct Cut {
  std::int32_t firstSlot;
  std::int32_t splits;
  std::int32_t tiles;
  std::int32_t firstCut;

  friend bool operator==(const Cut&, const Cut&) = default;
};

struct CutList {
  std::vector<Cut> cuts;     ///< by token
  std::vector<Piece> pieces; ///< in the order in which CTAs take them
};

/// Into how much a batch is cut.
struct Division {
  int parts = 1;
  int pieceTiles = 1; ///< what a piece costs beside its tiles, in tiles, where there are many
};

/// The list in `schedule`, of `tokens` tokens. InvalidInput where it counts more pieces than it has
/// room for.
Result<CutList> readList(const DeviceBuffer& schedule, int tokens);

/// A family of the variant for sm_90 under the executor.
Result<SimtSession> openVariant(const Variant& variant);

/// A balanced plan of that many tokens, one a request, with another division than the planner's.
/// `kernel` as in PlanShape.
Result<Plan>
planDivided(const Family& family, int tokens, int requests, Division division, int kernel = -1);

/// Cuts one-token requests of these lengths, in keys (of a top-k variant: in entries), and does
/// nothing else. What the kernel is found to do wrong is an error.
Result<CutList> cutBatch(const SimtSession& session,
                         std::span<const std::int32_t> lengths,
                         Division division,
                         std::uint64_t seed);

} // namespace mlac::cuts
