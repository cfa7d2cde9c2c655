// CUDA's words as ordinary C++, for a kernel that is compiled to run under the SIMT executor.
// Included before the kernel's own source, which stays as it was generated.
#pragma once

#include "simt/device/Abi.h"

#define MLAC_SIMT 1
#define __device__
#define __host__
#define __global__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __grid_constant__
#define __align__(bytes) __attribute__((aligned(bytes)))
// Dynamic shared memory: one array an OS thread, which runs one CTA at a time. The executor knows
// its bounds.
#define __shared__ __thread
#define threadIdx (mlac::simt::running.place.thread)
#define blockIdx (mlac::simt::running.place.cta)
#define blockDim (mlac::simt::running.place.ctaSize)
#define gridDim (mlac::simt::running.place.gridSize)

// Code that the executor is not told of.
#if defined(__clang__)
#define MLAC_UNSEEN __attribute__((no_sanitize("thread", "coverage")))
#else
#define MLAC_UNSEEN __attribute__((no_sanitize("thread"), no_sanitize_coverage))
#endif

namespace mlac::simt {

extern Abi bound; ///< a copy of the executor's table
inline constexpr const Abi* abi = &bound;
extern __thread Running running;

template <class T>
inline T sharedLoad(unsigned address) {
  T value;
  abi->sharedLoad(address, &value, sizeof value);
  return value;
}

template <class T>
inline void sharedStore(unsigned address, T value) {
  abi->sharedStore(address, &value, sizeof value);
}

template <class To, class From>
inline To bitsAs(From from) {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, from);
}

/// 4- and 8-byte values; `kind` and `lane` as Abi::shuffle takes them.
template <class T>
inline T shuffle(unsigned kind, unsigned mask, T value, int lane) {
  if constexpr (sizeof(T) == 4)
    return bitsAs<T>(
        static_cast<unsigned>(abi->shuffle(kind, mask, bitsAs<unsigned>(value), lane)));
  else
    return bitsAs<T>(abi->shuffle(kind, mask, bitsAs<unsigned long long>(value), lane));
}

} // namespace mlac::simt
