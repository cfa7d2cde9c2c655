// Request-local token indices to physical slots, as a kernel of its own: for engines that convert
// once and attend in many layers.
#pragma once

#include "mlac/base/types.cuh"
#include "mlac/ptx/atomic.cuh"
#include "mlac/ptx/warp.cuh"
#include "mlac/tile/key_rows.cuh"

namespace mlac {

/// One CTA converts one token's row. Entries keep their columns; invalid ones, and those past
/// topkLength, become -1. `slotsPerBlock` is the distance between blocks in slots: the page, or
/// more where layers interleave in a block.
template <class Shape, class Rules, class Args>
__device__ __forceinline__ void convert(const Args& args, u32* validInCta) {
  const i32 token = blockIdx.x;
  auto rows = KeyRows<Shape, Rules, Args>::of(args, token);
  rows.findRequest();
  i32* const out = static_cast<i32*>(args.slotsOut) + token * args.slotsOutStride;
  if (threadIdx.x == 0)
    *validInCta = 0;
  syncCta();
  u32 valid = 0;
  for (i32 first = 0; first < Shape::kTopk; first += Shape::kThreads) {
    const i32 entry = first + threadIdx.x;
    KeySlot key{-1, -1, false};
    if (entry < rows.entries)
      key = rows.slotOf(entry);
    if (entry < Shape::kTopk)
      out[entry] = key.valid ? static_cast<i32>(key.slot / Shape::kPage * args.slotsPerBlock +
                                                key.slot % Shape::kPage)
                             : -1;
    valid += __popc(ballot(key.valid));
  }
  if (args.validCounts == nullptr)
    return;
  if (threadIdx.x % 32 == 0)
    addShared(validInCta, valid);
  syncCta();
  if (threadIdx.x == 0)
    static_cast<i32*>(args.validCounts)[token] = static_cast<i32>(*validInCta);
}

} // namespace mlac
