// Launch: one grid of a kernel, run CTA by CTA on the host's cores.
#pragma once

#include "common/Target.h"
#include "simt/count/Counters.h"
#include "simt/exec/AtomicOrder.h"
#include "simt/exec/KernelImage.h"
#include "simt/memory/DeviceMemory.h"
#include "simt/report/Finding.h"

#include <atomic>
#include <cstdint>
#include <optional>

namespace mlac::simt {

struct LaunchConfig {
  const KernelImage* kernel = nullptr;
  std::uint32_t gridCtas = 0;
  std::uint32_t threads = 0; ///< of one CTA
  std::uint32_t dynamicSmemBytes = 0;
  const void* args = nullptr; ///< the kernel's parameter struct; read while the launch runs
  bool dependent = false;     ///< a programmatic dependent launch: the grid before may still run
};

/// How a launch is executed.
struct LaunchRules {
  const Target* target = nullptr;
  DeviceMemory* memory = nullptr;
  AtomicOrder* atomics = nullptr;
  std::uint64_t seed = 0;
  int osThreads = 0;
  std::int64_t maxSteps = 0;
  std::uint32_t firstCta = 1;       ///< number of the grid's first CTA among all of the machine
  std::uint32_t firstCtaBefore = 1; ///< the same of the launch before
};

struct LaunchOutcome {
  Counters counters;
  std::optional<Finding> finding; ///< of the lowest CTA that had one, in the fixed order
  bool outOfMemory = false;       ///< the host's
};

/// Runs the grid to its end or its first finding.
LaunchOutcome runLaunch(const LaunchConfig& config, const LaunchRules& rules);

} // namespace mlac::simt
