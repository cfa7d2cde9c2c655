#include "tests/simt/schedule/Batches.h"

#include "verify/Random.h"

#include <algorithm>
#include <functional>

namespace mlac::cuts {
namespace {

std::vector<std::int32_t> drawn(int tokens, const std::function<std::int64_t(int)>& length) {
  std::vector<std::int32_t> lengths;
  for (int token = 0; token < tokens; ++token)
    lengths.push_back(static_cast<std::int32_t>(length(token)));
  return lengths;
}

/// A few long rows, many times as many short ones, none of them like another.
std::vector<std::int32_t> skewed(int tokens, std::int32_t longest) {
  constexpr int kHalvings = 8;
  verify::Random random(1, 0);
  return drawn(tokens, [&](int) {
    const std::int64_t most = longest >> random.below(kHalvings);
    return random.between(most / 2, most);
  });
}

} // namespace

std::int32_t tilesOf(std::int32_t keys) {
  constexpr std::int32_t kTileKeys = 16; // templates/mlac/tile/warp_role.cuh
  return keys / kTileKeys + (keys % kTileKeys != 0 ? 1 : 0);
}

std::vector<Batch> allBatches(std::int32_t longest) {
  verify::Random random(2, 0);
  const auto oneLong = [&](int where) {
    return drawn(41, [&](int token) { return token == where ? longest : 1 + token % 20; });
  };
  std::vector<Batch> batches = {
      {"OneToken", {longest}},
      {"OneEmptyToken", {0}},
      {"EqualLengths", std::vector<std::int32_t>(48, longest / 2)},
      {"EqualLengthsOfOneTile", std::vector<std::int32_t>(300, 16)},
      {"OneLongAmongShort", oneLong(20)},
      {"OneLongBeforeShort", oneLong(0)},
      {"OneLongAfterShort", oneLong(40)},
      {"AllEmpty", std::vector<std::int32_t>(12, 0)},
      {"MixedLengths", drawn(64, [&](int) { return random.between(0, longest); })},
      {"EveryLength", drawn(65, [&](int token) { return token; })},
      {"Skewed", skewed(100, longest)},
      {"MoreTokensThanThreads", drawn(600, [&](int) { return random.between(0, longest / 4); })},
      {"SkewedMoreTokensThanThreads", skewed(1030, longest)}};
  Batch descending{"LongestFirst", skewed(100, longest)};
  std::sort(descending.lengths.begin(), descending.lengths.end(), std::greater<>());
  batches.push_back(descending);
  return batches;
}

} // namespace mlac::cuts
