// Which part of its CTA's work a warp does, and where a lane stands in the fragments of
// mma.m16n8k16.
#pragma once

#include "mlac/base/types.cuh"

namespace mlac {

inline constexpr i32 kTileHeads = 8; ///< heads lie on the N side of the product, which is 8 wide
inline constexpr i32 kTileKeys = 16; ///< keys lie on the M side

template <class Shape>
struct WarpRole {
  i32 lane;
  i32 row;  ///< lane / 4: the fragment's row, a key or a dim, and row + 8
  i32 pair; ///< lane % 4: columns 2 * pair and 2 * pair + 1, two heads
  i32 headGroup;
  i32 dimSplit;
  i32 slice;

  static __device__ __forceinline__ WarpRole here() {
    const i32 warp = threadIdx.x / 32;
    const i32 lane = threadIdx.x % 32;
    return {lane,
            lane / 4,
            lane % 4,
            warp % Shape::kHeadGroups,
            warp / Shape::kHeadGroups % Shape::kDimSplits,
            warp / (Shape::kHeadGroups * Shape::kDimSplits)};
  }

  /// Number in the CTA of the warp's i-th tile of 8 heads.
  __device__ __forceinline__ i32 headTile(i32 i) const { return headGroup * Shape::kHeadTiles + i; }
};

} // namespace mlac
