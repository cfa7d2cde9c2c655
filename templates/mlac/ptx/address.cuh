// Addresses of the shared window, and plain loads and stores through them.
// PTX ISA: "cvta", "ld", "st"; sm_80.
#pragma once

#include "mlac/base/types.cuh"

namespace mlac {

/// Four 32-bit words, the widest access shared memory has.
struct alignas(16) Word4 {
  u32 x, y, z, w;
};

/// Address in the 32-bit shared window of an object that lies in shared memory. Volatile, so that a
/// loop keeps it: made again it costs a read of a special register.
__device__ __forceinline__ u32 sharedAddress(const void* object) {
#ifdef MLAC_SIMT
  return simt::abi->sharedAddress(object);
#else
  u32 address;
  asm volatile("{\n"
               "  .reg .u64 window;\n"
               "  cvta.to.shared.u64 window, %1;\n"
               "  cvt.u32.u64 %0, window;\n"
               "}"
               : "=r"(address)
               : "l"(object));
  return address;
#endif
}

/// Has an address ready from here on, where the compiler would make it at its first use.
__device__ __forceinline__ void makeEarly(const void* address) {
#ifdef MLAC_SIMT
  static_cast<void>(address);
#else
  asm volatile("" ::"l"(address));
#endif
}

__device__ __forceinline__ Word4 loadSharedWord4(u32 address) {
#ifdef MLAC_SIMT
  return simt::sharedLoad<Word4>(address);
#else
  Word4 v;
  asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "r"(address));
  return v;
#endif
}

__device__ __forceinline__ void storeSharedWord4(u32 address, Word4 v) {
#ifdef MLAC_SIMT
  simt::sharedStore(address, v);
#else
  asm volatile("st.shared.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(address),
               "r"(v.x),
               "r"(v.y),
               "r"(v.z),
               "r"(v.w)
               : "memory");
#endif
}

__device__ __forceinline__ i32 loadSharedI32(u32 address) {
#ifdef MLAC_SIMT
  return simt::sharedLoad<i32>(address);
#else
  i32 v;
  asm volatile("ld.shared.s32 %0, [%1];" : "=r"(v) : "r"(address));
  return v;
#endif
}

__device__ __forceinline__ void storeSharedI32(u32 address, i32 v) {
#ifdef MLAC_SIMT
  simt::sharedStore(address, v);
#else
  asm volatile("st.shared.s32 [%0], %1;" ::"r"(address), "r"(v) : "memory");
#endif
}

__device__ __forceinline__ u32 loadSharedU32(u32 address) {
#ifdef MLAC_SIMT
  return simt::sharedLoad<u32>(address);
#else
  u32 v;
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(v) : "r"(address));
  return v;
#endif
}

__device__ __forceinline__ void storeSharedU32(u32 address, u32 v) {
#ifdef MLAC_SIMT
  simt::sharedStore(address, v);
#else
  asm volatile("st.shared.u32 [%0], %1;" ::"r"(address), "r"(v) : "memory");
#endif
}

} // namespace mlac
