// AtomicOrder: what atomic operations on device memory hand from one thread to another, also across
// CTAs, and the one lock under which they are carried out.
#pragma once

#include "simt/memory/Shadow.h"

#include <cstdint>
#include <map>
#include <mutex>

namespace mlac::simt {

struct AtomicOrder {
  std::mutex mutex;
  std::map<std::uint64_t, ForeignKnowledge> released; ///< by address: clocks of CTAs, by number
};

} // namespace mlac::simt
