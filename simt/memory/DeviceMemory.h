// DeviceMemory: the simulated device's allocations, each far from the next, with the history of
// their accesses.
#pragma once

#include "common/Result.h"
#include "simt/memory/Shadow.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>

namespace mlac::simt {

struct Allocation {
  std::uint64_t base = 0;
  std::uint64_t bytes = 0;
  int number = 0; ///< counts allocations of the machine, for reports
  std::unique_ptr<Shadow> shadow;
};

class DeviceMemory {
public:
  DeviceMemory() = default;
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;
  ~DeviceMemory();

  /// A new allocation's address, a multiple of 256; 0 where there is no address space for it.
  /// Memory is taken page by page, when it is first written.
  std::uint64_t allocate(std::uint64_t bytes);

  /// False where no allocation begins at `base`.
  bool free(std::uint64_t base);

  /// The allocation that [address, address + bytes) lies in, or null.
  const Allocation* find(std::uint64_t address, std::uint64_t bytes) const;

  /// The allocation nearest to an address; null if there is none.
  const Allocation* nearest(std::uint64_t address) const;

  /// Sets bytes. Whole large ranges share their pages until someone writes to them, so that a
  /// cache of many gigabytes can be filled. False where the range lies in no allocation.
  bool fill(std::uint64_t address, unsigned char value, std::uint64_t bytes);

  std::uint64_t bytesHeld() const { return held; }

private:
  std::map<std::uint64_t, Allocation> allocations; ///< by base
  int allocated = 0;
  std::uint64_t held = 0;
};

} // namespace mlac::simt
