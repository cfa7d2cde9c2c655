// A CTA's share of the launch: one token, some of its heads, some of its keys.
#pragma once

#include "mlac/base/types.cuh"
#include "mlac/tile/warp_role.cuh"

namespace mlac {

template <class Shape>
struct Work {
  i32 token;
  i32 firstHead;
  i32 split;

  /// Splits of a token lie next to one another in the grid, then its head groups, so that CTAs that
  /// share rows run together.
  static __device__ __forceinline__ Work mine(i32 splits) {
    const u32 rest = blockIdx.x / splits;
    return {static_cast<i32>(rest / Shape::kHeadCtas),
            static_cast<i32>(rest % Shape::kHeadCtas) * Shape::kHeadGroups * kHeadsPerGroup,
            static_cast<i32>(blockIdx.x % splits)};
  }
};

/// First tile of a split when `tiles` are dealt as evenly as whole tiles allow.
__device__ __forceinline__ i32 firstTileOfSplit(i32 tiles, i32 split, i32 splits) {
  return static_cast<i32>(static_cast<i64>(tiles) * split / splits);
}

} // namespace mlac
