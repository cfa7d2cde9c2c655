#include "simt/memory/DeviceMemory.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

namespace mlac::simt {
namespace {

// Nothing lies within this distance of an allocation's ends.
constexpr std::uint64_t kRedZoneBytes = 1 << 20;

constexpr std::uint64_t kPageBytes = 4096;

// Ranges from this size on are filled by mapping one filled block again and again.
constexpr std::uint64_t kBlockBytes = 16 << 20;

std::uint64_t roundUp(std::uint64_t value, std::uint64_t to) {
  return (value + to - 1) / to * to;
}

std::uint64_t reservedBytes(const Allocation& allocation) {
  return roundUp(allocation.bytes, kPageBytes) + 2 * kRedZoneBytes;
}

/// Maps a block of `value` over each whole block of [from, to). False where that cannot be done.
bool mapFilled(std::uint64_t from, std::uint64_t to, unsigned char value) {
  const int file = memfd_create("mlac-fill", MFD_CLOEXEC);
  if (file < 0 || ftruncate(file, kBlockBytes) != 0)
    return false;
  void* const block = mmap(nullptr, kBlockBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  bool done = block != MAP_FAILED;
  if (done) {
    std::memset(block, value, kBlockBytes);
    munmap(block, kBlockBytes);
  }
  for (; done && from < to; from += kBlockBytes)
    done = mmap(std::bit_cast<void*>(from),
                kBlockBytes,
                PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE,
                file,
                0) != MAP_FAILED;
  close(file);
  return done;
}

} // namespace

DeviceMemory::~DeviceMemory() {
  while (!allocations.empty())
    free(allocations.begin()->first);
}

std::uint64_t DeviceMemory::allocate(std::uint64_t bytes) {
  Allocation made;
  made.bytes = bytes;
  void* const reserved = mmap(nullptr,
                              reservedBytes(made),
                              PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                              -1,
                              0);
  if (reserved == MAP_FAILED)
    return 0;
  made.base = std::bit_cast<std::uint64_t>(reserved) + kRedZoneBytes;
  made.number = ++allocated;
  try {
    made.shadow = std::make_unique<Shadow>(bytes, true, true);
  } catch (const std::bad_alloc&) {
    munmap(reserved, reservedBytes(made));
    return 0;
  }
  held += bytes;
  const std::uint64_t base = made.base;
  allocations.emplace(base, std::move(made));
  return base;
}

bool DeviceMemory::free(std::uint64_t base) {
  const auto found = allocations.find(base);
  if (found == allocations.end())
    return false;
  held -= found->second.bytes;
  munmap(std::bit_cast<void*>(base - kRedZoneBytes), reservedBytes(found->second));
  allocations.erase(found);
  return true;
}

const Allocation* DeviceMemory::find(std::uint64_t address, std::uint64_t bytes) const {
  auto after = allocations.upper_bound(address);
  if (after == allocations.begin())
    return nullptr;
  const Allocation& candidate = std::prev(after)->second;
  const std::uint64_t offset = address - candidate.base;
  const bool inside = offset <= candidate.bytes && bytes <= candidate.bytes - offset;
  return inside ? &candidate : nullptr;
}

const Allocation* DeviceMemory::nearest(std::uint64_t address) const {
  if (allocations.empty())
    return nullptr;
  const auto after = allocations.upper_bound(address);
  if (after == allocations.begin())
    return &after->second;
  const Allocation& before = std::prev(after)->second;
  if (after == allocations.end())
    return &before;
  const std::uint64_t pastEnd = address - std::min(address, before.base + before.bytes);
  return pastEnd <= after->first - address ? &before : &after->second;
}

bool DeviceMemory::fill(std::uint64_t address, unsigned char value, std::uint64_t bytes) {
  if (find(address, bytes) == nullptr)
    return false;
  const std::uint64_t end = address + bytes;
  const std::uint64_t firstPage = roundUp(address, kPageBytes);
  const std::uint64_t blocks = end > firstPage ? (end - firstPage) / kBlockBytes : 0;
  const std::uint64_t mapped = firstPage + blocks * kBlockBytes;
  if (blocks > 1 && mapFilled(firstPage, mapped, value)) {
    std::memset(std::bit_cast<void*>(address), value, firstPage - address);
    std::memset(std::bit_cast<void*>(mapped), value, end - mapped);
  } else {
    std::memset(std::bit_cast<void*>(address), value, bytes);
  }
  return true;
}

} // namespace mlac::simt
