// Hints to bring device memory closer.
// PTX ISA: "prefetch"; sm_50.
#pragma once

#include "mlac/base/types.cuh"

namespace mlac {

/// Brings the line that holds `address` into the L2 cache, when it comes to it. Any address may be
/// given; nothing is read on behalf of the kernel.
__device__ __forceinline__ void prefetchToL2(const void* address) {
#ifdef MLAC_SIMT
  static_cast<void>(address);
#else
  asm volatile("prefetch.global.L2 [%0];" ::"l"(address));
#endif
}

} // namespace mlac
