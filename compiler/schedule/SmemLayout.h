// Where everything lies in a CTA's shared memory.
#pragma once

#include "common/Variant.h"
#include "compiler/schedule/Schedule.h"

namespace mlac {

/// Offsets and sizes in bytes. The ring comes first; the merge at the end reuses its memory.
struct SmemLayout {
  int rowBytes = 0; ///< one cache row
  int rowStrideBytes =
      0; ///< an odd multiple of 16, so that the eight rows an ldmatrix reads lie on different banks
  int slotBytes = 0;
  int mergeBytes = 0;
  int fullAt = 0;   ///< full barriers
  int emptyAt = 0;  ///< empty barriers, one a slot
  int absentAt = 0; ///< which rows of each slot are no keys
  int positionsAt = 0;
  int statsAt = 0;
  int sharesAt = 0; ///< scores on their way between the warps that divide dims, two buffers each
  int queriesAt = 0;
  int totalBytes = 0;
};

/// `positions`: whether the key positions of each slot are kept, which masks and scores may ask
/// for.
SmemLayout layoutSmem(const Variant& variant, const Schedule& schedule, bool positions);

/// Fragments of 16 value dims by 8 heads that one warp accumulates.
int fragmentsPerWarp(const Variant& variant, const Schedule& schedule);

/// Bytes the merge needs with that many passes; 0 without slices.
int mergeBytes(const Variant& variant, const Schedule& schedule, int passes);

/// Bytes between rows of a slot: the smallest odd multiple of 16 that holds `rowBytes`, so that
/// eight consecutive rows start in eight different groups of four banks.
int ringStrideBytes(int rowBytes);

/// Full barriers of the ring: the least common multiple of stages and key slices. Each then serves
/// one slot and one slice, whose tiles come in order, so that the parity of its phase cannot be
/// mistaken.
int fullBarriers(const Schedule& schedule);

/// CTAs that share the heads of a token, or of a group of them.
int headCtas(const Variant& variant, const Schedule& schedule);

/// Tiles of 16 value dims one warp owns.
int valueTilesPerWarp(const Variant& variant, const Schedule& schedule);

} // namespace mlac
