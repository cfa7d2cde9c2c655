// What instrumented code calls, and how the executor gets hold of a kernel. Included once in a
// kernel's shared object, after the kernel.
#pragma once

#include "simt/device/prelude.h"
#include "simt/device/vectors.h"

// The largest dynamic shared memory of any target, and a zone behind it that belongs to nobody.
// The generated kernels name their shared memory `smem`.
extern __thread unsigned char smem[];
__thread unsigned char smem[(227 + 5) * 1024] __attribute__((aligned(1024)));

namespace mlac::simt {
Abi bound;
__thread Running running;

MLAC_UNSEEN static bool liesIn(const void* at, const void* object, unsigned long long bytes) {
  return static_cast<unsigned long long>(static_cast<const char*>(at) -
                                         static_cast<const char*>(object)) < bytes;
}

/// Reports an access, but for those to a thread's own stack and to what the executor keeps here.
MLAC_UNSEEN static void seen(const void* at, unsigned bytes, unsigned flags, const void* site) {
  if (!onStack(at) && !liesIn(at, &bound, sizeof bound) && !liesIn(at, &running, sizeof running))
    abi->access(at, bytes, flags, site);
}

/// Unpacks a kernel's one parameter.
template <class Args>
MLAC_UNSEEN __attribute__((noinline)) static void callWith(void (*kernel)(Args), const void* args) {
  kernel(*static_cast<const Args*>(args));
}

MLAC_UNSEEN __attribute__((noinline)) static void callWith(void (*kernel)(), const void*) {
  kernel();
}

} // namespace mlac::simt

extern "C" {
#define MLAC_SEEN(size)                                                                            \
  MLAC_UNSEEN void __tsan_read##size(void* at) {                                                   \
    mlac::simt::seen(at, size, mlac::simt::kRead, __builtin_return_address(0));                    \
  }                                                                                                \
  MLAC_UNSEEN void __tsan_write##size(void* at) {                                                  \
    mlac::simt::seen(at, size, mlac::simt::kWrite, __builtin_return_address(0));                   \
  }                                                                                                \
  MLAC_UNSEEN void __tsan_unaligned_read##size(void* at) {                                         \
    mlac::simt::seen(                                                                              \
        at, size, mlac::simt::kRead | mlac::simt::kUnaligned, __builtin_return_address(0));        \
  }                                                                                                \
  MLAC_UNSEEN void __tsan_unaligned_write##size(void* at) {                                        \
    mlac::simt::seen(                                                                              \
        at, size, mlac::simt::kWrite | mlac::simt::kUnaligned, __builtin_return_address(0));       \
  }                                                                                                \
  MLAC_UNSEEN void __tsan_volatile_read##size(void* at) {                                          \
    mlac::simt::seen(at, size, mlac::simt::kRead, __builtin_return_address(0));                    \
  }                                                                                                \
  MLAC_UNSEEN void __tsan_volatile_write##size(void* at) {                                         \
    mlac::simt::seen(at, size, mlac::simt::kWrite, __builtin_return_address(0));                   \
  }
MLAC_SEEN(1)
MLAC_SEEN(2)
MLAC_SEEN(4)
MLAC_SEEN(8)
MLAC_SEEN(16)
#undef MLAC_SEEN

MLAC_UNSEEN void __tsan_read_range(void* at, unsigned long bytes) {
  mlac::simt::seen(
      at, bytes, mlac::simt::kRead | mlac::simt::kUnaligned, __builtin_return_address(0));
}

MLAC_UNSEEN void __tsan_write_range(void* at, unsigned long bytes) {
  mlac::simt::seen(
      at, bytes, mlac::simt::kWrite | mlac::simt::kUnaligned, __builtin_return_address(0));
}

MLAC_UNSEEN void* __tsan_memcpy(void* to, const void* from, unsigned long bytes) {
  mlac::simt::seen(
      from, bytes, mlac::simt::kRead | mlac::simt::kUnaligned, __builtin_return_address(0));
  mlac::simt::seen(
      to, bytes, mlac::simt::kWrite | mlac::simt::kUnaligned, __builtin_return_address(0));
  return __builtin_memmove(to, from, bytes);
}

MLAC_UNSEEN void* __tsan_memmove(void* to, const void* from, unsigned long bytes) {
  mlac::simt::seen(
      from, bytes, mlac::simt::kRead | mlac::simt::kUnaligned, __builtin_return_address(0));
  mlac::simt::seen(
      to, bytes, mlac::simt::kWrite | mlac::simt::kUnaligned, __builtin_return_address(0));
  return __builtin_memmove(to, from, bytes);
}

MLAC_UNSEEN void* __tsan_memset(void* to, int value, unsigned long bytes) {
  mlac::simt::seen(
      to, bytes, mlac::simt::kWrite | mlac::simt::kUnaligned, __builtin_return_address(0));
  return __builtin_memset(to, value, bytes);
}

MLAC_UNSEEN void __tsan_init(void) {}

MLAC_UNSEEN void __tsan_func_entry(void*) {}

MLAC_UNSEEN void __tsan_func_exit(void) {}

// Once a basic block.
MLAC_UNSEEN void __sanitizer_cov_trace_pc(void) {
  if (--mlac::simt::running.stepsLeft < 0 && mlac::simt::bound.step != nullptr)
    mlac::simt::abi->step(__builtin_return_address(0));
}

MLAC_UNSEEN void mlacSimtBind(const mlac::simt::Abi* table) {
  mlac::simt::bound = *table;
}

MLAC_UNSEEN mlac::simt::Running* mlacSimtRunning(void) {
  return &mlac::simt::running;
}

MLAC_UNSEEN unsigned char* mlacSimtShared(void) {
  return smem;
}

MLAC_UNSEEN unsigned long mlacSimtSharedBytes(void) {
  return sizeof smem;
}
} // extern "C"
