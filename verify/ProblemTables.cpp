#include "verify/KeySlots.h"
#include "verify/ProblemParts.h"
#include "verify/Random.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace mlac::verify {

namespace {

constexpr std::int64_t kMaxI32 = std::numeric_limits<std::int32_t>::max();

Error refuse(std::string message) {
  return {ErrorCode::InvalidArgument, std::move(message)};
}

/// The least and the most query tokens a request may have.
struct QueryBounds {
  std::int64_t least = 1;
  std::int64_t most = 1;
};

QueryBounds boundsOf(const Problem& problem) {
  const Variant& variant = problem.variant;
  if (problem.options.requestTables == RequestTables::TokenRequest)
    return {.least = 0, .most = std::max(1, problem.tokens)};
  return {.least = variant.minQueries,
          .most = variant.maxQueries == 0 ? std::max(1, problem.tokens) : variant.maxQueries};
}

int chooseRequests(const Problem& problem, const QueryBounds& bounds) {
  const std::int64_t tokens = problem.tokens;
  const std::int64_t least = std::max<std::int64_t>(1, bounds.least);
  if (tokens == 0)
    return 1;
  if (problem.options.requestTables != RequestTables::Uniform) {
    const std::int64_t middle = std::clamp<std::int64_t>(3, least, bounds.most);
    return static_cast<int>((tokens + middle - 1) / middle);
  }
  for (std::int64_t queries = least; queries <= std::min(bounds.most, tokens); ++queries)
    if (tokens % queries == 0)
      return static_cast<int>(tokens / queries);
  return static_cast<int>(tokens);
}

Status checkRequests(const Problem& problem, const QueryBounds& bounds) {
  const std::int64_t tokens = problem.tokens;
  const std::int64_t requests = problem.requests;
  const bool uniform = problem.options.requestTables == RequestTables::Uniform;
  if (tokens < 0 || requests < 1 || problem.options.context < 1)
    return refuse(fmt::format("tokens {}, requests {}, context {}: tokens must not be negative, "
                              "the others must be positive",
                              tokens,
                              requests,
                              problem.options.context));
  if (tokens > 0 && uniform && tokens % requests != 0)
    return refuse(
        fmt::format("{} tokens do not divide evenly among {} requests", tokens, requests));
  if (tokens > 0 && (tokens < requests * bounds.least || tokens > requests * bounds.most))
    return refuse(fmt::format("{} tokens for {} requests: each request takes {} to {} query tokens",
                              tokens,
                              requests,
                              bounds.least,
                              bounds.most));
  return Unit{};
}

/// Query tokens of each request: equal shares, then single tokens moved about within the bounds.
std::vector<std::int64_t>
shares(const Problem& problem, const QueryBounds& bounds, Random& random) {
  const std::int64_t requests = problem.requests;
  std::vector<std::int64_t> counts(requests, problem.tokens / requests);
  for (std::int64_t r = 0; r < problem.tokens % requests; ++r)
    ++counts[r];
  if (problem.options.requestTables == RequestTables::Uniform)
    return counts;
  for (std::int64_t move = 0; move < std::int64_t{2} * problem.tokens; ++move) {
    const std::int64_t from = random.below(requests);
    const std::int64_t to = random.below(requests);
    if (from != to && counts[from] > bounds.least && counts[to] < bounds.most) {
      --counts[from];
      ++counts[to];
    }
  }
  return counts;
}

std::int64_t pagesFor(std::int64_t keys, std::int64_t page) {
  return (keys + page - 1) / page;
}

/// What one used block table entry becomes, if the options ask for damage there.
std::int32_t spoiled(const Problem& problem, std::int32_t entry, Random& random) {
  const bool missing = random.oneIn(8);
  const bool beyond = random.oneIn(16);
  const bool extreme = random.oneIn(2);
  const std::int64_t past = problem.cache.firstPage + problem.cache.heldPages;
  if (problem.options.missingPages && missing)
    return extreme ? std::numeric_limits<std::int32_t>::min() : -1;
  if (problem.options.outOfRange && beyond)
    return static_cast<std::int32_t>(extreme ? kMaxI32 : std::min(past, kMaxI32));
  return entry;
}

/// Writes each request's own pages over the start of its row. The first entry of all stays good.
void fillOwnPages(const Problem& problem, const Layout& layout, std::vector<std::int32_t>& table) {
  Random random(problem.options.seed, kStreamPages + 100);
  for (int r = 0; r < problem.requests; ++r)
    for (std::int64_t p = 0; p < pagesFor(layout.lengths[r], problem.variant.page); ++p) {
      const std::int32_t own = layout.pages[r * std::int64_t{problem.maxPages} + p];
      const std::int32_t drawn = spoiled(problem, own, random);
      table[r * problem.blockTableStride + p] = r == 0 && p == 0 ? own : drawn;
    }
}

std::vector<std::int32_t> blockTable(Problem& problem, const Layout& layout) {
  problem.blockTableStride = problem.maxPages + (problem.options.padStrides ? 3 : 0);
  Random random(problem.options.seed, kStreamPages + 200);
  std::vector<std::int32_t> table(problem.requests * problem.blockTableStride);
  // Columns nobody may use name pages that exist, so that using them would change the result.
  for (std::int32_t& entry : table)
    entry =
        static_cast<std::int32_t>(problem.cache.firstPage + random.below(problem.cache.heldPages));
  fillOwnPages(problem, layout, table);
  return table;
}

void drawTokenRequests(Problem& problem, const Layout& layout) {
  std::vector<std::int32_t> requestOf(problem.tokens);
  Random random(problem.options.seed, kStreamRequests + 100);
  for (int r = 0; r < problem.requests; ++r)
    std::fill(requestOf.begin() + layout.starts[r], requestOf.begin() + layout.starts[r + 1], r);
  for (std::int64_t t = problem.tokens - 1; t > 0; --t)
    std::swap(requestOf[t], requestOf[random.below(t + 1)]);
  if (problem.options.badRequests && problem.tokens > 3) {
    requestOf[problem.tokens / 2] = -1;
    requestOf[problem.tokens - 1] = problem.requests;
    requestOf[1] = std::numeric_limits<std::int32_t>::max();
  }
  setInts(problem, Input::TokenRequest, requestOf);
}

void drawKeyEnds(Problem& problem) {
  Random random(problem.options.seed, kStreamKeyEnd);
  std::vector<std::int32_t> ends(problem.tokens);
  for (int t = 0; t < problem.tokens; ++t) {
    const std::int64_t usual = std::max<std::int64_t>(0, placeOf(problem, t).end);
    const std::int64_t drawn = usual - random.below(usual / 2 + 1);
    ends[t] = static_cast<std::int32_t>(random.oneIn(4) ? usual : drawn);
  }
  if (problem.options.emptyRows && problem.tokens > 4)
    ends[2] = 0;
  setInts(problem, Input::KeyEnd, ends);
}

} // namespace

