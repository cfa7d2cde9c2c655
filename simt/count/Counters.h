// Counters: what a launch did, summed over its threads. Counts that are per warp say so.
#pragma once

#include <cstdint>

namespace mlac::simt {

struct Counters {
  std::int64_t ctas = 0;
  std::int64_t threads = 0;
  std::int64_t steps = 0; ///< basic blocks

  // Shared memory; one count a warp instruction, of any width.
  std::int64_t sharedLoads = 0;
  std::int64_t sharedStores = 0;
  std::int64_t sharedConflicts = 0; ///< wavefronts beyond those that the bytes need
  std::int64_t matrixLoads = 0;     ///< ldmatrix, one a warp instruction
  std::int64_t matrixStores = 0;
  std::int64_t matrixConflicts = 0; ///< wavefronts beyond one a matrix

  // Device memory. A sector is 32 bytes; the sectors of one warp instruction are counted once each.
  std::int64_t globalLoadBytes = 0;
  std::int64_t globalLoadSectors = 0;
  std::int64_t globalStoreBytes = 0;
  std::int64_t globalStoreSectors = 0;
  std::int64_t asyncCopies = 0; ///< 16-byte and bulk copies, one a thread instruction
  std::int64_t asyncBytes = 0;  ///< read from device memory by them; zero-filled bytes do not count
  std::int64_t asyncSectors = 0;

  std::int64_t matrixProducts = 0;  ///< m16n8k16, one a warp instruction
  std::int64_t ctaBarriers = 0;     ///< one a warp
  std::int64_t warpBarriers = 0;    ///< one a warp
  std::int64_t barrierWaits = 0;    ///< mbarrier waits, one a thread
  std::int64_t barrierArrivals = 0; ///< mbarrier arrivals of threads, copies' own not counted
  std::int64_t shuffles = 0;        ///< shuffles, votes and reductions, one a warp instruction
  std::int64_t atomics = 0;         ///< one a thread

  Counters& operator+=(const Counters& other);
  friend bool operator==(const Counters&, const Counters&) = default;
};

/// Calls visit(name, value) for each counter, in the order above.
template <class Visit>
void forEachCounter(const Counters& c, Visit visit) {
  visit("ctas", c.ctas);
  visit("threads", c.threads);
  visit("steps", c.steps);
  visit("sharedLoads", c.sharedLoads);
  visit("sharedStores", c.sharedStores);
  visit("sharedConflicts", c.sharedConflicts);
  visit("matrixLoads", c.matrixLoads);
  visit("matrixStores", c.matrixStores);
  visit("matrixConflicts", c.matrixConflicts);
  visit("globalLoadBytes", c.globalLoadBytes);
  visit("globalLoadSectors", c.globalLoadSectors);
  visit("globalStoreBytes", c.globalStoreBytes);
  visit("globalStoreSectors", c.globalStoreSectors);
  visit("asyncCopies", c.asyncCopies);
  visit("asyncBytes", c.asyncBytes);
  visit("asyncSectors", c.asyncSectors);
  visit("matrixProducts", c.matrixProducts);
  visit("ctaBarriers", c.ctaBarriers);
  visit("warpBarriers", c.warpBarriers);
  visit("barrierWaits", c.barrierWaits);
  visit("barrierArrivals", c.barrierArrivals);
  visit("shuffles", c.shuffles);
  visit("atomics", c.atomics);
}

} // namespace mlac::simt
