#include "common/Parallel.h"

#include <algorithm>
#include <atomic>
#include <system_error>
#include <thread>
#include <vector>

namespace mlac {
namespace {

bool startHelper(std::vector<std::jthread>& helpers, const std::function<void()>& drain) {
  try {
    helpers.emplace_back(drain);
    return true;
  } catch (const std::system_error&) {
    return false;
  }
}

} // namespace

void parallelFor(std::int64_t count, int threads, const std::function<void(std::int64_t)>& work) {
  const auto wanted =
      threads > 0 ? threads : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  const auto workers = std::min<std::int64_t>(wanted, count);
  std::atomic<std::int64_t> next{0};
  const auto drain = [&] {
    for (std::int64_t i = next++; i < count; i = next++)
      work(i);
  };
  std::vector<std::jthread> helpers;
  while (static_cast<std::int64_t>(helpers.size()) + 1 < workers && startHelper(helpers, drain)) {
  }
  drain();
}

} // namespace mlac
