#include "verify/Problem.h"

#include "verify/NarrowTypes.h"
#include "verify/ProblemParts.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace mlac::verify {

std::span<const std::int32_t> Problem::ints(Input id) const {
  const std::vector<std::byte>& bytes = input(id);
  return {reinterpret_cast<const std::int32_t*>(bytes.data()), bytes.size() / sizeof(std::int32_t)};
}

const std::byte* Problem::keyRow(std::int64_t slot) const {
  const std::int64_t local = slot - cache.firstPage * variant.page;
  if (local < 0 || local >= static_cast<std::int64_t>(cache.rowOfSlot.size()))
    return nullptr;
  const std::int64_t row = cache.rowOfSlot[local];
  return row < 0 ? nullptr : cache.rows.data() + row * cache.rowBytes;
}

std::int64_t Problem::cacheBytes() const {
  return (cache.firstPage + cache.heldPages) * cache.pageStrideBytes;
}

void Problem::writePages(std::int64_t firstPage, std::int64_t count, std::byte* to) const {
  std::memset(to, 0xff, count * cache.pageStrideBytes);
  const RecordLayout layout = layoutOf(variant.record());
  for (std::int64_t slot = 0; slot < count * variant.page; ++slot)
    if (const std::byte* row = keyRow(firstPage * variant.page + slot)) {
      std::memcpy(to + pages().tokenAt(slot), row, layout.tokenBytes);
      std::memcpy(
          to + pages().tailAt(slot, layout.tailBytes), row + layout.tokenBytes, layout.tailBytes);
    }
}

void setInts(Problem& problem, Input id, const std::vector<std::int32_t>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  problem.inputs[static_cast<int>(id)].assign(bytes.begin(), bytes.end());
}

namespace {

void chooseScale(Problem& problem) {
  const auto usual = static_cast<float>(1 / std::sqrt(double(problem.variant.qkDims())));
  problem.scale = problem.variant.scale.value_or(problem.options.scale.value_or(usual));
  if (!problem.options.scaleOnDevice || problem.variant.scale)
    return;
  std::vector<std::byte>& bytes = problem.inputs[static_cast<int>(Input::Scale)];
  bytes.resize(sizeof(float));
  std::memcpy(bytes.data(), &problem.scale, sizeof(float));
}

/// Codes then use most of their range, whatever keys are drawn.
void chooseCacheScale(Problem& problem) {
  constexpr float kMost = 4; // Random::normal stays below it
  const Record record = problem.variant.record();
  const FieldType type = record.find(FieldKind::Latent)->type;
  if (record.hasTensorScale())
    problem.cacheScale =
        problem.options.keyFactor * kMost / (isNarrow(type) ? largestOf(type) : 1.0F);
}

/// Makes the options agree with the variant where only one way makes sense.
ProblemOptions settle(const Variant& variant, ProblemOptions options) {
  if (!variant.isLogical())
    options.requestTables = RequestTables::Uniform;
  const bool ordered = variant.causal || variant.iterate == IterateKind::Window;
  if (options.requestTables == RequestTables::TokenRequest && ordered && variant.maxQueries != 1)
    options.explicitKeyEnd = true;
  // `tokenRequest` does not tell which of its request's queries a token is.
  if (options.requestTables == RequestTables::TokenRequest && variant.rulesReadQuery() &&
      variant.maxQueries != 1)
    options.requestTables = RequestTables::QueryStart;
  return options;
}

} // namespace

ProblemOptions stressOptions(const Variant& variant, int tokens, int context, std::uint64_t seed) {
  ProblemOptions options;
  options.tokens = tokens;
  options.context = context;
  options.seed = seed;
  options.requestTables =
      variant.maxQueries == 1 ? RequestTables::TokenRequest : RequestTables::QueryStart;
  options.raggedLengths = options.emptyRows = true;
  options.explicitKeyEnd = variant.isLogical();
  options.topkLengths = options.scatteredInvalid = options.duplicates = variant.isTopk();
  options.outOfRange = options.missingPages = options.badRequests = true;
  options.infiniteSinks = variant.sink;
  options.splitQuery = options.padStrides = options.scaleOnDevice = true;
  return options;
}

Result<Problem> makeProblem(const Variant& variant, const ProblemOptions& options) {
  Problem problem;
  problem.variant = variant;
  problem.options = settle(variant, options);
  problem.tokens = options.tokens;
  MLAC_TRY(layout, drawRequests(problem));
  MLAC_CHECK(drawPages(problem, layout));
  chooseScale(problem);
  chooseCacheScale(problem);
  if (variant.isLogical())
    drawTables(problem, layout);
  if (variant.isTopk())
    drawIndices(problem, layout);
  MLAC_CHECK(drawRules(problem));
  drawQuery(problem);
  MLAC_CHECK(drawKeys(problem));
  layOutOutputs(problem);
  return problem;
}

} // namespace mlac::verify
