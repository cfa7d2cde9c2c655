// Barriers of the CTA, and barriers in shared memory. PTX ISA, "barrier" and "mbarrier".
#include "simt/exec/Cta.h"

#include <fmt/format.h>

#include <algorithm>

namespace mlac::simt {
namespace {

constexpr std::uint32_t kBarrierBytes = 8;
constexpr std::int64_t kMostBytes = (1 << 20) - 1; // PTX ISA, "mbarrier": range of the tx-count

} // namespace

void Cta::release(GpuThread& thread, Knowledge& into) {
  into.join(thread.knows);
  thread.advance();
}

void Cta::syncBarrier(std::uint32_t number, std::uint32_t wanted, bool waits, std::uint32_t site) {
  GpuThread& thread = current();
  const std::uint32_t expected = wanted == 0 ? config.threads : wanted;
  if (number >= ctaBarriers.size() || expected % kWarpLanes != 0 || expected > config.threads)
    fail(FindingKind::BarrierMisuse,
         fmt::format("CTA barrier {} of {} threads; there are {} barriers, and they count whole "
                     "warps of the CTA's {} threads",
                     number,
                     expected,
                     ctaBarriers.size(),
                     config.threads),
         {placeOf(thread, "comes to it", site)});
  CtaBarrier& barrier = ctaBarriers[number];
  if (barrier.arrived == 0) {
    barrier.expected = expected;
    barrier.warpSites.assign(config.threads / kWarpLanes, 0);
  }
  if (barrier.expected != expected)
    fail(FindingKind::BarrierMisuse,
         fmt::format("CTA barrier {} is taken for {} threads and for {}",
                     number,
                     barrier.expected,
                     expected),
         {placeOf(thread, "comes to it", site)});
  std::uint32_t& warpSite = barrier.warpSites[thread.warp()];
  if (warpSite == 0) {
    warpSite = site;
    ++counts.ctaBarriers;
  } else if (!image().sameSource(warpSite, site)) {
    Place other = placeOf(thread, "comes there", warpSite);
    other.who = fmt::format("another lane of warp {}", thread.warp());
    fail(FindingKind::DivergentWarp,
         fmt::format("the lanes of warp {} are not at the same CTA barrier", thread.warp()),
         {placeOf(thread, "comes here", site), std::move(other)});
  }
  release(thread, barrier.gathering);
  if (++barrier.arrived < barrier.expected) {
    if (!waits)
      return;
    barrier.waiters.push_back(thread.index);
    block(Waiting::For::CtaBarrier, number, 0, site);
    return;
  }
  CtaBarrier passed = std::move(barrier);
  barrier = {};
  for (AccessLog& log : logs)
    log.flush(counts);
  for (const std::uint32_t waiter : passed.waiters) {
    threads[waiter].knows.join(passed.gathering);
    wake(waiter);
  }
  if (waits)
    thread.knows.join(passed.gathering);
}

void Cta::initBarrier(std::uint32_t address, std::uint32_t arrivals, std::uint32_t site) {
  GpuThread& thread = current();
  checkAligned(address, kBarrierBytes, "initialises a barrier of", site);
  const std::uint32_t offset = address - kSharedWindowBase;
  if (arrivals == 0 || arrivals > static_cast<std::uint32_t>(kMostBytes))
    fail(FindingKind::BarrierMisuse,
         fmt::format("a barrier of {} arrivals; it takes 1 to {}", arrivals, kMostBytes),
         {placeOf(thread, "initialises it", site)});
  checkNoBarrier(offset, kBarrierBytes, "initialises a barrier of", site);
  accessShared(offset, kBarrierBytes, AccessKind::Write, site);
  Mbarrier barrier;
  barrier.expected = arrivals;
  barrier.pending = arrivals;
  barrier.initThread = thread.index;
  barrier.initTick = thread.tick();
  barriers.emplace(address, std::move(barrier));
}

Mbarrier& Cta::barrierAt(std::uint32_t address, const char* verb, std::uint32_t site) {
  const GpuThread& thread = current();
  const auto found = barriers.find(address);
  if (found == barriers.end())
    fail(FindingKind::BarrierMisuse,
         fmt::format("there is no barrier at {}", address),
         {placeOf(thread, verb, site)});
  const Mbarrier& barrier = found->second;
  if (!thread.knows.seen.covers(barrier.initThread, barrier.initTick))
    fail(FindingKind::BarrierMisuse,
         fmt::format("nothing orders this use of the barrier at {} after its initialisation",
                     address),
         {placeOf(thread, verb, site), placeOf(threads[barrier.initThread], "initialises it", 0)});
  return found->second;
}

/// An arrival must be ordered after the last completed phase, or chance decides in which phase it
/// counts.
void Cta::checkArrival(const Mbarrier& barrier, std::uint32_t address, std::uint32_t site) {
  const GpuThread& thread = current();
  if (barrier.pending == 0)
    fail(FindingKind::PhaseOverrun,
         fmt::format("one arrival more than the {} of phase {} of the barrier at {}",
                     barrier.expected,
                     barrier.phase,
                     address),
         {placeOf(thread, "arrives", site)});
  if (!thread.knows.happened.covers(barrier.completed.happened))
    fail(FindingKind::PhaseOverrun,
         fmt::format("nothing orders this arrival at the barrier at {} after the end of its phase "
                     "{}, so it may count in that one",
                     address,
                     barrier.phase - 1),
         {placeOf(thread, "arrives", site)});
}

void Cta::arriveBarrier(std::uint32_t address, std::uint32_t bytes, std::uint32_t site) {
  Mbarrier& barrier = barrierAt(address, "arrives", site);
  checkArrival(barrier, address, site);
  ++counts.barrierArrivals;
  barrier.bytes += bytes;
  if (barrier.bytes > kMostBytes)
    fail(FindingKind::UnbalancedBytes,
         fmt::format("the barrier at {} expects {} bytes; it counts {} at most",
                     address,
                     barrier.bytes,
                     kMostBytes),
         {placeOf(current(), "arrives", site)});
  release(current(), barrier.gathering);
  --barrier.pending;
  completeIfDone(address, barrier);
}

void Cta::arriveExpecting(std::uint32_t address, std::uint32_t bytes, std::uint32_t site) {
  requireTarget(rules.target->hasBulkCopy, "mbarrier.expect_tx", site);
  arriveBarrier(address, bytes, site);
}

void Cta::completeIfDone(std::uint32_t address, Mbarrier& barrier) {
  if (barrier.pending == 0 && barrier.bytes == 0)
    completePhase(address, barrier);
}

void Cta::completePhase(std::uint32_t address, Mbarrier& barrier) {
  for (const auto& [waiter, tick] : barrier.waited)
    if (!barrier.gathering.happened.covers(waiter, tick)) {
      report(FindingKind::PhaseLost,
             fmt::format("phase {} of the barrier at {} completes while a thread may not have seen "
                         "the end of phase {} yet, and then waits for ever",
                         barrier.phase,
                         address,
                         barrier.phase - 1),
             {placeOf(threads[waiter], "waited there", 0)});
      return;
    }
  ++barrier.phase;
  barrier.pending = barrier.expected;
  barrier.completedBefore = std::move(barrier.completed);
  barrier.completed = std::move(barrier.gathering);
  barrier.gathering = {};
  barrier.waited.clear();
  for (const std::uint32_t waiter : barrier.waiters) {
    GpuThread& thread = threads[waiter];
    thread.knows.join(barrier.completed);
    barrier.waited.emplace_back(waiter, thread.tick());
    wake(waiter);
  }
  barrier.waiters.clear();
}

/// A wait must be ordered after the end of the phase before its own, or it could come while that
/// one is under way, when its parity stands for the phase before both.
void Cta::checkWait(const Mbarrier& barrier,
                    std::uint32_t address,
                    std::uint32_t phase,
                    std::uint32_t site) {
  const Knowledge& before = phase == barrier.phase ? barrier.completed : barrier.completedBefore;
  if (phase + 1 == 0 || phase == 0 || current().knows.happened.covers(before.happened))
    return;
  fail(FindingKind::PhaseAliased,
       fmt::format("nothing orders this wait for phase {} of the barrier at {} after the end of "
                   "phase {}; before that end its parity means phase {}",
                   phase,
                   address,
                   phase - 1,
                   static_cast<std::int64_t>(phase) - 2),
       {placeOf(current(), "waits", site)});
}

void Cta::waitBarrier(std::uint32_t address, std::uint32_t parity, std::uint32_t site) {
  Mbarrier& barrier = barrierAt(address, "waits", site);
  GpuThread& thread = current();
  ++counts.barrierWaits;
  if (parity > 1)
    fail(FindingKind::BarrierMisuse,
         fmt::format("a wait for parity {}", parity),
         {placeOf(thread, "waits", site)});
  const bool blocks = (barrier.phase & 1) == parity;
  checkWait(barrier, address, blocks ? barrier.phase : barrier.phase - 1, site);
  if (blocks) {
    barrier.waiters.push_back(thread.index);
    block(Waiting::For::Phase, address, barrier.phase, site);
    return;
  }
  thread.knows.join(barrier.completed);
  if (barrier.phase > 0)
    barrier.waited.emplace_back(thread.index, thread.tick());
}

void Cta::fenceBarrierInit(std::uint32_t site) {
  requireTarget(rules.target->hasBulkCopy, "fence.mbarrier_init", site);
  const GpuThread& thread = current();
  for (auto& [address, barrier] : barriers)
    if (barrier.initThread == thread.index)
      barrier.initFenced = true;
}

} // namespace mlac::simt
