#include "SharedMemory.h"

#include <cstring>
#include <dlfcn.h>

namespace {

// The driver is in the process already, since a mlac::Device was opened.
template <typename Function>
Function* driverEntry(const char* name) {
  static void* const driver = dlopen("libcuda.so.1", RTLD_NOW);
  return reinterpret_cast<Function*>(driver != nullptr ? dlsym(driver, name) : nullptr);
}

constexpr unsigned kAttachGlobal = 1; // CU_MEM_ATTACH_GLOBAL

} // namespace

void* allocateShared(std::size_t bytes) {
  auto* const allocate =
      driverEntry<int(unsigned long long*, std::size_t, unsigned)>("cuMemAllocManaged");
  unsigned long long address = 0;
  if (allocate == nullptr || allocate(&address, bytes, kAttachGlobal) != 0)
    return nullptr;
  return std::memset(reinterpret_cast<void*>(address), 0, bytes);
}

bool waitForDevice() {
  auto* const wait = driverEntry<int()>("cuCtxSynchronize");
  return wait != nullptr && wait() == 0;
}
