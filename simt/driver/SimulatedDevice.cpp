#include "simt/driver/SimulatedDevice.h"

#include "simt/exec/Launch.h"

#include <chrono>
#include <utility>

namespace mlac::simt {

CUresult launchOn(SimulatedDevice& device,
                  const KernelImage& kernel,
                  const GridSize& size,
                  const void* args,
                  bool dependent) {
  const std::lock_guard lock(device.mutex);
  const auto start = std::chrono::steady_clock::now();
  const LaunchConfig config{
      &kernel, size.ctas, size.threads, size.dynamicSmemBytes, args, dependent};
  LaunchRules rules;
  rules.target = device.target;
  rules.memory = &device.memory;
  rules.atomics = &device.atomics;
  rules.seed = device.options.seed;
  rules.osThreads = device.options.osThreads;
  rules.maxSteps = device.options.maxSteps;
  rules.firstCta = device.nextCta;
  rules.firstCtaBefore = device.firstCtaOfLast;
  device.atomics.released.clear(); // what a grid released, all of the next one sees
  LaunchOutcome outcome = runLaunch(config, rules);
  device.firstCtaOfLast = device.nextCta;
  device.nextCta += size.ctas;
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  device.launches.push_back({kernel.entry(), outcome.counters, took.count()});
  if (outcome.outOfMemory)
    return kSimtOutOfMemory;
  if (!outcome.finding)
    return kCudaSuccess;
  device.lastFinding = describe(*outcome.finding);
  device.findings.push_back(std::move(*outcome.finding));
  return kSimtLaunchFailed;
}

} // namespace mlac::simt
