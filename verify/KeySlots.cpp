#include "verify/KeySlots.h"

#include <algorithm>

namespace mlac::verify {

namespace {

/// A token's request, the number of that request's query tokens, and which of them it is.
struct QueryOf {
  std::int64_t request = -1;
  std::int64_t queries = 1;
  std::int64_t index = 0;
};

QueryOf queryOf(const Problem& problem, int token) {
  if (problem.has(Input::TokenRequest))
    return {.request = problem.ints(Input::TokenRequest)[token]};
  if (problem.has(Input::QueryStart)) {
    const auto starts = problem.ints(Input::QueryStart);
    for (int r = 0; r < problem.requests; ++r)
      if (starts[r] <= token && token < starts[r + 1])
        return {.request = r, .queries = starts[r + 1] - starts[r], .index = token - starts[r]};
    return {};
  }
  const int queries = problem.tokens / problem.requests;
  return {.request = token / queries, .queries = queries, .index = token % queries};
}

/// Columns of `token`'s index row that are read.
std::int64_t indexColumns(const Problem& problem, int token) {
  const std::int64_t topk = problem.variant.topk;
  if (!problem.has(Input::TopkLength))
    return topk;
  return std::clamp<std::int64_t>(problem.ints(Input::TopkLength)[token], 0, topk);
}

} // namespace

TokenPlace placeOf(const Problem& problem, int token) {
  const Variant& variant = problem.variant;
  const QueryOf query = queryOf(problem, token);
  if (query.request < 0 || query.request >= problem.requests)
    return {};
  const bool ordered = variant.causal || variant.iterate == IterateKind::Window;
  const std::int64_t seqLen = problem.ints(Input::SeqLens)[query.request];
  std::int64_t position = seqLen - query.queries + query.index;
  TokenPlace place{.request = static_cast<int>(query.request),
                   .query = position,
                   .end = ordered ? position + 1 : seqLen};
  if (problem.has(Input::KeyEnd)) {
    place.end = problem.ints(Input::KeyEnd)[token];
    position = place.end - 1;
  }
  if (variant.iterate == IterateKind::Window)
    place.begin = std::max<std::int64_t>(0, position - variant.window + 1);
  return place;
}

std::int64_t slotOf(const Problem& problem, const TokenPlace& place, std::int64_t key) {
  if (place.request < 0 || key < place.begin || key >= place.end)
    return -1;
  const std::int64_t page = problem.variant.page;
  if (key / page >= problem.maxPages)
    return -1;
  const std::int64_t entry = place.request * problem.blockTableStride + key / page;
  const std::int64_t block = problem.ints(Input::BlockTable)[entry];
  const std::int64_t slot = block * page + key % page;
  return block >= 0 && slot < problem.slots ? slot : -1;
}

std::vector<AttendedKey> attendedKeys(const Problem& problem, int token) {
  std::vector<AttendedKey> keys;
  const auto add = [&keys](std::int64_t slot, std::int64_t position) {
    if (slot >= 0)
      keys.push_back({slot, position});
  };
  const Variant& variant = problem.variant;
  if (!variant.isTopk()) {
    const TokenPlace place = placeOf(problem, token);
    const std::int64_t mapped = std::int64_t{problem.maxPages} * variant.page;
    for (std::int64_t key = place.begin; key < std::min(place.end, mapped); ++key)
      add(slotOf(problem, place, key), key);
    return keys;
  }
  const std::int64_t columns = indexColumns(problem, token);
  const auto row = problem.ints(Input::Indices).subspan(token * problem.indicesStride, columns);
  if (variant.iterate == IterateKind::TopkPhysical) {
    for (const std::int64_t slot : row)
      add(slot < problem.slots ? slot : -1, -1);
    return keys;
  }
  const TokenPlace place = placeOf(problem, token);
  for (const std::int64_t key : row)
    add(slotOf(problem, place, key), key);
  return keys;
}

std::vector<std::int64_t> attendedSlots(const Problem& problem, int token) {
  const std::vector<AttendedKey> keys = attendedKeys(problem, token);
  std::vector<std::int64_t> slots(keys.size());
  std::transform(
      keys.begin(), keys.end(), slots.begin(), [](const AttendedKey& key) { return key.slot; });
  return slots;
}

std::vector<std::int64_t>
convertedSlots(const Problem& problem, int token, std::int64_t slotsPerBlock) {
  const std::int64_t page = problem.variant.page;
  std::vector<std::int64_t> converted(problem.variant.topk, -1);
  const TokenPlace place = placeOf(problem, token);
  const auto row = problem.ints(Input::Indices).subspan(token * problem.indicesStride);
  for (std::int64_t column = 0; column < indexColumns(problem, token); ++column) {
    const std::int64_t slot = slotOf(problem, place, row[column]);
    if (slot >= 0)
      converted[column] = slot / page * slotsPerBlock + slot % page;
  }
  return converted;
}

} // namespace mlac::verify
