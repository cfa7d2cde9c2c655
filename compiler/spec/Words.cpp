#include "compiler/spec/Words.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace mlac {
namespace {

constexpr std::array<WordInfo, kWordCount> kWords = {{
    {Word::Heads, "heads", "heads 8", "the query heads on this device", true},
    {Word::Latent, "latent", "latent 512", "the part of a key without position", true},
    {Word::Rope, "rope", "rope 64", "or `rope 0` for a model without", true},
    {Word::Value, "value", "value latent", "or `value record`", false},
    {Word::Query, "q", "q bf16", "or `q f16`", false},
    {Word::Cache,
     "cache",
     "cache bf16 page 64",
     "or f16, another record; a page holds 1 to 2304 tokens",
     true},
    {Word::Iterate,
     "iterate",
     "iterate topk 2048 logical",
     "or `topk N physical`, `dense`, `window N`",
     true},
    {Word::Queries, "queries", "queries 1", "or `N..M`, `any`", false},
    {Word::Scale, "scale", "scale 0.0625", "or `scale runtime`", true},
    {Word::Output,
     "output",
     "output bf16",
     "or f16, f32; then any of `lse natural`, `lse base2`, `empty +inf`, `max_logit`",
     false},
    {Word::Param,
     "param",
     "param cap : f32 = 50",
     "or `param slope : f32 per head`, `param width : i32 per token`",
     false,
     false},
    {Word::Score, "score", "score(s) = 50 * tanh(s / 50)", "over s, h, q, k and t", false, false},
    {Word::Mask, "mask", "mask(q, k) = k <= q && q - k < 4096", "over h, q, k and t", false, false},
    {Word::Sink, "sink", "sink per head", "the one form it has", false, false},
}};

constexpr std::array<ReservedWord, 3> kReserved = {{
    {"extra",
     "a second cache",
     "describe one attention per cache, and join their outputs by their `lse`"},
    {"split",
     "a fixed split of the keys",
     "leave it out: how the keys are split is chosen by the plan"},
    {"merge",
     "a declared merge of partial results",
     "write `output bf16 lse natural`: a kernel that merges results by their LSE comes with it"},
}};

constexpr std::size_t kLongestSuggested = 24;

/// Insertions, deletions, replacements and swaps of neighbours that lead from one to the other.
/// Both have at most kLongestSuggested characters. Runs for every unknown word of a text, so it
/// allocates nothing.
std::size_t editDistance(std::string_view from, std::string_view to) {
  using Row = std::array<std::size_t, kLongestSuggested + 1>;
  Row beforePrevious{};
  Row previous{};
  std::iota(previous.begin(), previous.end(), std::size_t{0});
  for (std::size_t row = 1; row <= from.size(); ++row) {
    Row current{row};
    for (std::size_t column = 1; column <= to.size(); ++column) {
      const bool isSame = from[row - 1] == to[column - 1];
      current[column] = std::min(
          {previous[column] + 1, current[column - 1] + 1, previous[column - 1] + (isSame ? 0 : 1)});
      const bool isSwap = row > 1 && column > 1 && from[row - 1] == to[column - 2] &&
                          from[row - 2] == to[column - 1];
      if (isSwap)
        current[column] = std::min(current[column], beforePrevious[column - 2] + 1);
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[to.size()];
}

} // namespace

std::span<const WordInfo> allWords() {
  return kWords;
}

const WordInfo& infoOf(Word word) {
  return kWords[static_cast<std::size_t>(word)];
}

bool isRuleWord(Word word) {
  return word == Word::Param || word == Word::Score || word == Word::Mask || word == Word::Sink;
}

std::optional<Word> findWord(std::string_view spelling) {
  for (const WordInfo& info : kWords)
    if (info.spelling == spelling)
      return info.word;
  return std::nullopt;
}

const ReservedWord* findReservedWord(std::string_view spelling) {
  for (const ReservedWord& reserved : kReserved)
    if (reserved.spelling == spelling)
      return &reserved;
  return nullptr;
}

std::optional<std::string_view> nearest(std::string_view spelling,
                                        std::span<const std::string_view> candidates) {
  if (spelling.size() > kLongestSuggested)
    return std::nullopt;
  std::optional<std::string_view> best;
  std::size_t bestDistance = 0;
  for (const std::string_view candidate : candidates) {
    if (candidate.size() > kLongestSuggested)
      continue;
    const std::size_t distance = editDistance(spelling, candidate);
    const std::size_t allowed = std::max<std::size_t>(1, candidate.size() / 3);
    const bool isNear = distance <= allowed && distance < candidate.size();
    if (isNear && (!best || distance < bestDistance)) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

std::optional<Word> nearestWord(std::string_view spelling) {
  std::array<std::string_view, kWordCount> spellings;
  std::transform(kWords.begin(), kWords.end(), spellings.begin(), [](const WordInfo& info) {
    return info.spelling;
  });
  const auto found = nearest(spelling, spellings);
  return found ? findWord(*found) : std::nullopt;
}

} // namespace mlac
