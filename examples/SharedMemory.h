// SharedMemory: memory that host and device both see. Stands in for an engine's own allocator.
#pragma once

#include <cstddef>
#include <cstdint>

/// Zeroed memory in the current context, freed never: examples end soon. Null where the driver
/// gives none.
void* allocateShared(std::size_t bytes);

/// An array of `count` elements in such memory.
template <typename T>
T* allocateShared(std::size_t count) {
  return static_cast<T*>(allocateShared(count * sizeof(T)));
}

/// Waits for all that was launched in the current context; false where that failed.
bool waitForDevice();
