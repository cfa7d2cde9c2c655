#include "verify/KeySlots.h"
#include "verify/ProblemParts.h"
#include "verify/Random.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace mlac::verify {

namespace {

constexpr std::int32_t kMaxI32 = std::numeric_limits<std::int32_t>::max();
constexpr std::int32_t kMinI32 = std::numeric_limits<std::int32_t>::min();

/// Draws the index rows of one problem, token after token.
class IndexDrawer {
public:
  IndexDrawer(const Problem& problem, const Layout& layout)
      : problem(problem), layout(layout), random(problem.options.seed, kStreamIndices) {}

  /// Fills `row`, topk columns wide: distinct keys in random order, -1 after them, then the
  /// mischief the options ask for.
  void draw(int token, std::span<std::int32_t> row) {
    std::fill(row.begin(), row.end(), -1);
    const bool empty =
        problem.options.emptyRows && problem.tokens > 1 && token == problem.tokens - 1;
    const std::int64_t available = empty ? 0 : prepare(token);
    const std::int64_t count = std::min(available, std::int64_t{problem.variant.topk});
    for (std::int64_t i = 0; i < count; ++i) {
      if (!problem.options.identityIndices)
        std::swap(positions[i], positions[random.between(i, available - 1)]);
      row[i] = nameOf(positions[i]);
    }
    if (!empty)
      spoil(row);
  }

private:
  /// Lists the key positions `token` may attend to and returns how many there are.
  std::int64_t prepare(int token) {
    std::int64_t end = 0;
    if (problem.variant.isLogical()) {
      end = std::max<std::int64_t>(0, placeOf(problem, token).end);
    } else {
      const auto after = std::upper_bound(layout.starts.begin(), layout.starts.end(), token);
      request = static_cast<int>(after - layout.starts.begin()) - 1;
      end = layout.lengths[request];
    }
    positions.resize(end);
    std::iota(positions.begin(), positions.end(), 0);
    return end;
  }

  /// What an index says to mean that position: itself, or the slot that holds it.
  std::int32_t nameOf(std::int32_t position) const {
    if (problem.variant.isLogical())
      return position;
    const std::int64_t page = problem.variant.page;
    const std::int64_t entry = request * std::int64_t{problem.maxPages} + position / page;
    return static_cast<std::int32_t>(layout.pages[entry] * page + position % page);
  }

  void spoil(std::span<std::int32_t> row) {
    const auto end = static_cast<std::int64_t>(positions.size());
    const std::int64_t past = problem.variant.isLogical() ? end : problem.slots;
    const std::int32_t beyond[] = {static_cast<std::int32_t>(past), kMaxI32, kMinI32, -2};
    for (std::size_t i = 0; i < row.size(); ++i) {
      const bool invalid = random.oneIn(8);
      const bool repeat = random.oneIn(8);
      const bool outside = random.oneIn(16);
      const std::int64_t pick = random.below(std::int64_t{1} << 30);
      if (problem.options.duplicates && repeat)
        row[i] = row[pick % (i + 1)];
      if (problem.options.scatteredInvalid && invalid)
        row[i] = -1;
      if (problem.options.outOfRange && outside)
        row[i] = beyond[pick % 4];
    }
  }

  const Problem& problem;
  const Layout& layout;
  Random random;
  int request = 0;
  std::vector<std::int32_t> positions;
};

/// Draws how much of each row counts, and overwrites the rest with entries that would be noticed:
/// the row's own first key again, and the largest number there is.
std::vector<std::int32_t> drawLengths(Problem& problem, std::vector<std::int32_t>& indices) {
  Random random(problem.options.seed, kStreamIndices + 100);
  const std::int64_t topk = problem.variant.topk;
  std::vector<std::int32_t> lengths(problem.tokens);
  for (int t = 0; t < problem.tokens; ++t) {
    const std::int64_t drawn = random.between(0, topk);
    lengths[t] = static_cast<std::int32_t>(t == 0 ? topk : drawn);
    std::int32_t* row = indices.data() + t * problem.indicesStride;
    for (std::int64_t column = lengths[t]; column < topk; ++column)
      row[column] = random.oneIn(2) ? std::max(row[0], 0) : kMaxI32;
  }
  return lengths;
}

} // namespace

void drawIndices(Problem& problem, const Layout& layout) {
  const std::int64_t topk = problem.variant.topk;
  problem.indicesStride = topk + (problem.options.padStrides ? 3 : 0);
  std::vector<std::int32_t> indices(problem.tokens * problem.indicesStride);
  IndexDrawer drawer(problem, layout);
  for (int t = 0; t < problem.tokens; ++t) {
    const std::span row(indices.data() + t * problem.indicesStride, problem.indicesStride);
    drawer.draw(t, row.first(topk));
    std::fill(row.begin() + topk, row.end(), std::max(row[0], 0));
  }
  if (problem.options.topkLengths)
    setInts(problem, Input::TopkLength, drawLengths(problem, indices));
  setInts(problem, Input::Indices, indices);
}

} // namespace mlac::verify
