#include "tests/unit/simt/TrialBench.h"

#include "runtime/cuda/Driver.h"
#include "templates/Flatten.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <stdexcept>

namespace mlac::simt {
namespace {

constexpr std::size_t kTrialBytes = kTrialWords * sizeof(std::uint32_t);

template <class T>
T orThrow(Result<T> result) {
  if (!result)
    throw std::runtime_error(result.error().message);
  return std::move(*result);
}

constexpr std::string_view kHead = R"(#include "mlac/ptx/address.cuh"
#include "mlac/ptx/atomic.cuh"
#include "mlac/ptx/bulk_copy.cuh"
#include "mlac/ptx/cp_async.cuh"
#include "mlac/ptx/grid_dependency.cuh"
#include "mlac/ptx/matrix.cuh"
#include "mlac/ptx/mbarrier.cuh"
#include "mlac/ptx/mma.cuh"
#include "mlac/ptx/named_barrier.cuh"
#include "mlac/ptx/redux.cuh"
#include "mlac/ptx/warp.cuh"
using namespace mlac;
struct Args {
  const u32* in;
  u32* out;
  u32 faulty;
};
extern "C" __global__ void trial(const __grid_constant__ Args args) {
  extern __shared__ __align__(128) u8 smem[];
  [[maybe_unused]] const u32* const in = args.in;
  [[maybe_unused]] u32* const out = args.out;
  [[maybe_unused]] const bool faulty = args.faulty != 0;
  [[maybe_unused]] const u32 shared = sharedAddress(smem);
  [[maybe_unused]] const u32 thread = threadIdx.x;
  [[maybe_unused]] const u32 lane = thread % 32;
  [[maybe_unused]] const u32 warp = thread / 32;
  [[maybe_unused]] const u32 cta = blockIdx.x;)";

std::string imageOf(const Trial& trial, const std::string& target) {
  return orThrow(compileForHost({sourceOf(trial), "trial", target}));
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

} // namespace

std::string sourceOf(const Trial& trial) {
  return flatten(fmt::format("{}{}}}\n", kHead, trial.body));
}

std::string nameOfThread(std::uint32_t cta, std::uint32_t thread) {
  return fmt::format("CTA {}, thread {} (warp {}, lane {})", cta, thread, thread / 32, thread % 32);
}

testing::AssertionResult
isAt(const Place& place, const std::string& who, std::string_view what, std::string_view text) {
  const bool quoted = std::any_of(place.lines.begin(),
                                  place.lines.end(),
                                  [&](const std::string& line) { return contains(line, text); });
  if (place.who == who && contains(place.what, what) && (quoted || text.empty()))
    return testing::AssertionSuccess();
  return testing::AssertionFailure()
         << fmt::format("\"{}\" \"{}\" at\n{}\nis not \"{}\" \"{}\" at \"{}\"",
                        place.who,
                        place.what,
                        fmt::join(place.lines, "\n"),
                        who,
                        what,
                        text);
}

void PrintTo(FindingKind kind, std::ostream* stream) {
  *stream << kindName(kind);
}

void check(const DriverApi& driver, CUresult code) {
  if (code == kCudaSuccess)
    return;
  const char* name = "an unknown error";
  driver.cuGetErrorName(code, &name);
  throw std::runtime_error(name);
}

TrialBench::TrialBench(const Options& options)
    : target(options.target), simulated(orThrow(Machine::install(options))) {
  api = &orThrow(processDriver())->api;
  std::vector<std::uint32_t> words(kTrialWords);
  std::iota(words.begin(), words.end(), 1000U);
  check(*api, api->cuMemAlloc(&in, kTrialBytes));
  check(*api, api->cuMemAlloc(&out, kTrialBytes));
  check(*api, api->cuMemcpyHtoD(in, words.data(), kTrialBytes));
  check(*api, api->cuMemsetD8(out, 0, kTrialBytes));
}

Outcome TrialBench::outcome(CUresult code) {
  Outcome outcome;
  outcome.code = code;
  for (Finding& finding : simulated->takeFindings())
    outcome.finding = std::move(finding);
  for (const LaunchRecord& launch : simulated->takeLaunches())
    outcome.counters = launch.counters;
  outcome.out.resize(kTrialWords);
  check(*api, api->cuMemcpyDtoH(outcome.out.data(), out, kTrialBytes));
  return outcome;
}

Outcome TrialBench::run(const Trial& trial, bool faulty, std::uint64_t seed) {
  check(*api, api->cuMemsetD8(out, 0, kTrialBytes));
  return launch(trial, faulty, seed, {});
}

Outcome TrialBench::runDependent(const Trial& trial, bool faulty, std::uint64_t seed) {
  CUlaunchAttribute early;
  early.id = kLaunchStartsEarly;
  early.value.enabled = 1;
  return launch(trial, faulty, seed, {&early, 1});
}

Outcome TrialBench::launch(const Trial& trial,
                           bool faulty,
                           std::uint64_t seed,
                           std::span<CUlaunchAttribute> attributes) {
  const std::string image = imageOf(trial, target);
  simulated->setSeed(seed);
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  check(*api, api->cuModuleLoadData(&module, image.data()));
  check(*api, api->cuModuleGetFunction(&function, module, "trial"));
  Args args{in, out, faulty ? 1U : 0U};
  std::array<void*, 1> params = {&args};
  CUlaunchConfig config;
  config.gridX = trial.ctas;
  config.blockX = trial.threads;
  config.dynamicSmemBytes = trial.smemBytes;
  config.attributes = attributes.data();
  config.attributeCount = static_cast<unsigned>(attributes.size());
  const CUresult code = api->cuLaunchKernelEx(&config, function, params.data(), nullptr);
  check(*api, api->cuModuleUnload(module));
  return outcome(code);
}

std::vector<std::uint32_t> TrialBench::expectSound(const Trial& trial) {
  std::vector<std::uint32_t> fixed;
  for (std::uint64_t seed = 0; seed <= kRandomOrders; ++seed) {
    Outcome done = run(trial, false, seed);
    if (done.finding) {
      ADD_FAILURE() << "done right, yet: " << describe(*done.finding);
      return done.out;
    }
    if (seed == 0)
      fixed = std::move(done.out);
    else
      EXPECT_EQ(done.out, fixed) << "order " << seed;
  }
  return fixed;
}

Finding TrialBench::expectFault(const Trial& trial, FindingKind kind) {
  expectSound(trial);
  const Outcome done = run(trial, true);
  if (!done.finding) {
    ADD_FAILURE() << "nothing was found; it should be: " << kindName(kind);
    return {};
  }
  EXPECT_EQ(done.finding->kind, kind) << describe(*done.finding);
  EXPECT_EQ(done.finding->kernel, "trial");
  EXPECT_EQ(done.finding->seed, 0U);
  EXPECT_NE(done.code, kCudaSuccess) << "the driver must report a failed launch";
  return *done.finding;
}

} // namespace mlac::simt
