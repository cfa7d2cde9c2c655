#include "simt/exec/Launch.h"

#include "common/Parallel.h"
#include "simt/exec/Cta.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <new>
#include <numeric>
#include <random>

namespace mlac::simt {
namespace {

constexpr std::uint32_t kMostThreads = 1024; // of a CTA, on every target

std::optional<Finding> checkSizes(const LaunchConfig& config, const LaunchRules& rules) {
  const auto bad = [&](std::string summary) {
    return Finding{
        FindingKind::BadLaunch, config.kernel->entry(), std::move(summary), {}, rules.seed};
  };
  if (config.gridCtas == 0 || config.gridCtas > 0x7fffffffU)
    return bad(fmt::format("a grid of {} CTAs; it takes 1 to 2147483647", config.gridCtas));
  if (config.threads == 0 || config.threads > kMostThreads || config.threads % kWarpLanes != 0)
    return bad(fmt::format("{} threads a CTA; mlac's kernels take whole warps, at most {} threads",
                           config.threads,
                           kMostThreads));
  const auto limit = static_cast<std::uint32_t>(rules.target->smemPerCtaBytes);
  if (config.dynamicSmemBytes > limit)
    return bad(fmt::format("{} bytes of shared memory; a CTA has {} on {}",
                           config.dynamicSmemBytes,
                           limit,
                           rules.target->name));
  return std::nullopt;
}

std::vector<std::uint32_t> orderOfCtas(std::uint32_t count, std::uint64_t seed) {
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  if (seed != 0) {
    std::mt19937_64 random(seed);
    std::shuffle(order.begin(), order.end(), random);
  }
  return order;
}

/// Sums what CTAs on several OS threads came to.
class Outcomes {
public:
  void add(std::uint32_t cta, const Cta& done) {
    const std::lock_guard lock(mutex);
    sum.counters += done.counters();
    if (done.finding() && cta < lowest) {
      lowest = cta;
      sum.finding = done.finding();
    }
  }

  void addOutOfMemory() {
    const std::lock_guard lock(mutex);
    sum.outOfMemory = true;
    outOfMemory = true;
  }

  /// Whether there is nothing to be learnt from a CTA any more.
  bool settledBefore(std::uint32_t cta) const { return outOfMemory || lowest < cta; }

  LaunchOutcome take() { return std::move(sum); }

private:
  std::mutex mutex;
  LaunchOutcome sum;
  std::atomic<std::uint32_t> lowest = ~0U; ///< CTA with a finding
  std::atomic<bool> outOfMemory = false;
};

} // namespace

LaunchOutcome runLaunch(const LaunchConfig& config, const LaunchRules& rules) {
  if (auto finding = checkSizes(config, rules))
    return {{}, std::move(finding), false};
  const std::vector<std::uint32_t> order = orderOfCtas(config.gridCtas, rules.seed);
  Outcomes outcomes;
  parallelFor(config.gridCtas, rules.osThreads, [&](std::int64_t turn) {
    const std::uint32_t index = order[static_cast<std::size_t>(turn)];
    if (outcomes.settledBefore(index))
      return;
    thread_local StackPool stacks;
    try {
      Cta cta(config, rules, index, stacks);
      cta.run();
      outcomes.add(index, cta);
    } catch (const std::bad_alloc&) {
      outcomes.addOutOfMemory();
    }
  });
  return outcomes.take();
}

} // namespace mlac::simt
