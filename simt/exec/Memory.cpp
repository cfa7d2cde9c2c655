// Plain and atomic accesses of a CTA's threads.
#include "simt/exec/Cta.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace mlac::simt {
namespace {

const char* verbOf(AccessKind kind) {
  return kind == AccessKind::Read ? "reads" : kind == AccessKind::Write ? "writes" : "updates";
}

/// The kind of two accesses that nothing orders, one of which is a store.
FindingKind kindOfConflict(const Conflict& conflict, bool earlierIsCopy, AccessKind kind) {
  if (!earlierIsCopy)
    return FindingKind::DataRace;
  return conflict.earlierWrites && kind == AccessKind::Read ? FindingKind::AsyncRead
                                                            : FindingKind::AsyncOverwrite;
}

} // namespace

Stamp Cta::stampOf(const GpuThread& thread, std::uint32_t site) const {
  Stamp stamp;
  stamp.cta = number;
  stamp.agent = static_cast<std::uint16_t>(thread.index);
  stamp.owner = static_cast<std::uint16_t>(thread.index & 0x7fff);
  stamp.tick = thread.tick();
  stamp.site = site;
  return stamp;
}

Observer Cta::observerOf(const GpuThread& thread) const {
  Observer observer;
  observer.firstCta = rules.firstCta;
  observer.firstCtaBefore = rules.firstCtaBefore;
  observer.threads = config.threads;
  observer.ofThreads = &thread.knows.seen;
  observer.ofCopies = &thread.knows.seen;
  observer.ofOtherCtas = thread.knows.foreign.empty() ? nullptr : &thread.knows.foreign;
  observer.waitsForPreviousGrid = !thread.waitedForPreviousGrid;
  return observer;
}

void Cta::access(const void* at, std::uint32_t bytes, std::uint32_t flags, std::uint32_t site) {
  const auto address = std::bit_cast<std::uint64_t>(at);
  const AccessKind kind = (flags & kWrite) != 0 ? AccessKind::Write : AccessKind::Read;
  if ((flags & kUnaligned) == 0)
    checkAligned(address, bytes, verbOf(kind), site);
  const std::uint64_t offset = address - std::bit_cast<std::uint64_t>(shared);
  if (offset < image().sharedBytes()) {
    checkNoBarrier(static_cast<std::uint32_t>(offset), bytes, verbOf(kind), site);
    accessShared(static_cast<std::uint32_t>(offset), bytes, kind, site);
    log(AccessSpace::Shared, offset, bytes, kind == AccessKind::Write, site);
    return;
  }
  if (image().holds(address, bytes)) {
    if (kind == AccessKind::Write)
      fail(FindingKind::ReadOnlyWrite,
           fmt::format("{} bytes are written into the kernel's own constants", bytes),
           {placeOf(current(), "writes them", site)});
    return;
  }
  accessGlobal(address, bytes, kind, site);
  log(AccessSpace::Global, address, bytes, kind == AccessKind::Write, site);
}

void Cta::accessShared(std::uint32_t offset,
                       std::uint32_t bytes,
                       AccessKind kind,
                       std::uint32_t site) {
  checkSharedBounds(offset, bytes, verbOf(kind), site);
  GpuThread& thread = current();
  Stamp stamp = stampOf(thread, site);
  stamp.atomic = kind == AccessKind::Atomic;
  if (const auto conflict = sharedShadow->access(offset, bytes, {kind, stamp, observerOf(thread)}))
    failConflict(*conflict,
                 kind,
                 fmt::format("shared memory at {}", offset + kSharedWindowBase),
                 bytes,
                 site);
}

void Cta::accessGlobal(std::uint64_t address,
                       std::uint32_t bytes,
                       AccessKind kind,
                       std::uint32_t site) {
  const Allocation* allocation = lastAllocation;
  if (allocation == nullptr || address - allocation->base > allocation->bytes ||
      bytes > allocation->bytes - (address - allocation->base))
    allocation = rules.memory->find(address, bytes);
  GpuThread& thread = current();
  if (allocation == nullptr)
    fail(FindingKind::OutOfBounds,
         fmt::format("{} bytes outside every allocation", bytes),
         {placeOf(thread, fmt::format("{} {}", verbOf(kind), describeGlobal(address)), site)});
  lastAllocation = allocation;
  Stamp stamp = stampOf(thread, site);
  stamp.atomic = kind == AccessKind::Atomic;
  if (const auto conflict = allocation->shadow->access(
          address - allocation->base, bytes, {kind, stamp, observerOf(thread)}))
    failConflict(*conflict, kind, describeGlobal(address), bytes, site);
}

