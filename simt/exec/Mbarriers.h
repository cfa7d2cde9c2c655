// Mbarriers: the barriers in a CTA's shared memory. PTX ISA, "mbarrier": each has a count of
// arrivals still to come, a count of bytes still to land, and a phase that completes when both are
// zero.
#pragma once

#include "simt/memory/VectorClock.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace mlac::simt {

struct Mbarrier {
  std::uint32_t expected = 0; ///< arrivals of a phase
  std::uint32_t pending = 0;
  std::int64_t bytes = 0;
  std::uint32_t phase = 0;   ///< phases completed
  Knowledge gathering;       ///< of those who arrived in this phase
  Knowledge completed;       ///< of the last completed phase
  Knowledge completedBefore; ///< of the phase before that
  std::uint32_t initThread = 0;
  std::uint32_t initTick = 0;
  bool initFenced = false; ///< fence.mbarrier_init or fence.proxy.async followed the initialisation
  std::vector<std::pair<std::uint32_t, std::uint32_t>>
      waited; ///< threads that saw the last completed phase, and their ticks then
  std::vector<std::uint32_t> waiters; ///< threads in a wait for the current phase
};

/// By address in the shared window.
using Mbarriers = std::map<std::uint32_t, Mbarrier>;

} // namespace mlac::simt
