// CUDA's vector types. A copy of one is made by a function the compiler cannot take apart, so that
// the executor sees one access of the vector's width, as the GPU makes it.
#pragma once

#include "simt/device/prelude.h"

namespace mlac::simt {

MLAC_UNSEEN inline bool onStack(const void* at) {
  return static_cast<unsigned long long>(static_cast<const char*>(at) - running.stackLow) <
         running.stackSize;
}

MLAC_UNSEEN inline void see(const void* at, unsigned bytes, unsigned flags, const void* site) {
  if (!onStack(at))
    abi->access(at, bytes, flags, site);
}

MLAC_UNSEEN __attribute__((noinline)) inline void
copyVector(void* to, const void* from, unsigned bytes) {
  const void* const site = __builtin_return_address(0);
  see(from, bytes, kRead, site);
  see(to, bytes, kWrite, site);
  __builtin_memcpy(to, from, bytes);
}

} // namespace mlac::simt

#define MLAC_VECTOR(Name)                                                                          \
  Name() = default;                                                                                \
  __forceinline__ Name(const Name& other) {                                                        \
    mlac::simt::copyVector(this, &other, sizeof other);                                            \
  }                                                                                                \
  __forceinline__ Name& operator=(const Name& other) {                                             \
    mlac::simt::copyVector(this, &other, sizeof other);                                            \
    return *this;                                                                                  \
  }

#define MLAC_VECTORS(Prefix, Word)                                                                 \
  struct alignas(8) Prefix##2 {                                                                    \
    Word x, y;                                                                                     \
    Prefix##2(Word x, Word y) : x(x), y(y) {}                                                      \
    MLAC_VECTOR(Prefix##2)                                                                         \
  };                                                                                               \
  struct alignas(16) Prefix##4 {                                                                   \
    Word x, y, z, w;                                                                               \
    Prefix##4(Word x, Word y, Word z, Word w) : x(x), y(y), z(z), w(w) {}                          \
    MLAC_VECTOR(Prefix##4)                                                                         \
  };                                                                                               \
  __forceinline__ Prefix##2 make_##Prefix##2(Word x, Word y) {                                     \
    return {x, y};                                                                                 \
  }                                                                                                \
  __forceinline__ Prefix##4 make_##Prefix##4(Word x, Word y, Word z, Word w) {                     \
    return {x, y, z, w};                                                                           \
  }

MLAC_VECTORS(int, int)
MLAC_VECTORS(uint, unsigned)
MLAC_VECTORS(float, float)
#undef MLAC_VECTORS
#undef MLAC_VECTOR
