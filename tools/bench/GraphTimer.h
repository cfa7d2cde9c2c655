// GraphTimer: how long a launch takes, from events around a graph of many.
#pragma once

#include "common/Result.h"
#include "mlac/mlac.hpp"
#include "runtime/cuda/DriverApi.h"

#include <functional>
#include <vector>

namespace mlac {

/// Of one launch, over the timed replays; microseconds.
struct Timing {
  double medianUs = 0;
  double minUs = 0;
  double maxUs = 0;
};

/// Of at least one sample.
Timing timingOf(std::vector<double> samplesUs);

/// Launches in a graph that goes over `sets` input sets: whole rounds, and enough that the graph's
/// own start does not count.
int launchesPerGraph(int sets);

/// Captures `launches` calls of `launch`, which is given their numbers and enqueues on `stream`,
/// and times `iterations` (at least 1) replays after a few that warm up. The device's context must
/// be current; nothing else may run on it. Returns after the last replay.
Result<Timing> timeInGraph(const Device& device,
                           CUstream stream,
                           int launches,
                           int iterations,
                           const std::function<Status(int)>& launch);

} // namespace mlac
