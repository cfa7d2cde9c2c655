#include "simt/count/Counters.h"

namespace mlac::simt {

Counters& Counters::operator+=(const Counters& other) {
  ctas += other.ctas;
  threads += other.threads;
  steps += other.steps;
  sharedLoads += other.sharedLoads;
  sharedStores += other.sharedStores;
  sharedConflicts += other.sharedConflicts;
  matrixLoads += other.matrixLoads;
  matrixStores += other.matrixStores;
  matrixConflicts += other.matrixConflicts;
  globalLoadBytes += other.globalLoadBytes;
  globalLoadSectors += other.globalLoadSectors;
  globalStoreBytes += other.globalStoreBytes;
  globalStoreSectors += other.globalStoreSectors;
  asyncCopies += other.asyncCopies;
  asyncBytes += other.asyncBytes;
  asyncSectors += other.asyncSectors;
  matrixProducts += other.matrixProducts;
  ctaBarriers += other.ctaBarriers;
  warpBarriers += other.warpBarriers;
  barrierWaits += other.barrierWaits;
  barrierArrivals += other.barrierArrivals;
  shuffles += other.shuffles;
  atomics += other.atomics;
  return *this;
}

} // namespace mlac::simt
