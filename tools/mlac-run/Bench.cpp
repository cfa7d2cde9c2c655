#include "tools/mlac-run/Bench.h"

#include "runtime/Family.h"
#include "runtime/cuda/Device.h"
#include "tools/gpu/DeviceProblem.h"
#include "tools/mlac-run/CudaHandles.h"

#include <algorithm>
#include <memory>
#include <vector>

namespace mlac {

/// A problem in both memories. The device's part points at the host's, so neither moves.
struct InputSet {
  verify::Problem host;
  std::unique_ptr<DeviceProblem> device;
  LaunchArgs args; ///< without a workspace
};

namespace {

constexpr int kMinSets = 2;
constexpr int kMaxSets = 128;
constexpr int kL2Sizes = 5; ///< input sets together hold this many times the L2 cache
constexpr int kMinLaunchesPerGraph = 16;
constexpr int kWarmUps = 3;
constexpr unsigned kNonBlocking = 1;

using InputSets = std::vector<std::unique_ptr<InputSet>>;

Result<std::unique_ptr<InputSet>>
makeSet(const Device& device, const Variant& variant, verify::ProblemOptions options, int index) {
  options.seed += static_cast<std::uint64_t>(index);
  auto set = std::make_unique<InputSet>();
  MLAC_TRY(problem, verify::makeProblem(variant, options));
  set->host = std::move(problem);
  MLAC_TRY(uploaded, DeviceProblem::upload(device, set->host));
  set->device = std::make_unique<DeviceProblem>(std::move(uploaded));
  set->args = set->device->launchArgs();
  return set;
}

std::int64_t keyBytesOf(const verify::Problem& problem) {
  return static_cast<std::int64_t>(problem.cache.rows.size() * sizeof(std::uint16_t));
}

/// How many problems together hold several times the L2 cache, if each is like `first`.
int setsWanted(const Device& device, const verify::Problem& first) {
  const std::int64_t setBytes = std::max<std::int64_t>(1, keyBytesOf(first));
  const std::int64_t wanted = kL2Sizes * std::int64_t{device.get().l2Bytes} / setBytes + 1;
  return static_cast<int>(std::clamp<std::int64_t>(wanted, kMinSets, kMaxSets));
}

class Bench {
public:
  Bench(const Device& device, const Family& family, const InputSets& sets)
      : family(family), api(*device.get().api), sets(sets), stream(api), workspace() {}

  Status prepare(const Device& device, const GpuRunOptions& options);
  Result<BenchResult> run(int iterations);

private:
  Status launch(std::size_t set);
  Result<verify::Outputs> launchPlainly();
  Status capture(GraphExecHandle& exec);
  Status replay(const GraphExecHandle& exec, double& launchUs);

  const Family& family;
  const DriverApi& api;
  const InputSets& sets;
  StreamHandle stream;
  DeviceBuffer workspace;
  Plan plan;
  int launches = 0;
};

Status Bench::prepare(const Device& device, const GpuRunOptions& options) {
  const int count = static_cast<int>(sets.size());
  launches = (kMinLaunchesPerGraph + count - 1) / count * count;
  MLAC_TRY(planned, planFor(family, sets.front()->host, options));
  plan = planned;
  MLAC_TRY(buffer, DeviceBuffer::allocate(device, plan.workspaceBytes));
  workspace = std::move(buffer);
  MLAC_CHECK(sets.front()->device->clearOutputs());
  MLAC_CUDA(api, cuStreamCreate, stream.out(), kNonBlocking);
  // Uploads and fills went through the default stream, which this one does not wait for.
  MLAC_CUDA(api, cuCtxSynchronize);
  return Unit{};
}

Status Bench::launch(std::size_t set) {
  LaunchArgs args = sets[set]->args;
  args.workspace = {workspace.at(), workspace.size()};
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

Status Bench::capture(GraphExecHandle& exec) {
  GraphHandle graph(api);
  MLAC_CUDA(api, cuStreamBeginCapture, stream.get(), kCaptureThreadLocal);
  Status launched = Unit{};
  for (int i = 0; i < launches && launched; ++i)
    launched = launch(static_cast<std::size_t>(i) % sets.size());
  MLAC_CUDA(api, cuStreamEndCapture, stream.get(), graph.out());
  MLAC_CHECK(launched);
  MLAC_CUDA(api, cuGraphInstantiate, exec.out(), graph.get(), 0);
  return Unit{};
}

Status Bench::replay(const GraphExecHandle& exec, double& launchUs) {
  EventHandle start(api);
  EventHandle stop(api);
  MLAC_CUDA(api, cuEventCreate, start.out(), 0);
  MLAC_CUDA(api, cuEventCreate, stop.out(), 0);
  MLAC_CUDA(api, cuEventRecord, start.get(), stream.get());
  MLAC_CUDA(api, cuGraphLaunch, exec.get(), stream.get());
  MLAC_CUDA(api, cuEventRecord, stop.get(), stream.get());
  MLAC_CUDA(api, cuStreamSynchronize, stream.get());
  float milliseconds = 0;
  MLAC_CUDA(api, cuEventElapsedTime, &milliseconds, start.get(), stop.get());
  launchUs = double{milliseconds} * 1000 / launches;
  return Unit{};
}

Result<BenchResult> Bench::run(int iterations) {
  MLAC_TRY(expected, launchPlainly());
  GraphExecHandle exec(api);
  MLAC_CHECK(capture(exec));
  std::vector<double> times;
  for (int i = 0; i < kWarmUps + iterations; ++i) {
    double launchUs = 0;
    MLAC_CHECK(replay(exec, launchUs));
    if (i >= kWarmUps)
      times.push_back(launchUs);
  }
  std::sort(times.begin(), times.end());
  MLAC_TRY(replayed, sets.front()->device->download());
  BenchResult result;
  result.inputSets = static_cast<int>(sets.size());
  result.launchesPerGraph = launches;
  result.medianUs = (times[(times.size() - 1) / 2] + times[times.size() / 2]) / 2;
  result.minUs = times.front();
  result.maxUs = times.back();
  result.keyBytes = keyBytesOf(sets.front()->host);
  result.predictedUs = plan.predictedNs / 1000;
  result.replaysAgree = replayed.out == expected.out && replayed.lse == expected.lse &&
                        replayed.maxLogit == expected.maxLogit;
  return result;
}

} // namespace

BenchInputs::BenchInputs(const Device& device) : device(device) {}

BenchInputs::~BenchInputs() = default;

Result<const InputSets*> BenchInputs::get(const Variant& wanted,
                                          const verify::ProblemOptions& options,
                                          const std::string& wantedKey) {
  if (variant == wanted && key == wantedKey)
    return &sets;
  variant.reset();
  sets.clear();
  MLAC_TRY(first, makeSet(device, wanted, options, 0));
  const int count = setsWanted(device, first->host);
  sets.push_back(std::move(first));
  for (int i = 1; i < count; ++i) {
    MLAC_TRY(set, makeSet(device, wanted, options, i));
    sets.push_back(std::move(set));
  }
  variant = wanted;
  key = wantedKey;
  return &sets;
}

Result<BenchResult> benchmark(const Device& device,
                              const Family& family,
                              const InputSets& sets,
                              const BenchOptions& options) {
  if (options.iterations < 1)
    return Error{ErrorCode::InvalidInput, "iterations must be at least 1"};
  Bench bench(device, family, sets);
  MLAC_CHECK(bench.prepare(device, options.gpu));
  return bench.run(options.iterations);
}

} // namespace mlac
