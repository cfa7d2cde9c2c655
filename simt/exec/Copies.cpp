// Asynchronous copies to shared memory. PTX ISA, "cp.async" and "cp.async.bulk". The memory a copy
// will write counts as written from its issue on, by an agent that others know of only when they
// have waited for it.
#include "simt/exec/Cta.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace mlac::simt {
namespace {

constexpr std::uint32_t kChunkBytes = 16;
constexpr int kGarbage = 0xff;

int sectorsOf(const void* source, std::uint32_t bytes) {
  constexpr std::uint64_t kSectorBytes = 32;
  const auto low = std::bit_cast<std::uint64_t>(source);
  return static_cast<int>((low + bytes - 1) / kSectorBytes - low / kSectorBytes + 1);
}

/// What those learn who wait for a copy.
void markLanded(Knowledge& gathering,
                std::uint32_t agent,
                std::uint32_t tick,
                const VectorClock& issuedAfter) {
  gathering.seen.raise(agent, tick);
  gathering.happened.raise(agent, tick);
  gathering.happened.join(issuedAfter);
}

} // namespace

void Cta::copyBulk(std::uint32_t destination,
                   const void* source,
                   std::uint32_t bytes,
                   std::uint32_t barrierAddress,
                   std::uint32_t site) {
  requireTarget(rules.target->hasBulkCopy, "cp.async.bulk", site);
  GpuThread& thread = current();
  Mbarrier& barrier = barrierAt(barrierAddress, "copies", site);
  if (!barrier.initFenced)
    fail(FindingKind::BarrierMisuse,
         fmt::format("the copy engine may not see the barrier at {}: no fence.mbarrier_init "
                     "followed its initialisation",
                     barrierAddress),
         {placeOf(thread, "copies", site)});
  if (bytes == 0 || bytes % kChunkBytes != 0)
    fail(FindingKind::Misaligned,
         fmt::format("a bulk copy of {} bytes; it takes a multiple of {}", bytes, kChunkBytes),
         {placeOf(thread, "copies", site)});
  const auto [agent, tick] = copyAgents.make(thread.knows.seen);
  Transfer transfer{destination,
                    source,
                    bytes,
                    thread.index,
                    site,
                    agent,
                    tick,
                    barrierAddress,
                    barrier.phase,
                    0,
                    {}};
  checkCopyTarget(transfer, true);
  checkCopySource(transfer, true);
  counts.asyncSectors += sectorsOf(source, bytes);
  transfer.happened = thread.knows.happened;
  transfers.push_back(std::move(transfer));
}

void Cta::copyAsync(std::uint32_t destination,
                    const void* source,
                    std::uint32_t bytes,
                    bool present,
                    std::uint32_t site) {
  GpuThread& thread = current();
  CopyBatch& batch = openBatch();
  Transfer transfer{destination,
                    present ? source : nullptr,
                    bytes,
                    thread.index,
                    site,
                    batch.agent,
                    batch.tick,
                    std::nullopt,
                    0,
                    batch.number,
                    {}};
  checkCopyTarget(transfer, false);
  if (present) {
    checkCopySource(transfer, false);
    log(AccessSpace::Async, std::bit_cast<std::uint64_t>(source), bytes, false, site);
  }
  ++batch.underWay;
  transfers.push_back(transfer);
}

/// Checks and marks the bytes a copy writes, which hold garbage until it lands.
void Cta::checkCopyTarget(const Transfer& transfer, bool bulk) {
  const std::uint32_t offset = transfer.destination - kSharedWindowBase;
  checkAligned(transfer.destination, kChunkBytes, "copies to", transfer.site);
  checkSharedBounds(offset, transfer.bytes, "copies to", transfer.site);
  checkNoBarrier(offset, transfer.bytes, "copies to", transfer.site);
  ++counts.asyncCopies;
  checkCopyAccess(*sharedShadow, offset, transfer, bulk, true);
  std::memset(sharedByte(offset), kGarbage, transfer.bytes);
}

void Cta::checkCopySource(const Transfer& transfer, bool bulk) {
  const auto address = std::bit_cast<std::uint64_t>(transfer.source);
  checkAligned(address, kChunkBytes, "copies from", transfer.site);
  counts.asyncBytes += transfer.bytes;
  if (image().holds(address, transfer.bytes))
    return;
  const Allocation* const allocation = rules.memory->find(address, transfer.bytes);
  if (allocation == nullptr)
    fail(FindingKind::OutOfBounds,
         fmt::format("a copy of {} bytes from outside every allocation", transfer.bytes),
         {placeOf(
             current(), fmt::format("copies from {}", describeGlobal(address)), transfer.site)});
  checkCopyAccess(*allocation->shadow, address - allocation->base, transfer, bulk, false);
}

