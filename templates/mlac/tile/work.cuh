// A CTA's share of the launch: one token, some of its heads, some of its keys.
#pragma once

#include "mlac/base/types.cuh"
#include "mlac/tile/warp_role.cuh"

namespace mlac {

template <class Shape>
struct Work {
  i32 token;
  i32 firstHeadTile; ///< of the CTA's tiles of 8 heads
  i32 split;

  /// Splits of a token lie next to one another in the grid, then its head groups, so that CTAs that
  /// share rows run together.
  static __device__ __forceinline__ Work mine(i32 splits) {
    const u32 rest = blockIdx.x / splits;
    return {static_cast<i32>(rest / Shape::kHeadCtas),
            static_cast<i32>(rest % Shape::kHeadCtas) * Shape::kHeadGroups * Shape::kHeadTiles,
            static_cast<i32>(blockIdx.x % splits)};
  }
};

/// A split's share of a row's tiles: as even as whole tiles allow, the first splits have one more.
struct TileRange {
  i32 first;
  i32 count;

  static __device__ __forceinline__ TileRange of(i32 tiles, i32 split, i32 splits) {
    const i32 each = static_cast<i32>(static_cast<u32>(tiles) / static_cast<u32>(splits));
    const i32 more = tiles - each * splits; // splits with one more
    return {each * split + smaller(split, more), each + (split < more ? 1 : 0)};
  }
};

} // namespace mlac
