#include "simt/memory/Shadow.h"

#include <algorithm>
#include <new>
#include <sys/mman.h>

namespace mlac::simt {
namespace {

constexpr std::uint64_t kWordBytes = 4;

/// Reads of other CTAs that are kept for one word. A write needs one witness only; several keep
/// the check sharp where CTAs synchronise among themselves.
constexpr std::size_t kMostForeignReads = 8;

} // namespace

bool Observer::ordered(const Stamp& earlier, const Stamp& now) const {
  if (earlier.cta == 0)
    return true;
  if (earlier.cta != now.cta) {
    if (earlier.cta < firstCta)
      return !waitsForPreviousGrid || earlier.cta < firstCtaBefore;
    if (ofOtherCtas != nullptr)
      for (const auto& [cta, clock] : *ofOtherCtas)
        if (cta == earlier.cta && clock.covers(earlier.agent, earlier.tick))
          return true;
    return false;
  }
  if (earlier.agent == now.agent)
    return earlier.agent < threads || earlier.tick < now.tick;
  return (earlier.agent < threads ? ofThreads : ofCopies)->covers(earlier.agent, earlier.tick);
}

Shadow::Shadow(std::uint64_t bytes, bool initialised, bool concurrent)
    : initialised(initialised), concurrent(concurrent),
      pageCount((bytes + kPageWords * kWordBytes - 1) / (kPageWords * kWordBytes)) {
  // Zeros that take no memory until they are written: allocations may be of many gigabytes.
  void* const table = mmap(nullptr,
                           tableBytes(),
                           PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                           -1,
                           0);
  if (table == MAP_FAILED)
    throw std::bad_alloc();
  pages = static_cast<std::atomic<Page*>*>(table);
}

Shadow::~Shadow() {
  munmap(pages, tableBytes());
}

std::size_t Shadow::tableBytes() const {
  return std::max<std::size_t>(1, pageCount) * sizeof(std::atomic<Page*>);
}

Shadow::Page& Shadow::page(std::uint64_t index) {
  if (Page* const there = pages[index].load(std::memory_order_acquire))
    return *there;
  const std::lock_guard lock(ownedMutex);
  if (Page* const there = pages[index].load(std::memory_order_acquire))
    return *there;
  owned.push_back(std::make_unique<Page>());
  pages[index].store(owned.back().get(), std::memory_order_release);
  return *owned.back();
}

std::optional<Conflict>
Shadow::access(std::uint64_t offset, std::uint64_t bytes, const NewAccess& access) {
  constexpr std::uint64_t kPageBytes = kPageWords * kWordBytes;
  const std::uint64_t end = offset + bytes;
  while (offset < end) {
    Page& here = page(offset / kPageBytes);
    const std::uint64_t pageEnd = std::min(end, (offset / kPageBytes + 1) * kPageBytes);
    std::unique_lock lock(here.mutex, std::defer_lock);
    if (concurrent)
      lock.lock();
    while (offset < pageEnd) {
      const std::uint64_t first = offset % kWordBytes;
      const std::uint64_t count = std::min(kWordBytes - first, pageEnd - offset);
      Conflict conflict;
      if (!accessWord(here.cells[offset % kPageBytes / kWordBytes],
                      static_cast<std::uint32_t>(first),
                      static_cast<std::uint32_t>(count),
                      access,
                      conflict)) {
        conflict.offset += offset - first; // so far within the word
        return conflict;
      }
      offset += count;
    }
  }
  return std::nullopt;
}

bool Shadow::accessWord(Cell& cell,
                        std::uint32_t firstByte,
                        std::uint32_t bytes,
                        const NewAccess& access,
                        Conflict& conflict) const {
  if (bytes == kWordBytes && !cell.bytes)
    return accessCell(cell, access, conflict);
  if (!cell.bytes) {
    cell.bytes = std::make_unique<std::array<Cell, kWordBytes>>();
    for (Cell& one : *cell.bytes) {
      one.write = cell.write;
      one.read = cell.read;
      if (cell.moreReads)
        one.moreReads = std::make_unique<std::vector<Stamp>>(*cell.moreReads);
    }
  }
  for (std::uint32_t i = firstByte; i < firstByte + bytes; ++i)
    if (!accessCell((*cell.bytes)[i], access, conflict)) {
      conflict.offset = i;
      return false;
    }
  return true;
}

bool Shadow::accessCell(Cell& cell, const NewAccess& access, Conflict& conflict) const {
  const bool bothAtomic = cell.write.atomic != 0 && access.kind == AccessKind::Atomic;
  if (!bothAtomic && !access.isAfter(cell.write)) {
    conflict = {cell.write, true, false, 0};
    return false;
  }
  if (!checkReads(cell, access, conflict))
    return false;
  if (access.kind != AccessKind::Write && cell.write.cta == 0 && !initialised) {
    conflict.uninitialised = true;
    return false;
  }
  if (access.kind == AccessKind::Write) {
    cell.write = access.stamp;
    cell.read = {};
    cell.moreReads.reset();
  } else {
    // An atomic operation is remembered like a read, so that those of several agents stay known.
    rememberRead(cell, access);
  }
  return true;
}

bool Shadow::checkReads(const Cell& cell, const NewAccess& access, Conflict& conflict) {
  const auto fine = [&](const Stamp& earlier) {
    const bool harmless = access.kind == AccessKind::Read     ? earlier.atomic == 0
                          : access.kind == AccessKind::Atomic ? earlier.atomic != 0
                                                              : false;
    if (harmless || access.isAfter(earlier))
      return true;
    conflict = {earlier, earlier.atomic != 0, false, 0};
    return false;
  };
  if (!fine(cell.read))
    return false;
  return !cell.moreReads || std::all_of(cell.moreReads->begin(), cell.moreReads->end(), fine);
}

void Shadow::rememberRead(Cell& cell, const NewAccess& access) {
  const Stamp& stamp = access.stamp;
  // A read that is ordered before this one can be forgotten: whoever is ordered after this one is
  // ordered after it too. Atomic operations are writes and are kept apart from reads.
  const auto replaces = [&](const Stamp& earlier) {
    return earlier.cta == 0 || (earlier.atomic == stamp.atomic && access.isAfter(earlier));
  };
  if (replaces(cell.read)) {
    cell.read = stamp;
    return;
  }
  if (!cell.moreReads)
    cell.moreReads = std::make_unique<std::vector<Stamp>>();
  for (Stamp& earlier : *cell.moreReads)
    if (replaces(earlier)) {
      earlier = stamp;
      return;
    }
  if (cell.read.cta != stamp.cta && cell.moreReads->size() >= kMostForeignReads)
    cell.moreReads->back() = stamp;
  else
    cell.moreReads->push_back(stamp);
}

} // namespace mlac::simt
