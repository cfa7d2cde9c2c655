// Accumulator fragments in shared memory: 16 bytes a lane, 512 in a row, so that no two lanes meet
// on a bank.
#pragma once

#include "mlac/base/types.cuh"
#include "mlac/ptx/address.cuh"

namespace mlac {

inline constexpr i32 kFragmentBytes = 32 * 16;

/// `address` is the lane's own, aligned to 16 bytes.
__device__ __forceinline__ void putFragment(u32 address, const float (&v)[4]) {
  storeSharedWord4(
      address,
      {__float_as_uint(v[0]), __float_as_uint(v[1]), __float_as_uint(v[2]), __float_as_uint(v[3])});
}

__device__ __forceinline__ void addFragment(u32 address, float (&v)[4]) {
  const Word4 w = loadSharedWord4(address);
  v[0] += __uint_as_float(w.x);
  v[1] += __uint_as_float(w.y);
  v[2] += __uint_as_float(w.z);
  v[3] += __uint_as_float(w.w);
}

} // namespace mlac