Result<Layout> drawRequests(Problem& problem) {
  const ProblemOptions& options = problem.options;
  const QueryBounds bounds = boundsOf(problem);
  problem.requests = options.requests > 0 ? options.requests : chooseRequests(problem, bounds);
  MLAC_CHECK(checkRequests(problem, bounds));
  Random random(options.seed, kStreamRequests);
  const std::vector<std::int64_t> counts = shares(problem, bounds, random);
  Layout layout;
  layout.starts.push_back(0);
  for (int r = 0; r < problem.requests; ++r) {
    layout.starts.push_back(static_cast<std::int32_t>(layout.starts.back() + counts[r]));
    const std::int64_t least = std::clamp<std::int64_t>(counts[r], 1, options.context);
    const std::int64_t ragged = random.between(least, options.context);
    layout.lengths.push_back(
        static_cast<std::int32_t>(options.raggedLengths && r > 0 ? ragged : options.context));
  }
  if (options.emptyRows && problem.requests > 1)
    layout.lengths.back() = 0;
  return layout;
}

Status drawPages(Problem& problem, Layout& layout) {
  const ProblemOptions& options = problem.options;
  const std::int64_t page = problem.variant.page;
  std::int64_t used = 0;
  for (const std::int64_t length : layout.lengths)
    used += pagesFor(length, page);
  CacheRows& cache = problem.cache;
  cache.firstPage = options.pageBias;
  cache.heldPages = used + used / 8 + 1;
  const std::int64_t pages = cache.firstPage + cache.heldPages;
  problem.slots = pages * page - (options.outOfRange && page > 1 ? 1 : 0);
  if (options.pageBias < 0 || pages > kMaxI32 ||
      (!problem.variant.isLogical() && problem.slots > kMaxI32))
    return refuse(fmt::format("pageBias {}: page numbers and physical indices must fit 31 bits, "
                              "but the cache would have {} pages and {} slots",
                              options.pageBias,
                              pages,
                              problem.slots));
  const RecordLayout record = layoutOf(problem.variant.record());
  cache.tokenStrideBytes = record.tokenBytes + (options.padStrides ? 16 : 0);
  cache.pageStrideBytes =
      record.pageBytes(problem.variant.page + (options.padStrides ? 1 : 0), cache.tokenStrideBytes);
  problem.maxPages = static_cast<int>(pagesFor(options.context, page));

  std::vector<std::int32_t> order(cache.heldPages);
  std::iota(order.begin(), order.end(), static_cast<std::int32_t>(cache.firstPage));
  Random random(options.seed, kStreamPages);
  for (std::int64_t i = cache.heldPages - 1; i > 0; --i)
    std::swap(order[i], order[random.below(i + 1)]);
  layout.pages.assign(problem.requests * std::int64_t{problem.maxPages}, -1);
  auto next = order.begin();
  for (int r = 0; r < problem.requests; ++r)
    for (std::int64_t p = 0; p < pagesFor(layout.lengths[r], page); ++p)
      layout.pages[r * std::int64_t{problem.maxPages} + p] = *next++;
  return Unit{};
}

void drawTables(Problem& problem, const Layout& layout) {
  const ProblemOptions& options = problem.options;
  setInts(problem, Input::BlockTable, blockTable(problem, layout));
  std::vector<std::int32_t> lengths = layout.lengths;
  // Request 0 fills all columns, so whatever its length claims beyond them has no page.
  if (options.outOfRange)
    lengths[0] += 2 * problem.variant.page + 1;
  problem.maxSeqLen = *std::max_element(lengths.begin(), lengths.end());
  setInts(problem, Input::SeqLens, lengths);
  if (options.requestTables == RequestTables::QueryStart)
    setInts(problem, Input::QueryStart, layout.starts);
  if (options.requestTables == RequestTables::TokenRequest)
    drawTokenRequests(problem, layout);
  if (options.explicitKeyEnd)
    drawKeyEnds(problem);
}

} // namespace mlac::verify
