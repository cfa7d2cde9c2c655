#include "tools/bench/Bench.h"

#include "runtime/cuda/Device.h"
#include "tools/bench/CudaHandles.h"
#include "tools/bench/GraphTimer.h"

#include <utility>
#include <vector>

namespace mlac {
namespace {

constexpr unsigned kNonBlocking = 1;

class Bench {
public:
  Bench(const Device& device, const Family& family, const InputSets& sets)
      : device(device), family(family), api(*device.get().api), sets(sets), stream(api) {}

  Status prepare(const GpuRunOptions& options);
  Result<BenchResult> run(int iterations);

private:
  Status launch(int number);
  Result<verify::Outputs> launchPlainly();

  const Device& device;
  const Family& family;
  const DriverApi& api;
  const InputSets& sets;
  StreamHandle stream;
  DeviceBuffer workspace;
  std::vector<DeviceBuffer> schedules; ///< of a balanced plan: one a set
  Plan plan;
};

Status Bench::prepare(const GpuRunOptions& options) {
  MLAC_TRY(planned, planFor(family, sets.front()->host, options));
  plan = planned;
  MLAC_TRY(buffer, DeviceBuffer::allocate(device, plan.workspaceBytes));
  workspace = std::move(buffer);
  MLAC_CHECK(sets.front()->device->clearOutputs());
  MLAC_CUDA(api, cuStreamCreate, stream.out(), kNonBlocking);
  // Uploads and fills went through the default stream, which this one does not wait for.
  MLAC_CUDA(api, cuCtxSynchronize);
  for (const auto& set : sets) {
    MLAC_TRY(schedule, scheduleOnGpu(device, family, plan, set->args, stream.get()));
    schedules.push_back(std::move(schedule));
  }
  return Unit{};
}

Status Bench::launch(int number) {
  const std::size_t set = static_cast<std::size_t>(number) % sets.size();
  LaunchArgs args = sets[set]->args;
  args.workspace = {workspace.at(), workspace.size()};
  args.schedule = schedules[set].at();
  return family.launch(plan, args, stream.get());
}

Result<verify::Outputs> Bench::launchPlainly() {
  MLAC_CHECK(launch(0));
  MLAC_CUDA(api, cuStreamSynchronize, stream.get());
  MLAC_TRY(outputs, sets.front()->device->download());
  MLAC_CHECK(sets.front()->device->clearOutputs());
  MLAC_CUDA(api, cuCtxSynchronize);
  return std::move(outputs);
}

Result<BenchResult> Bench::run(int iterations) {
  BenchResult result;
  MLAC_TRY(expected, launchPlainly());
  result.outputs = std::move(expected);
  result.inputSets = static_cast<int>(sets.size());
  result.launchesPerGraph = launchesPerGraph(result.inputSets);
  MLAC_TRY(
      timing,
      timeInGraph(device, stream.get(), result.launchesPerGraph, iterations, [this](int number) {
        return launch(number);
      }));
  MLAC_TRY(replayed, sets.front()->device->download());
  result.medianUs = timing.medianUs;
  result.minUs = timing.minUs;
  result.maxUs = timing.maxUs;
  result.keyBytes = keyBytesOf(sets.front()->host);
  result.predictedUs = plan.predictedNs / 1000;
  result.plan = plan;
  result.replaysAgree = replayed.out == result.outputs.out && replayed.lse == result.outputs.lse &&
                        replayed.maxLogit == result.outputs.maxLogit;
  return result;
}

} // namespace

Result<BenchResult> benchmark(const Device& device,
                              const Family& family,
                              const InputSets& sets,
                              const BenchOptions& options) {
  if (options.iterations < 1)
    return Error{ErrorCode::InvalidInput, "iterations must be at least 1"};
  Bench bench(device, family, sets);
  MLAC_CHECK(bench.prepare(options.gpu));
  return bench.run(options.iterations);
}

} // namespace mlac
