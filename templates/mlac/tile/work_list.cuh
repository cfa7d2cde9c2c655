// How a batch of rows of different lengths was cut among CTAs, as it lies in device memory: written
// once a step (kernels/schedule.cuh), read by every launch of that step.
#pragma once

#include "mlac/base/types.cuh"

namespace mlac {

/// What one CTA of each head group does.
struct Piece {
  i32 token;
  i32 firstTile;
  i32 tiles;
  i32 split;     ///< its number among the token's pieces
  i32 splits;    ///< pieces of the token; one writes the outputs, more write partial results
  i32 firstSlot; ///< of the token's partial results
};

/// How a token was cut.
struct TokenCut {
  i32 firstSlot;
  i32 splits;
  i32 tiles;    ///< of its row
  i32 firstCut; ///< the tile at which its second piece begins, were that inside the row
};

/// 16 bytes with the number of pieces, then a TokenCut for each token, then the pieces, 32 bytes
/// each. 16-byte aligned. `scheduleBytes` in runtime/plan sizes it.
class WorkList {
public:
  static __device__ __forceinline__ WorkList at(void* memory, i32 tokens) {
    int4* const words = static_cast<int4*>(memory);
    return WorkList{words, words + 1, words + 1 + tokens};
  }

  __device__ __forceinline__ i32 count() const { return header->x; }

  __device__ __forceinline__ void setCount(i32 count) const { *header = make_int4(count, 0, 0, 0); }

  __device__ __forceinline__ TokenCut cut(i32 token) const {
    const int4 words = cuts[token];
    return {words.x, words.y, words.z, words.w};
  }

  __device__ __forceinline__ void setCut(i32 token, const TokenCut& cut) const {
    cuts[token] = make_int4(cut.firstSlot, cut.splits, cut.tiles, cut.firstCut);
  }

  __device__ __forceinline__ Piece piece(i32 number) const {
    const int4 what = pieces[static_cast<i64>(number) * 2];
    const int4 where = pieces[static_cast<i64>(number) * 2 + 1];
    return {what.x, what.y, what.z, what.w, where.x, where.y};
  }

  __device__ __forceinline__ void setPiece(i32 number, const Piece& piece) const {
    int4* const to = pieces + static_cast<i64>(number) * 2;
    to[0] = make_int4(piece.token, piece.firstTile, piece.tiles, piece.split);
    to[1] = make_int4(piece.splits, piece.firstSlot, 0, 0);
  }

private:
  __device__ __forceinline__ WorkList(int4* header, int4* cuts, int4* pieces)
      : header(header), cuts(cuts), pieces(pieces) {}

  int4* header;
  int4* cuts;
  int4* pieces;
};

} // namespace mlac
