#include "tests/simt/mutations/Problems.h"

#include "tests/simt/mutations/ProblemVariants.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

namespace mlac::mutations {
namespace {

using verify::ProblemOptions;

ProblemOptions scattered(int tokens) {
  ProblemOptions options;
  options.tokens = tokens;
  options.scatteredInvalid = options.duplicates = true;
  return options;
}

ProblemOptions stressed(const Variant& variant, verify::RequestTables tables) {
  ProblemOptions options = verify::stressOptions(variant, 5, 200, 3);
  options.requestTables = tables;
  return options;
}

/// Requests of up to four tokens and more, whose positions are their own.
ProblemOptions ofGroups() {
  ProblemOptions options;
  options.tokens = 11;
  options.requests = 4;
  options.context = 90;
  options.seed = 2;
  options.requestTables = verify::RequestTables::QueryStart;
  options.raggedLengths = options.padStrides = true;
  return options;
}

/// Rows of nothing to all of the context, and requests that are none.
ProblemOptions ofBalanced() {
  ProblemOptions options;
  options.tokens = 9;
  options.requests = 5;
  options.context = 200;
  options.requestTables = verify::RequestTables::TokenRequest;
  options.raggedLengths = options.badRequests = options.outOfRange = true;
  return options;
}

/// No page of the cache below the first 2^31 bytes is used.
ProblemOptions beyondTwoGiB(const Variant& variant) {
  const std::int64_t pageBytes = std::int64_t{variant.page} * variant.recordBytes();
  ProblemOptions options;
  options.tokens = 1;
  options.context = 64;
  options.pageBias = (std::int64_t{1} << 31) / pageBytes + 1;
  return options;
}

/// With this seed the cache's very last row is a key.
ProblemOptions upToTheLastRow() {
  ProblemOptions options;
  options.tokens = 2;
  options.context = 160;
  options.seed = 2;
  return options;
}

/// Page 0 belongs to nobody, so the cache begins with NaN.
ProblemOptions behindNan() {
  ProblemOptions options = scattered(2);
  options.pageBias = 1;
  return options;
}

/// Slots and counts of every kind, for the conversion.
ProblemOptions conversion() {
  ProblemOptions options = scattered(3);
  options.outOfRange = options.missingPages = options.topkLengths = true;
  options.raggedLengths = true;
  options.context = 400;
  return options;
}

ProblemOptions ofSplit() {
  ProblemOptions options = scattered(2);
  options.topkLengths = true;
  return options;
}

/// What the emitter writes for a variant with a mask: none that a spec can name has one yet. The
/// positions lie behind all else.
std::vector<Edit> keepPositions() {
  return {{"kNeedsPositions = false;", "kNeedsPositions = true;"},
          {"base + Shape::kPositionsAt + slot", "base + Shape::kQueriesAt + slot"},
          {"    scores = dropInvalid<Shape>(scores, stage, role);\n",
           "    scores = dropInvalid<Shape>(scores, stage, role);\n"
           "    scores = transform<Shape>(scores, stage, role, work, rows, [&](float s, "
           "const ScorePlace& at) {\n"
           "      return at.position < rows.seen.end ? s : negativeInfinity();\n"
           "    });\n"}};
}

struct Warps {
  int headGroups;
  int headTiles;
  int dimSplits;
  int keySlices;
};

/// Overrides that pin a class's warps, whatever the planner prefers, and more.
std::vector<std::string>
warps(const char* shapeClass, const Warps& along, std::vector<std::string> more = {}) {
  const auto pin = [&](const char* key, int value) {
    more.push_back(fmt::format("{}.{}={}", shapeClass, key, value));
  };
  pin("head_groups", along.headGroups);
  pin("head_tiles", along.headTiles);
  pin("dim_splits", along.dimSplits);
  pin("key_slices", along.keySlices);
  return more;
}

std::vector<SmallProblem> slicedProblems() {
  const std::vector<std::string> sliced =
      warps("many", {1, 1, 1, 2}, {"many.stages=3", "many.merge_passes=2"});
  constexpr int kPositionBytes = 3 * 64; // of three stages
  return {
      {.name = "topk_sliced",
       .what = "top-k 190, 2 key slices, 3 stages, 2 merge passes, bulk copies",
       .variant = logical("topk_sliced", 8, 190),
       .target = "sm_90",
       .overrides = sliced,
       .options = scattered(2)},
      {.name = "topk_sliced_sm120",
       .what = "the same for sm_120",
       .variant = logical("topk_sliced_sm120", 8, 190),
       .target = "sm_120",
       .overrides = sliced,
       .options = scattered(2)},
      {.name = "positions",
       .what = "top-k 190, key positions kept for a mask",
       .variant = logical("positions", 8, 190),
       .target = "sm_90",
       .overrides = sliced,
       .options = scattered(2),
       .edits = keepPositions(),
       .extraSmemBytes = kPositionBytes},
  };
}

std::vector<SmallProblem> topkProblems() {
  return {
      {.name = "dim_split",
       .what = "top-k 120, 4 warps on a tile (2 head groups, 2 dim splits), 2 stages",
       .variant = logical("dim_split", 16, 120),
       .target = "sm_120",
       .overrides = warps("few", {2, 1, 2, 1}, {"few.stages=2"}),
       .shapeClass = "few",
       .options = scattered(2)},
      {.name = "slices_over_stages",
       .what = "top-k 120, 3 key slices, 2 stages",
       .variant = logical("slices_over_stages", 8, 120),
       .target = "sm_90",
       .overrides = warps("many", {1, 1, 1, 3}, {"many.stages=2"}),
       .options = scattered(2)},
      {.name = "cp_async",
       .what = "top-k 120, 16-byte copies, 2 key slices, 3 stages",
       .variant = logical("cp_async", 8, 120),
       .target = "sm_80",
       .overrides = warps("many", {1, 1, 1, 2}, {"gather=cp_async", "many.stages=3"}),
       .options = behindNan()},
      {.name = "split",
       .what = "top-k 250 with lengths, 19 heads, 16 a warp, 144 value dims, 3 splits and combine",
       .variant = splitVariant(),
       .target = "sm_90",
       .overrides = warps("few", {1, 2, 4, 1}),
       .shapeClass = "few",
       .splits = 3,
       .options = ofSplit()},
      {.name = "uneven",
       .what = "top-k 250, 19 heads, 16 a warp, 3 dim splits, 2 key slices, output in f32",
       .variant = unevenVariant(),
       .target = "sm_90",
       .overrides = warps("many", {1, 2, 3, 2}, {"many.stages=3"}),
       .options = scattered(2)},
      {.name = "many_tiles",
       .what = "top-k 64, 17 tokens of 496 value dims, 4 splits, two tiles a combining CTA",
       .variant = manyTilesVariant(),
       .target = "sm_90",
       .overrides = warps("few", {1, 1, 4, 1}),
       .shapeClass = "few",
       .splits = 4,
       .options = scattered(17)},
      {.name = "merge",
       .what = "merges of 1 to 33 parts in every layout, 5 heads, 272 value dims, base 2, +inf",
       .variant = mergeVariant(),
       .target = "sm_90",
       .options = scattered(1)},
      {.name = "convert",
       .what = "top-k 300 with absurd entries, converted to slots",
       .variant = logical("convert", 8, 300),
       .target = "sm_90",
       .options = conversion()},
  };
}

std::vector<SmallProblem> groupedProblems() {
  return {
      {.name = "grouped",
       .what = "dense and causal, 11 heads, 2 tokens a group, 4 requests by queryStart",
       .variant = raggedVariant(),
       .target = "sm_90",
       .shapeClass = "grouped",
       .options = ofGroups()},
      {.name = "grouped_split",
       .what = "the same in 3 splits",
       .variant = raggedVariant(),
       .target = "sm_120",
       .shapeClass = "grouped",
       .splits = 3,
       .options = ofGroups()},
  };
}

std::vector<SmallProblem> denseProblems() {
  return {
      {.name = "ragged",
       .what = "dense and causal, 11 heads, requests by queryStart, every difficulty",
       .variant = raggedVariant(),
       .target = "sm_90",
       .options = stressed(raggedVariant(), verify::RequestTables::QueryStart)},
      {.name = "window",
       .what = "window 48 in f16, value record, requests by token, every difficulty",
       .variant = windowVariant(),
       .target = "sm_120",
       .options = stressed(windowVariant(), verify::RequestTables::TokenRequest)},
      {.name = "far",
       .what = "physical top-k 40, slots past 2^31 bytes",
       .variant = farVariant(),
       .target = "sm_90",
       .options = beyondTwoGiB(farVariant())},
      {.name = "balanced",
       .what = "dense, 11 heads, 9 tokens of 5 requests by token, ragged, 2 tiles a piece",
       .variant = balancedVariant(),
       .target = "sm_90",
       .overrides = warps("few", {1, 1, 2, 1}),
       .shapeClass = "few",
       .pieceTiles = 2,
       .options = ofBalanced()},
      {.name = "shared_queries",
       .what = "dense, 16 heads a warp, queries in shared memory, 2 dim splits, 2 key slices",
       .variant = dense("shared_queries", 16),
       .target = "sm_120",
       .overrides = warps("many", {1, 2, 2, 2}, {"query_home=shared", "many.stages=4"}),
       .options = upToTheLastRow()},
  };
}

} // namespace

const std::vector<SmallProblem>& smallProblems() {
  static const std::vector<SmallProblem> all = [] {
    std::vector<SmallProblem> joined = slicedProblems();
    for (const auto& part : {topkProblems(), denseProblems(), groupedProblems()})
      joined.insert(joined.end(), part.begin(), part.end());
    return joined;
  }();
  return all;
}

const SmallProblem& problemNamed(std::string_view name) {
  const std::vector<SmallProblem>& all = smallProblems();
  const auto found = std::find_if(
      all.begin(), all.end(), [&](const SmallProblem& problem) { return problem.name == name; });
  assert(found != all.end() && "a mutation names a problem that does not exist");
  return *found;
}

} // namespace mlac::mutations
