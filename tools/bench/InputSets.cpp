#include "tools/bench/InputSets.h"

#include "runtime/cuda/Device.h"

#include <algorithm>

namespace mlac {
namespace {

constexpr int kMinSets = 2;
constexpr int kMaxSets = 128;
constexpr int kL2Sizes = 5; ///< input sets together hold this many times the L2 cache

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

/// How many problems together hold several times the L2 cache, if each is like `first`.
int setsWanted(const Device& device, const verify::Problem& first) {
  const std::int64_t setBytes = std::max<std::int64_t>(1, keyBytesOf(first));
  const std::int64_t wanted = kL2Sizes * std::int64_t{device.get().l2Bytes} / setBytes + 1;
  return static_cast<int>(std::clamp<std::int64_t>(wanted, kMinSets, kMaxSets));
}

} // namespace

std::int64_t keyBytesOf(const verify::Problem& problem) {
  return static_cast<std::int64_t>(problem.cache.rows.size());
}

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

} // namespace mlac