void Cta::failConflict(const Conflict& conflict,
                       AccessKind kind,
                       std::string where,
                       std::uint32_t bytes,
                       std::uint32_t site) {
  const GpuThread& thread = current();
  Place now = placeOf(thread, fmt::format("{} {} bytes of {}", verbOf(kind), bytes, where), site);
  if (conflict.uninitialised)
    fail(FindingKind::Uninitialised,
         fmt::format("byte {} of shared memory is read before anyone wrote it",
                     conflict.offset + kSharedWindowBase),
         {std::move(now)});
  const bool earlierIsCopy =
      conflict.earlier.cta == number && conflict.earlier.agent >= config.threads;
  const FindingKind found = kindOfConflict(conflict, earlierIsCopy, kind);
  const char* const verb = conflict.earlierWrites ? "writes" : "reads";
  fail(found,
       fmt::format("nothing orders two accesses to {}", where),
       {std::move(now), placeOf(conflict.earlier, fmt::format("{} it", verb))});
}

void Cta::checkAligned(std::uint64_t address,
                       std::uint32_t to,
                       const char* what,
                       std::uint32_t site) {
  if (address % to != 0)
    fail(FindingKind::Misaligned,
         fmt::format("an address that must be a multiple of {} is {} past one", to, address % to),
         {placeOf(current(), fmt::format("{} {} bytes there", what, to), site)});
}

void Cta::checkSharedBounds(std::uint64_t offset,
                            std::uint64_t bytes,
                            const char* verb,
                            std::uint32_t site) {
  if (offset <= config.dynamicSmemBytes && bytes <= config.dynamicSmemBytes - offset)
    return;
  fail(FindingKind::OutOfBounds,
       fmt::format("{} bytes at {} of shared memory; the CTA has [{}, {})",
                   bytes,
                   offset + kSharedWindowBase,
                   kSharedWindowBase,
                   kSharedWindowBase + config.dynamicSmemBytes),
       {placeOf(current(), fmt::format("{} them", verb), site)});
}

void Cta::checkNoBarrier(std::uint32_t offset,
                         std::uint32_t bytes,
                         const char* verb,
                         std::uint32_t site) {
  constexpr std::uint32_t kBarrierBytes = 8;
  const std::uint32_t address = offset + kSharedWindowBase;
  const auto next = barriers.upper_bound(address < kBarrierBytes ? 0 : address - kBarrierBytes);
  if (next == barriers.end() || next->first >= address + bytes)
    return;
  fail(FindingKind::BarrierMisuse,
       fmt::format("an ordinary access to the barrier at {}", next->first),
       {placeOf(current(), fmt::format("{} {} bytes at {}", verb, bytes, address), site)});
}

void Cta::log(
    AccessSpace space, std::uint64_t address, std::uint32_t bytes, bool write, std::uint32_t site) {
  const GpuThread& thread = current();
  AccessLog& warp = logs[thread.warp()];
  if (!warp.add(thread.lane(),
                {site, static_cast<std::uint8_t>(std::min(bytes, 255u)), space, write, address}))
    warp.flush(counts);
}

std::uint32_t Cta::sharedAddress(const void* object, std::uint32_t site) {
  const std::uint64_t offset =
      std::bit_cast<std::uint64_t>(object) - std::bit_cast<std::uint64_t>(shared);
  if (offset > image().sharedBytes())
    fail(FindingKind::OutOfBounds,
         "an address outside shared memory is turned into one of the shared window",
         {placeOf(current(), "does it", site)});
  return static_cast<std::uint32_t>(offset) + kSharedWindowBase;
}

void Cta::sharedLoad(std::uint32_t address, void* to, std::uint32_t bytes, std::uint32_t site) {
  const std::uint32_t offset = address - kSharedWindowBase;
  checkAligned(address, bytes, "reads", site);
  checkNoBarrier(offset, bytes, "reads", site);
  accessShared(offset, bytes, AccessKind::Read, site);
  std::memcpy(to, sharedByte(offset), bytes);
  log(AccessSpace::Shared, offset, bytes, false, site);
}

void Cta::sharedStore(std::uint32_t address,
                      const void* from,
                      std::uint32_t bytes,
                      std::uint32_t site) {
  const std::uint32_t offset = address - kSharedWindowBase;
  checkAligned(address, bytes, "writes", site);
  checkNoBarrier(offset, bytes, "writes", site);
  accessShared(offset, bytes, AccessKind::Write, site);
  std::memcpy(sharedByte(offset), from, bytes);
  log(AccessSpace::Shared, offset, bytes, true, site);
}

void Cta::requireTarget(bool has, const char* instruction, std::uint32_t site) {
  if (has)
    return;
  fail(FindingKind::WrongTarget,
       fmt::format("{} has no {}", rules.target->name, instruction),
       {placeOf(current(), "uses it", site)});
}

void Cta::requireStoreMatrices(std::uint32_t site) {
  requireTarget(rules.target->hasBulkCopy, "stmatrix", site);
}

void Cta::waitForPreviousGrid(std::uint32_t site) {
  requireTarget(rules.target->hasBulkCopy, "griddepcontrol", site);
  current().waitedForPreviousGrid = true;
}

void Cta::allowNextGrid(std::uint32_t site) {
  requireTarget(rules.target->hasBulkCopy, "griddepcontrol", site);
}

} // namespace mlac::simt
