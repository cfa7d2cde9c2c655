// Atomic operations of a CTA's threads, and the order they make.
#include "simt/exec/Cta.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>

namespace mlac::simt {
namespace {

std::uint64_t load(const void* at, std::uint32_t bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, at, bytes);
  return value;
}

std::uint64_t updated(const AtomicCall& call, std::uint64_t old) {
  switch (call.operation) {
  case kAtomicStore:
    return call.value;
  case kAtomicAdd:
    return old + call.value;
  default:
    return old;
  }
}

bool acquires(std::uint32_t order) {
  return order == kAcquire || order == kAcquireRelease;
}

bool releases(std::uint32_t order) {
  return order == kRelease || order == kAcquireRelease;
}

} // namespace

std::uint64_t Cta::atomic(const AtomicCall& call) {
  const auto address = std::bit_cast<std::uint64_t>(call.at);
  checkAligned(address, call.bytes, "updates", call.site);
  ++counts.atomics;
  std::uint64_t old = 0;
  {
    const std::lock_guard lock(rules.atomics->mutex);
    ForeignKnowledge& released = rules.atomics->released[address];
    if (acquires(call.order))
      acquireForeign(released);
    accessAtomically(call.at, call.bytes, call.site);
    old = load(call.at, call.bytes);
    const std::uint64_t made = updated(call, old);
    std::memcpy(call.at, &made, call.bytes);
    // A store begins a release sequence of its own; what reads and changes the word continues one.
    if (call.operation == kAtomicStore)
      released.clear();
    if (releases(call.order))
      releaseForeign(released);
  }
  // Whoever acquires may be polling: others must get on.
  if (acquires(call.order)) {
    ++spins;
    suspend();
  }
  return old;
}

void Cta::accessAtomically(void* at, std::uint32_t bytes, std::uint32_t site) {
  const auto address = std::bit_cast<std::uint64_t>(at);
  const std::uint64_t offset = address - std::bit_cast<std::uint64_t>(shared);
  if (offset < image().sharedBytes())
    accessShared(static_cast<std::uint32_t>(offset), bytes, AccessKind::Atomic, site);
  else
    accessGlobal(address, bytes, AccessKind::Atomic, site);
}

void Cta::acquireForeign(const ForeignKnowledge& released) {
  GpuThread& thread = current();
  for (const auto& [cta, clock] : released) {
    if (cta == number)
      thread.knows.seen.join(clock);
    else
      joinForeign(thread.knows.foreign, cta, clock);
  }
}

void Cta::releaseForeign(ForeignKnowledge& released) {
  GpuThread& thread = current();
  joinForeign(released, number, thread.knows.seen);
  for (const auto& [cta, clock] : thread.knows.foreign)
    joinForeign(released, cta, clock);
  thread.advance();
}

} // namespace mlac::simt