void Cta::checkCopyAccess(
    Shadow& shadow, std::uint64_t offset, const Transfer& transfer, bool bulk, bool write) {
  const GpuThread& thread = current();
  Observer observer = observerOf(thread);
  // Bulk copies belong to the asynchronous proxy: of ordinary accesses only those count that a
  // proxy fence came after. Earlier copies are of the same proxy.
  if (bulk)
    observer.ofThreads = &thread.knows.proxied;
  Stamp stamp = stampOf(thread, transfer.site);
  stamp.agent = static_cast<std::uint16_t>(transfer.agent);
  stamp.tick = transfer.tick;
  const AccessKind kind = write ? AccessKind::Write : AccessKind::Read;
  const auto conflict = shadow.access(offset, transfer.bytes, {kind, stamp, observer});
  if (!conflict)
    return;
  const Stamp& earlier = conflict->earlier;
  const bool fenceWouldDo = earlier.cta == number && earlier.agent < config.threads &&
                            thread.knows.seen.covers(earlier.agent, earlier.tick);
  const char* const space = write ? "shared memory it writes" : "device memory it reads";
  fail(fenceWouldDo ? FindingKind::MissingProxyFence : FindingKind::AsyncOverwrite,
       fenceWouldDo ? fmt::format("an ordinary access to the {} comes before this copy, but no "
                                  "fence.proxy.async between them",
                                  space)
                    : fmt::format("nothing orders this copy after an access to the {}", space),
       {placeOf(thread, fmt::format("copies {} bytes", transfer.bytes), transfer.site),
        placeOf(earlier,
                fmt::format("{} byte {} of it",
                            conflict->earlierWrites ? "writes" : "reads",
                            conflict->offset - offset))});
}

CopyBatch& Cta::openBatch() {
  GpuThread& thread = current();
  if (thread.batches.empty() || thread.batches.back().closed) {
    const auto [agent, tick] = copyAgents.make(thread.knows.seen);
    thread.batches.push_back({++batches, agent, tick, 0, false, std::nullopt, {}});
  }
  return thread.batches.back();
}

void Cta::arriveWhenCopied(std::uint32_t address, std::uint32_t site) {
  const Mbarrier& barrier = barrierAt(address, "arrives when its copies have landed", site);
  checkArrival(barrier, address, site);
  CopyBatch& batch = openBatch();
  batch.closed = true;
  batch.barrier = address;
  batch.happened = current().knows.happened;
  landBatches(current());
}

void Cta::commitCopies() {
  openBatch().closed = true;
  landBatches(current());
}

void Cta::waitCopies(std::uint32_t groupsLeft, std::uint32_t site) {
  GpuThread& thread = current();
  const auto left = [&] {
    return std::count_if(thread.batches.begin(), thread.batches.end(), [](const CopyBatch& batch) {
      return batch.closed;
    });
  };
  while (left() > static_cast<std::ptrdiff_t>(groupsLeft))
    block(Waiting::For::Copies, 0, 0, site);
  for (const CopyAgents::Made& landed : thread.landedBatches)
    markLanded(thread.knows, landed.agent, landed.tick, {});
  thread.landedBatches.clear();
}

void Cta::land(const Transfer& transfer) {
  unsigned char* const to = sharedByte(transfer.destination - kSharedWindowBase);
  if (transfer.source == nullptr)
    std::memset(to, 0, transfer.bytes);
  else
    std::memcpy(to, transfer.source, transfer.bytes);
  GpuThread& thread = threads[transfer.thread];
  if (!transfer.barrier) {
    for (CopyBatch& batch : thread.batches)
      if (batch.number == transfer.batch)
        --batch.underWay;
    landBatches(thread);
    return;
  }
  copyAgents.landed(transfer.agent);
  Mbarrier& barrier = barriers.at(*transfer.barrier);
  if (barrier.phase != transfer.phase) {
    report(FindingKind::UnbalancedBytes,
           fmt::format("a copy for phase {} of the barrier at {} lands in phase {}: the phase "
                       "expected too few bytes",
                       transfer.phase,
                       *transfer.barrier,
                       barrier.phase),
           {placeOf(thread, "issued it", transfer.site)});
    return;
  }
  barrier.bytes -= transfer.bytes;
  markLanded(barrier.gathering, transfer.agent, transfer.tick, transfer.happened);
  completeIfDone(*transfer.barrier, barrier);
}

/// Closes the books on a thread's batches whose copies, and all before them, have landed.
void Cta::landBatches(GpuThread& thread) {
  while (!thread.batches.empty() && thread.batches.front().closed &&
         thread.batches.front().underWay == 0) {
    const CopyBatch batch = thread.batches.front();
    thread.batches.pop_front();
    finishBatch(thread, batch);
  }
  if (thread.waiting.what == Waiting::For::Copies)
    wake(thread.index);
}

void Cta::finishBatch(GpuThread& thread, const CopyBatch& batch) {
  copyAgents.landed(batch.agent);
  if (!batch.barrier) {
    thread.landedBatches.push_back({batch.agent, batch.tick});
    return;
  }
  Mbarrier& barrier = barriers.at(*batch.barrier);
  if (barrier.pending == 0) {
    report(FindingKind::PhaseOverrun,
           fmt::format("one arrival of landed copies more than the {} of phase {} of the barrier "
                       "at {}",
                       barrier.expected,
                       barrier.phase,
                       *batch.barrier),
           {placeOf(thread, "issued the copies", 0)});
    return;
  }
  markLanded(barrier.gathering, batch.agent, batch.tick, batch.happened);
  --barrier.pending;
  completeIfDone(*batch.barrier, barrier);
}

void Cta::fenceProxy(std::uint32_t site) {
  requireTarget(rules.target->hasBulkCopy, "fence.proxy.async", site);
  GpuThread& thread = current();
  thread.knows.proxied.join(thread.knows.seen);
  thread.advance();
  for (auto& [address, barrier] : barriers)
    if (thread.knows.seen.covers(barrier.initThread, barrier.initTick))
      barrier.initFenced = true;
}

} // namespace mlac::simt
