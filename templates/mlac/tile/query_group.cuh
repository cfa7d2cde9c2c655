// Query tokens of one request whose rows lie side by side in a CTA, so that the keys they share are
// gathered once. A group of one token is what kernels without grouping have.
#pragma once

#include "mlac/base/types.cuh"
#include "mlac/tile/request.cuh"
#include "mlac/tile/warp_role.cuh"

namespace mlac {

/// Tokens [first, first + count) of a request; none where count is 0.
struct TokenRange {
  i32 first;
  i32 count;
};

/// Group number `group` of `size` tokens at most, of tokens [begin, end).
__device__ __forceinline__ TokenRange groupIn(i32 begin, i32 end, i32 group, i32 size) {
  const i32 first = begin + group * size;
  return {first, larger(0, smaller(size, end - first))};
}

/// Where requests bring as many tokens each, each has ceil(tokens / size) groups.
template <class Args>
__device__ __forceinline__ TokenRange uniformGroup(const Args& args, i32 unit, i32 size) {
  const i32 each = args.tokens / args.requests;
  const i32 groups = (each + size - 1) / size;
  const i32 request = unit / groups;
  return groupIn(
      request * each, smaller((request + 1) * each, args.tokens), unit - request * groups, size);
}

/// Else groups are numbered so that each request's first can be computed: tokens that begin at s
/// are preceded by s / size groups at most, and one more for each range before them. Ranges are the
/// requests', and before and after them the tokens that no request owns, whose rows are empty but
/// must be written. Some numbers are left without tokens. Called by whole warps.
template <class Args>
__device__ __forceinline__ TokenRange raggedGroup(const Args& args, i32 unit, i32 size) {
  const i32 range = startedBy(args.requests + 1, [&](i32 request) {
    return args.queryStart[request] / size + request + 1 <= unit;
  });
  const i32 begin = range == 0 ? 0 : args.queryStart[range - 1];
  const i32 end = range > args.requests ? args.tokens : args.queryStart[range];
  return groupIn(begin, smaller(end, args.tokens), unit - (begin / size + range), size);
}

/// The tokens of group number `unit` of the grid, which has `gridUnits` of runtime/plan. Tokens
/// that name their requests one by one stand in no order, and each on its own.
template <class Shape, class Args>
__device__ __forceinline__ TokenRange tokensOf(const Args& args, i32 unit) {
  if constexpr (Shape::kQueryGroup > 1) {
    if (args.queryStart != nullptr)
      return raggedGroup(args, unit, Shape::kQueryGroup);
    if (args.tokenRequest == nullptr)
      return uniformGroup(args, unit, Shape::kQueryGroup);
  }
  return {unit, 1};
}

/// What a tile of 8 rows is: which token of the group, and which of its tiles of 8 heads.
template <class Shape>
struct RowTile {
  static constexpr i32 kHeadTiles = (Shape::kHeads + kTileHeads - 1) / kTileHeads; ///< a token's

  i32 token; ///< from the group's first
  i32 headTile;

  /// `tile` counts the group's tiles, token after token. One past the last is a token's that the
  /// group does not have.
  static __device__ __forceinline__ RowTile of(i32 tile) {
    if constexpr (Shape::kQueryGroup == 1)
      return {tile < kHeadTiles ? 0 : 1, tile};
    else
      return {tile / kHeadTiles, tile % kHeadTiles};
  }
};

} // namespace mlac
