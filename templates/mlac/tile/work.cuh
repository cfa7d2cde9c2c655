// A CTA's share of the launch: one token or a group of them, some of their heads, some of their
// keys.
#pragma once

#include "mlac/base/types.cuh"
#include "mlac/tile/query_group.cuh"
#include "mlac/tile/work_list.cuh"

namespace mlac {

/// Division by a number whose reciprocal the host has found: a product instead of some twenty
/// instructions on the way to the first load.
struct Divisor {
  u32 by;
  u32 reciprocal; ///< (2^32 - 1) / by

  struct Parts {
    u32 quotient;
    u32 rest;
  };

  /// The product falls short of the quotient by one at most.
  __device__ __forceinline__ Parts divide(u32 number) const {
    const u32 quotient = static_cast<u32>(static_cast<u64>(number) * reciprocal >> 32);
    const u32 rest = number - quotient * by;
    return rest >= by ? Parts{quotient + 1, rest - by} : Parts{quotient, rest};
  }
};

/// A range of a row's tiles.
struct TileRange {
  i32 first;
  i32 count;

  /// A split's share: as even as whole tiles allow, the first splits have one more.
  static __device__ __forceinline__ TileRange of(i32 tiles, i32 split, const Divisor& splits) {
    const auto [each, more] = splits.divide(static_cast<u32>(tiles));
    const i32 extra = static_cast<i32>(more); // splits with one more
    return {static_cast<i32>(each) * split + smaller(split, extra),
            static_cast<i32>(each) + (split < extra ? 1 : 0)};
  }
};

template <class Shape>
struct Work {
  i32 token;        ///< the first of the group; -1: nothing is left for this CTA
  i32 tokens;       ///< of the group
  i32 firstRowTile; ///< of the CTA's tiles of 8 rows, among the group's
  i32 split;
  i32 splits;       ///< of each token
  i64 firstSlot;    ///< where the first token's partial results begin, in slots of all heads
  TileRange listed; ///< the tiles, where the work was listed

  /// Without a list all rows are cut alike: splits of a group lie next to one another in the grid,
  /// then its CTAs for other heads, so that CTAs that share rows run together. With one, a CTA
  /// takes the piece of its number; groups are of one token then.
  template <class Args>
  static __device__ __forceinline__ Work mine(const Args& args) {
    if constexpr (Shape::kQueryGroup == 1)
      if (args.schedule != nullptr)
        return fromList(WorkList::at(args.schedule, args.tokens), args.tokens);
    const auto [headCta, split] = splitsOf(args).divide(blockIdx.x);
    const auto [token, tokens] =
        tokensOf<Shape>(args, static_cast<i32>(headCta / Shape::kHeadCtas));
    return {tokens > 0 ? token : -1,
            tokens,
            firstRowTileOf(headCta % Shape::kHeadCtas),
            static_cast<i32>(split),
            args.splits,
            static_cast<i64>(token) * args.splits,
            {0, -1}};
  }

  /// `rowTiles` are the tiles of the token's row.
  template <class Args>
  __device__ __forceinline__ TileRange tiles(const Args& args, i32 rowTiles) const {
    return listed.count >= 0 ? listed : TileRange::of(rowTiles, split, splitsOf(args));
  }

  __device__ __forceinline__ RowTile<Shape> rowTile(i32 tileInCta) const {
    return RowTile<Shape>::of(firstRowTile + tileInCta);
  }

  /// The last CTA of a group may have tiles that no token has.
  __device__ __forceinline__ bool has(const RowTile<Shape>& tile) const {
    return tile.token < tokens;
  }

private:
  template <class Args>
  static __device__ __forceinline__ Divisor splitsOf(const Args& args) {
    return {static_cast<u32>(args.splits), static_cast<u32>(args.splitsReciprocal)};
  }

  static __device__ __forceinline__ i32 firstRowTileOf(u32 headCta) {
    return static_cast<i32>(headCta) * Shape::kHeadGroups * Shape::kHeadTiles;
  }

  static __device__ __forceinline__ Work fromList(const WorkList& list, i32 tokens) {
    const i32 number = static_cast<i32>(blockIdx.x / Shape::kHeadCtas);
    if (number >= list.count())
      return {-1, 0, 0, 0, 1, 0, {0, 0}};
    const Piece piece = list.piece(number);
    return {piece.token < tokens ? piece.token : -1,
            1,
            firstRowTileOf(blockIdx.x % Shape::kHeadCtas),
            piece.split,
            piece.splits,
            piece.firstSlot,
            {piece.firstTile, piece.tiles}};
  }
};

} // namespace mlac
