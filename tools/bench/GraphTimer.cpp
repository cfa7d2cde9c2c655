#include "tools/bench/GraphTimer.h"

#include "runtime/cuda/Device.h"
#include "tools/bench/CudaHandles.h"

#include <algorithm>
#include <cassert>

namespace mlac {
namespace {

constexpr int kMinLaunchesPerGraph = 16;
constexpr int kWarmUps = 3;

Status capture(const DriverApi& api,
               CUstream stream,
               int launches,
               const std::function<Status(int)>& launch,
               GraphExecHandle& exec) {
  GraphHandle graph(api);
  MLAC_CUDA(api, cuStreamBeginCapture, stream, kCaptureThreadLocal);
  Status launched = Unit{};
  for (int i = 0; i < launches && launched; ++i)
    launched = launch(i);
  // Ended in any case, so that the stream can be used again.
  MLAC_CUDA(api, cuStreamEndCapture, stream, graph.out());
  MLAC_CHECK(launched);
  MLAC_CUDA(api, cuGraphInstantiate, exec.out(), graph.get(), 0);
  return Unit{};
}

/// Microseconds of one replay.
Result<double> replay(const DriverApi& api, CUstream stream, const GraphExecHandle& exec) {
  EventHandle start(api);
  EventHandle stop(api);
  MLAC_CUDA(api, cuEventCreate, start.out(), 0);
  MLAC_CUDA(api, cuEventCreate, stop.out(), 0);
  MLAC_CUDA(api, cuEventRecord, start.get(), stream);
  MLAC_CUDA(api, cuGraphLaunch, exec.get(), stream);
  MLAC_CUDA(api, cuEventRecord, stop.get(), stream);
  MLAC_CUDA(api, cuStreamSynchronize, stream);
  float milliseconds = 0;
  MLAC_CUDA(api, cuEventElapsedTime, &milliseconds, start.get(), stop.get());
  return double{milliseconds} * 1000;
}

} // namespace

Timing timingOf(std::vector<double> samplesUs) {
  assert(!samplesUs.empty());
  std::sort(samplesUs.begin(), samplesUs.end());
  const std::size_t count = samplesUs.size();
  return {
      (samplesUs[(count - 1) / 2] + samplesUs[count / 2]) / 2, samplesUs.front(), samplesUs.back()};
}

int launchesPerGraph(int sets) {
  return (kMinLaunchesPerGraph + sets - 1) / sets * sets;
}

Result<Timing> timeInGraph(const Device& device,
                           CUstream stream,
                           int launches,
                           int iterations,
                           const std::function<Status(int)>& launch) {
  const DriverApi& api = *device.get().api;
  GraphExecHandle exec(api);
  MLAC_CHECK(capture(api, stream, launches, launch, exec));
  std::vector<double> samples;
  for (int i = 0; i < kWarmUps + iterations; ++i) {
    MLAC_TRY(graphUs, replay(api, stream, exec));
    if (i >= kWarmUps)
      samples.push_back(graphUs / launches);
  }
  return timingOf(std::move(samples));
}

} // namespace mlac
