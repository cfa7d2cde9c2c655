// parallelFor: independent pieces of work dealt to a bounded number of threads.
#pragma once

#include <cstdint>
#include <functional>

namespace mlac {

/// Calls work(i) once for every i in [0, count), in any order, on at most `threads` threads (0: as
/// many as the machine has cores), this one included. `work` must not throw. Returns when all are
/// done. A thread that cannot be started is one helper less, and no failure.
void parallelFor(std::int64_t count, int threads, const std::function<void(std::int64_t)>& work);

} // namespace mlac
