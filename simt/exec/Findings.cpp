// How a CTA reports what it found.
#include "simt/exec/Cta.h"

#include <fmt/format.h>

#include <bit>
#include <map>
#include <tuple>

namespace mlac::simt {

void Cta::report(FindingKind kind, std::string summary, std::vector<Place> places) {
  if (found)
    return;
  found = Finding{kind, image().entry(), std::move(summary), std::move(places), rules.seed};
}

void Cta::fail(FindingKind kind, std::string summary, std::vector<Place> places) {
  report(kind, std::move(summary), std::move(places));
  // Nobody runs again: run() ends at a finding, and the destructor unwinds this stack.
  for (;;)
    suspend();
}

Place Cta::placeOf(const GpuThread& thread, std::string what, std::uint32_t site) const {
  return {fmt::format("CTA {}, thread {} (warp {}, lane {})",
                      index,
                      thread.index,
                      thread.warp(),
                      thread.lane()),
          std::move(what),
          image().linesOf(site)};
}

Place Cta::placeOf(const Stamp& stamp, std::string what) const {
  if (stamp.cta < rules.firstCta)
    return {"the grid before", std::move(what), {}};
  const std::uint32_t owner = stamp.owner;
  const bool isCopy = stamp.agent >= config.threads;
  return {fmt::format("{}CTA {}, thread {} (warp {}, lane {})",
                      isCopy ? "an asynchronous copy issued by " : "",
                      stamp.cta - rules.firstCta,
                      owner,
                      owner / kWarpLanes,
                      owner % kWarpLanes),
          std::move(what),
          image().linesOf(stamp.site)};
}

std::string Cta::describeWaiting(const Waiting& waiting) const {
  switch (waiting.what) {
  case Waiting::For::Nothing:
    return "could run";
  case Waiting::For::Collective:
    return "waits for the other lanes of its warp";
  case Waiting::For::CtaBarrier: {
    const CtaBarrier& barrier = ctaBarriers[waiting.number];
    return fmt::format("waits at CTA barrier {}, where {} of {} threads have come",
                       waiting.number,
                       barrier.arrived,
                       barrier.expected);
  }
  case Waiting::For::Phase: {
    const Mbarrier& barrier = barriers.at(waiting.number);
    return fmt::format(
        "waits for phase {} of the barrier at {}: {} of {} arrivals and {} bytes are missing",
        waiting.phase,
        waiting.number,
        barrier.pending,
        barrier.expected,
        barrier.bytes);
  }
  case Waiting::For::Copies:
    return "waits for its copies";
  }
  return "";
}

void Cta::reportDeadlock() {
  using Reason = std::tuple<Waiting::For, std::uint32_t, std::uint32_t, std::uint32_t>;
  std::map<Reason, std::vector<const GpuThread*>> groups;
  for (const GpuThread& thread : threads)
    if (!thread.done)
      groups
          [{thread.waiting.what, thread.waiting.number, thread.waiting.phase, thread.waiting.site}]
              .push_back(&thread);
  constexpr std::size_t kMostGroups = 8;
  std::vector<Place> places;
  for (const auto& [reason, waiting] : groups) {
    if (places.size() == kMostGroups)
      break;
    const GpuThread& first = *waiting.front();
    Place place = placeOf(first, describeWaiting(first.waiting), first.waiting.site);
    if (waiting.size() > 1)
      place.who += fmt::format(" and {} more", waiting.size() - 1);
    places.push_back(std::move(place));
  }
  report(FindingKind::Deadlock,
         fmt::format("{} of {} threads wait and nobody can go on", live, config.threads),
         std::move(places));
}

std::string Cta::describeGlobal(std::uint64_t address) const {
  const Allocation* const allocation = rules.memory->nearest(address);
  if (allocation == nullptr)
    return fmt::format("device memory at {:#x}, where nothing is allocated", address);
  const auto offset = static_cast<std::int64_t>(address - allocation->base);
  return fmt::format("device memory at byte {} of allocation {} ({} bytes)",
                     offset,
                     allocation->number,
                     allocation->bytes);
}

} // namespace mlac::simt
