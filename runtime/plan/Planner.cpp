#include "runtime/plan/Planner.h"

#include "runtime/CheckFamily.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace mlac {
namespace {

constexpr std::int64_t ceilDiv(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

template <typename... Args>
Error planError(fmt::format_string<Args...> text, Args&&... args) {
  return {ErrorCode::InvalidArgument, fmt::format(text, std::forward<Args>(args)...)};
}

Status checkShape(const KernelFamily& family, const PlanShape& shape) {
  constexpr std::int64_t kMaxCount = std::numeric_limits<std::int32_t>::max();
  const auto checkCount = [&](const char* name, std::int64_t value) -> Status {
    if (value < 0 || value > kMaxCount)
      return planError("plan: {} is {}; it must lie between 0 and {}", name, value, kMaxCount);
    return Unit{};
  };
  MLAC_CHECK(checkCount("tokens", shape.tokens));
  MLAC_CHECK(checkCount("requests", shape.requests));
  MLAC_CHECK(checkCount("maxSeqLen", shape.maxSeqLen));
  if (shape.tokens > 0 && shape.requests == 0 && family.variant.isLogical())
    return planError("plan: requests is 0, but '{}' looks keys up by request; give the number of "
                     "requests the {} tokens belong to",
                     family.variant.name,
                     shape.tokens);
  if (shape.splits < 0)
    return planError("plan: splits is {}; give 0 to let the table choose", shape.splits);
  if (shape.splits > 0 && shape.balance)
    return planError("plan: splits is {}, but a balanced batch is cut by its lengths; give 0",
                     shape.splits);
  const bool balances = indexOfRole(family, KernelRole::Schedule) >= 0 &&
                        indexOfRole(family, KernelRole::Combine) >= 0;
  if (shape.balance && !balances)
    return planError("plan: '{}' was packed without its schedule kernel, or without its combine; "
                     "pack it again, or plan without balance",
                     family.variant.name);
  return Unit{};
}

struct Candidate {
  const PlanRow* row = nullptr;
  int splits = 1;
  int parts = 0;
  double ns = std::numeric_limits<double>::infinity();
};

class Search {
public:
  Search(const KernelFamily& family, int sms, const PlanShape& shape)
      : family(family), sms(sms), shape(shape), keys(keysPerRow(family.variant, shape.maxSeqLen)) {
    for (const Kernel& kernel : family.kernels)
      if (kernel.role == KernelRole::Combine)
        combineCtas = kernel.ctasPerToken;
  }

  /// The list of a balanced batch is one of tokens, not of groups.
  void consider(const PlanRow& row) {
    const Kernel& kernel = family.kernels[static_cast<std::size_t>(row.kernel)];
    if (!shape.balance)
      considerSplits(row);
    else if (kernel.queryGroup == 1)
      considerBalanced(row);
  }

  Candidate best; ///< row stays null where nothing fits

private:
  void considerSplits(const PlanRow& row) {
    const Kernel& kernel = family.kernels[static_cast<std::size_t>(row.kernel)];
    const std::int64_t tiles = std::max<std::int64_t>(1, ceilDiv(keys, kernel.keysPerTile));
    const int most = static_cast<int>(std::min<std::int64_t>(row.maxSplits, tiles));
    const int first = shape.splits > 0 ? shape.splits : 1;
    const int last = shape.splits > 0 ? std::min(shape.splits, row.maxSplits) : most;
    for (int splits = first; splits <= last; ++splits) {
      if (!gridsFit(kernel, splits))
        return;
      const double ns = predictNs(family, row, sms, shape, splits);
      if (ns < best.ns)
        best = Candidate{&row, splits, 0, ns};
    }
  }

  /// As many parts as there are places for CTAs.
  void considerBalanced(const PlanRow& row) {
    const Kernel& kernel = family.kernels[static_cast<std::size_t>(row.kernel)];
    const int places = sms * row.ctasPerSm;
    const int parts = std::max(1, places / kernel.ctasPerToken);
    const bool fits = (shape.tokens + parts) * kernel.ctasPerToken <= kMaxGridCtas &&
                      shape.tokens * combineCtas <= kMaxGridCtas;
    const double ns = predictBalancedNs(family, row, sms, shape, parts);
    if (fits && ns < best.ns)
      best = Candidate{&row, 1, parts, ns};
  }

  bool gridsFit(const Kernel& kernel, int splits) const {
    // Groups are never more than the tokens and a few.
    const std::int64_t most =
        kernel.queryGroup == 1 ? shape.tokens : shape.tokens + shape.requests + 2;
    const bool attention = most * kernel.ctasPerToken <= kMaxGridCtas / splits;
    return attention && (splits == 1 || shape.tokens * combineCtas <= kMaxGridCtas);
  }

  const KernelFamily& family;
  int sms;
  const PlanShape& shape;
  std::int64_t keys;
  std::int64_t combineCtas = 1;
};

/// Copying and arithmetic hide each other, but not wholly; see PlanRow.
double overlapped(double aNs, double bNs) {
  constexpr double kExposed = 0.25;
  return std::max(aNs, bNs) + kExposed * std::min(aNs, bNs);
}

/// The share of its rows' bytes that a CTA takes from the memory where `units` of each request walk
/// the same rows at a time; see PlanRow. Measured on an H200 with 2 to 2048 tokens a request.
double fromMemory(const Variant& variant, std::int64_t units, std::int64_t requests) {
  constexpr double kReadAgainShare = 0.52;
  if (variant.isTopk() || units <= requests)
    return 1;
  const double each = static_cast<double>(units) / static_cast<double>(requests);
  return (1 + (each - 1) * kReadAgainShare) / each;
}

/// What a piece costs beside its tiles, in tiles; a piece with fewer is not worth it.
int pieceTilesOf(const PlanRow& row) {
  constexpr int kMost = 64;
  const double tiles = row.tileNs > 0 ? row.fixedNs / row.tileNs : 1;
  return static_cast<int>(std::clamp(tiles, 1.0, double{kMost}));
}

Error nothingFits(const KernelFamily& family, const PlanShape& shape) {
  int maxSplits = 0;
  for (const PlanRow& row : family.table)
    if (shape.kernel < 0 || row.kernel == shape.kernel)
      maxSplits = std::max(maxSplits, row.maxSplits);
  if (maxSplits == 0)
    return planError("plan: kernel {} is none of the attention kernels of '{}'",
                     shape.kernel,
                     family.variant.name);
  if (shape.balance && shape.kernel >= 0 &&
      family.kernels[static_cast<std::size_t>(shape.kernel)].queryGroup > 1)
    return planError("plan: kernel {} takes a request's tokens in groups, a balanced batch is cut "
                     "token by token; leave the kernel to the plan",
                     shape.kernel);
  if (shape.splits > maxSplits)
    return planError(
        "plan: {} splits were asked for; this family allows {}", shape.splits, maxSplits);
  return planError("plan: {} tokens need more than {} thread blocks, the most a grid can have; "
                   "launch them in parts",
                   shape.tokens,
                   kMaxGridCtas);
}

} // namespace

std::int64_t partialSlots(std::int64_t tokens, int splits, int parts) {
  if (tokens == 0)
    return 0;
  if (parts > 0)
    return 2 * std::int64_t{parts - 1};
  return splits > 1 ? tokens * splits : 0;
}

std::size_t scheduleBytes(std::int64_t tokens, int parts) {
  constexpr std::size_t kHeader = 16;
  constexpr std::size_t kCut = 16;
  constexpr std::size_t kPiece = 32;
  const auto rows = static_cast<std::size_t>(tokens);
  return kHeader + rows * kCut + (rows + static_cast<std::size_t>(parts)) * kPiece;
}

WorkspaceLayout workspaceLayout(const Variant& variant, std::int64_t slots) {
  WorkspaceLayout layout;
  if (slots == 0)
    return layout;
  constexpr std::size_t kAlign = 256;
  std::size_t at = 0;
  const auto section = [&](std::size_t floats) {
    const std::size_t offset = at;
    at = (at + floats * sizeof(float) + kAlign - 1) / kAlign * kAlign;
    return offset;
  };
  // Heads lie in tiles of 8 (templates/mlac/tile/sink.cuh), the last of them filled up.
  const int paddedHeads = variant.headTiles() * 8;
  const std::size_t rows = static_cast<std::size_t>(slots) * static_cast<std::size_t>(paddedHeads);
  layout.partialOutOffset = section(rows * static_cast<std::size_t>(variant.valueDims()));
  layout.partialLseOffset = section(rows);
  layout.partialMaxOffset = variant.maxLogit ? section(rows) : 0;
  layout.bytes = at;
  return layout;
}

std::int64_t gridUnits(const Kernel& kernel, const TokenBatch& batch) {
  const std::int64_t size = kernel.queryGroup;
  if (size == 1 || batch.table == RequestTable::TokenRequest)
    return batch.tokens;
  if (batch.table == RequestTable::QueryStart)
    return batch.tokens / size + batch.requests + 2;
  return batch.requests * ceilDiv(ceilDiv(batch.tokens, batch.requests), size);
}

std::int64_t gridCtas(const Kernel& kernel, std::int64_t units, int splits, int parts) {
  const std::int64_t pieces = parts > 0 ? units + parts : units * splits;
  return pieces * kernel.ctasPerToken;
}

std::int64_t combineCtas(std::int64_t tiles) {
  constexpr std::int64_t kEnoughCtas = 256; // for every SM of any GPU so far
  constexpr std::int64_t kMostTilesEach = 8;
  std::int64_t each = 1;
  while (each < kMostTilesEach && tiles / (2 * each) >= kEnoughCtas)
    each *= 2;
  return ceilDiv(tiles, each);
}

std::int64_t keysPerRow(const Variant& variant, std::int64_t maxSeqLen) {
  switch (variant.iterate) {
  case IterateKind::TopkLogical:
  case IterateKind::TopkPhysical:
    return variant.topk;
  case IterateKind::Window:
    return std::min<std::int64_t>(variant.window, maxSeqLen);
  case IterateKind::Dense:
    break;
  }
  return maxSeqLen;
}

double predictNs(
    const KernelFamily& family, const PlanRow& row, int sms, const PlanShape& shape, int splits) {
  const Kernel& kernel = family.kernels[static_cast<std::size_t>(row.kernel)];
  const std::int64_t keys = keysPerRow(family.variant, shape.maxSeqLen);
  const std::int64_t units = gridUnits(kernel, {shape.tokens, shape.requests});
  const std::int64_t ctas = gridCtas(kernel, units, splits, 0);
  const std::int64_t places = static_cast<std::int64_t>(sms) * row.ctasPerSm;
  const auto waves = static_cast<double>(ceilDiv(ctas, places));
  // CTAs that share an SM wait for one another, whether or not all SMs are shared.
  const std::int64_t busy = std::min(ctas, places);
  const auto busyCtas = static_cast<double>(busy > sms ? ceilDiv(busy, sms) * sms : busy);
  const auto tilesPerCta = static_cast<double>(ceilDiv(ceilDiv(keys, kernel.keysPerTile), splits));
  const double bandwidth = family.bytesPerNsPerSm * sms;
  const double bytes = row.tileBytes * fromMemory(family.variant, units, shape.requests);
  const double tileNs = overlapped(row.tileNs, bytes * busyCtas / bandwidth);
  const double eachSplitNs = static_cast<double>(shape.tokens) * row.combineSplitNs;
  const double attentionNs = waves * (row.fixedNs + tilesPerCta * tileNs);
  return splits > 1 ? attentionNs + row.combineFixedNs + splits * eachSplitNs : attentionNs;
}

double predictBalancedNs(
    const KernelFamily& family, const PlanRow& row, int sms, const PlanShape& shape, int parts) {
  const Kernel& kernel = family.kernels[static_cast<std::size_t>(row.kernel)];
  const std::int64_t keys = keysPerRow(family.variant, shape.maxSeqLen);
  const std::int64_t tiles = shape.tokens * ceilDiv(keys, kernel.keysPerTile);
  const double busyCtas = static_cast<double>(parts) * kernel.ctasPerToken;
  const double bandwidth = family.bytesPerNsPerSm * sms;
  const double tileNs = overlapped(row.tileNs, row.tileBytes * busyCtas / bandwidth);
  const double pieces = 1 + static_cast<double>(shape.tokens) / parts; // of a part
  const auto slots = static_cast<double>(std::min(partialSlots(shape.tokens, 1, parts), tiles));
  constexpr std::int64_t kLeastTiles = 2; // of a piece: templates/mlac/kernels/schedule.cuh
  const std::int64_t tilesOfPart = std::max(kLeastTiles, ceilDiv(tiles, parts));
  return static_cast<double>(tilesOfPart) * tileNs + pieces * row.fixedNs + row.combineFixedNs +
         slots * row.combineSplitNs;
}

Result<Plan> planLaunch(const KernelFamily& family, int sms, const PlanShape& shape) {
  MLAC_CHECK(checkShape(family, shape));
  Plan plan;
  plan.shape = shape;
  if (shape.tokens == 0)
    return plan;
  Search search(family, sms, shape);
  for (const PlanRow& row : family.table)
    if (shape.kernel < 0 || row.kernel == shape.kernel)
      search.consider(row);
  if (search.best.row == nullptr)
    return nothingFits(family, shape);
  const auto& [row, splits, parts, ns] = search.best;
  const Kernel& kernel = family.kernels[static_cast<std::size_t>(row->kernel)];
  plan.kernel = row->kernel;
  plan.splits = splits;
  plan.gridCtas =
      gridCtas(kernel, gridUnits(kernel, {shape.tokens, shape.requests}), splits, parts);
  plan.workspaceBytes =
      workspaceLayout(family.variant, partialSlots(shape.tokens, splits, parts)).bytes;
  if (parts > 0) {
    plan.parts = parts;
    plan.pieceTiles = pieceTilesOf(*row);
    plan.scheduleBytes = scheduleBytes(shape.tokens, parts);
  }
  plan.predictedNs = ns;
  return plan;
}

} // namespace mlac
