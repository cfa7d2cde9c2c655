#include "tools/mlac/TokenCost.h"

#include "runtime/plan/Planner.h"

#include <algorithm>

namespace mlac {

TokenCost tokenCost(const Variant& variant, std::int64_t context) {
  constexpr std::int64_t kHeadGroup = 8;
  const std::int64_t paddedHeads = (variant.heads + kHeadGroup - 1) / kHeadGroup * kHeadGroup;
  TokenCost cost;
  cost.keys = std::min(keysPerRow(variant, context), context);
  cost.cacheBytes = cost.keys * variant.recordBytes();
  cost.queryBytes = std::int64_t{variant.heads} * variant.qkDims() * elementBytes(variant.query);
  cost.indexBytes = std::int64_t{variant.topk} * 4;
  cost.outputBytes =
      std::int64_t{variant.heads} * variant.valueDims() * elementBytes(variant.output);
  const std::int64_t flopsPerHead = 2 * cost.keys * (variant.qkDims() + variant.valueDims());
  cost.flops = variant.heads * flopsPerHead;
  cost.paddedFlops = paddedHeads * flopsPerHead;
  return cost;
}

} // namespace mlac
