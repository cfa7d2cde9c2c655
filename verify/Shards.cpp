#include "verify/Shards.h"

namespace mlac::verify {

Input shardedInput(const Variant& variant) {
  return variant.isTopk() ? Input::Indices : Input::BlockTable;
}

std::vector<std::byte> shardOf(const Problem& problem, int shard, int shards) {
  const Input input = shardedInput(problem.variant);
  const std::int64_t stride =
      problem.variant.isTopk() ? problem.indicesStride : problem.blockTableStride;
  const auto all = problem.ints(input);
  std::vector<std::int32_t> mine(all.begin(), all.end());
  for (std::size_t i = 0; i < mine.size(); ++i)
    if (static_cast<std::int64_t>(i) % stride % shards != shard)
      mine[i] = -1;
  const auto bytes = std::as_bytes(std::span(mine));
  return {bytes.begin(), bytes.end()};
}

} // namespace mlac::verify
