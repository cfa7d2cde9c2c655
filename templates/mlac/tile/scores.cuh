// S^T = K Q^T for one tile of 16 keys and 8 heads, and what the variant's rules make of it.
#pragma once

#include "mlac/base/types.cuh"
#include "mlac/ptx/address.cuh"
#include "mlac/ptx/matrix.cuh"
#include "mlac/tile/ring.cuh"
#include "mlac/tile/warp_role.cuh"

namespace mlac {

/// Fragment of S^T: [0], [1] are key `row`, heads 2 pair and 2 pair + 1; [2], [3] the same of key
/// `row` + 8.
struct Scores {
  float s[4];
};

/// Keys come in by ldmatrix straight from the rows; their padded stride keeps its eight row reads
/// on different banks. Steps are dealt to kQkChains sums: a product waits for the one before it in
/// its chain, which a warp on its own feels; but each further chain takes four registers.
template <class Shape, class Queries>
__device__ __forceinline__ Scores qk(const Queries& queries,
                                     const Stage& stage,
                                     const WarpRole<Shape>& role) {
  constexpr i32 kSteps = (Shape::kLatent + Shape::kRope) / 16;
  constexpr i32 kChains = Shape::kQkChains;
  const u32 mine = stage.address + role.lane % 16 * Shape::kRowStrideBytes + role.lane / 16 * 16;
  Scores chains[kChains] = {};
#pragma unroll
  for (i32 k = 0; k < kSteps; k += 2) {
    u32 keys[4];
    u32 b[4];
    queries.pair(k, b);
    loadMatrix4(keys, mine + k * 32);
    Shape::Element::mma(chains[k % kChains].s, keys, b[0], b[1]);
    if (k + 1 < kSteps) {
      loadMatrix4(keys, mine + k * 32 + 32);
      Shape::Element::mma(chains[(k + 1) % kChains].s, keys, b[2], b[3]);
    }
  }
#pragma unroll
  for (i32 chain = 1; chain < kChains; ++chain)
#pragma unroll
    for (i32 i = 0; i < 4; ++i)
      chains[0].s[i] += chains[chain].s[i];
  return chains[0];
}

/// Takes entries that are no keys out of the softmax.
template <class Shape>
__device__ __forceinline__ Scores dropInvalid(Scores scores,
                                              const Stage& stage,
                                              const WarpRole<Shape>& role) {
  if (stage.invalid >> role.row & 1)
    scores.s[0] = scores.s[1] = negativeInfinity();
  if (stage.invalid >> (role.row + 8) & 1)
    scores.s[2] = scores.s[3] = negativeInfinity();
  return scores;
}

/// Calls rule(score, head, position) on each element of the fragment.
template <class Shape, class Rule>
__device__ __forceinline__ Scores transform(
    Scores scores, const Stage& stage, const WarpRole<Shape>& role, i32 firstHead, Rule rule) {
#pragma unroll
  for (i32 half = 0; half < 2; ++half) {
    const i32 position = loadSharedI32(stage.positions + (role.row + half * 8) * 4);
#pragma unroll
    for (i32 i = 0; i < 2; ++i) {
      const i32 head = firstHead + role.headGroup * kHeadsPerGroup + role.pair * 2 + i;
      scores.s[half * 2 + i] = rule(scores.s[half * 2 + i], head, position);
    }
  }
  return scores;
}

} // namespace mlac
