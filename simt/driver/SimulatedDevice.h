// SimulatedDevice: the state behind the driver entries: one GPU's memory, modules and launches.
#pragma once

#include "common/Target.h"
#include "runtime/cuda/DriverApi.h"
#include "simt/Simt.h"
#include "simt/exec/AtomicOrder.h"
#include "simt/exec/KernelImage.h"
#include "simt/memory/DeviceMemory.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace mlac::simt {

// What a launch answers beside kCudaSuccess; CUDA's numbers.
constexpr CUresult kSimtOutOfMemory = 2;
constexpr CUresult kSimtLaunchFailed = 719; ///< SimulatedDevice::lastFinding says why

struct SimulatedDevice {
  Options options;
  const Target* target = nullptr;
  std::mutex mutex; ///< one driver call at a time
  DeviceMemory memory;
  AtomicOrder atomics;
  std::map<CUmodule, std::unique_ptr<KernelImage>> modules;
  std::vector<LaunchRecord> launches;
  std::vector<Finding> findings;
  std::string lastFinding;    ///< text of the last failed launch
  std::string lastImageError; ///< why the last image did not load
  std::uint32_t nextCta = 1;  ///< CTAs are numbered over all launches
  std::uint32_t firstCtaOfLast = 1;
};

/// A driver table whose entries act on `device`, which is the process's only one.
DriverApi driverFor(SimulatedDevice& device);

struct GridSize {
  std::uint32_t ctas = 0;
  std::uint32_t threads = 0; ///< of one CTA
  std::uint32_t dynamicSmemBytes = 0;
};

/// Runs one grid. `dependent`: as a programmatic dependent launch of the grid before, whose results
/// it may touch after griddepcontrol.wait only.
CUresult launchOn(SimulatedDevice& device,
                  const KernelImage& kernel,
                  const GridSize& size,
                  const void* args,
                  bool dependent);

} // namespace mlac::simt
