#include "verify/Reference.h"

#include "common/Parallel.h"
#include "verify/HalfTypes.h"
#include "verify/KeySlots.h"
#include "verify/RecordCodec.h"
#include "verify/RuleValue.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <numeric>

namespace mlac::verify {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double emptyLse(bool emptyPositive) {
  return emptyPositive ? kInfinity : -kInfinity;
}

/// Eight sums, so that the compiler may keep them in vector registers.
double dot(const double* a, const double* b, std::int64_t count) {
  double sums[8] = {};
  std::int64_t i = 0;
  for (; i + 8 <= count; i += 8)
    for (int lane = 0; lane < 8; ++lane)
      sums[lane] += a[i + lane] * b[i + lane];
  for (; i < count; ++i)
    sums[0] += a[i] * b[i];
  return std::accumulate(std::begin(sums), std::end(sums), 0.0);
}

std::int64_t queryPosition(const Problem& problem, int token) {
  return problem.variant.isLogical() ? placeOf(problem, token).query : -1;
}

double sinkOf(const Problem& problem, int head) {
  float sink = 0;
  std::memcpy(&sink, problem.input(Input::Sinks).data() + head * sizeof(float), sizeof(float));
  return sink;
}

/// One token's attention: all heads over the token's keys.
class TokenAttention {
public:
  TokenAttention(const Problem& problem, int token)
      : problem(problem), variant(problem.variant), token(token),
        keys(attendedKeys(problem, token)), query(queryPosition(problem, token)), rules(problem),
        codec(variant.record()), key(variant.qkDims()), logits(variant.heads * keys.size()) {}

  /// Writes [heads][valueDims], [heads] and [heads].
  void compute(double* out, double* lse, double* maxLogit) {
    std::fill_n(out, variant.heads * std::int64_t{variant.valueDims()}, 0.0);
    std::fill_n(lse, variant.heads, emptyLse(variant.emptyLsePositive));
    std::fill_n(maxLogit, variant.heads, -kInfinity);
    if (keys.empty())
      return;
    computeLogits();
    for (int h = 0; h < variant.heads; ++h)
      normalise(h, lse[h], maxLogit[h]);
    accumulate(out);
  }

private:
  const double* loadKey(std::size_t j) {
    const std::byte* const row = problem.keyRow(keys[j].slot);
    assert(row != nullptr && "an attended slot holds no key");
    const std::byte* const tail = row + codec.layout().tokenBytes;
    const std::span<double> whole(key);
    codec.unpack(FieldKind::Latent, row, tail, problem.cacheScale, whole.first(variant.latent));
    if (variant.rope > 0)
      codec.unpack(FieldKind::Rope, row, tail, problem.cacheScale, whole.subspan(variant.latent));
    return key.data();
  }

  std::vector<double> loadQuery() const {
    std::vector<double> query;
    query.reserve(variant.heads * std::size_t(variant.qkDims()));
    const auto append = [&](const QueryView& view, int head, int dims) {
      const std::byte* base = problem.input(view.buffer).data() + view.offsetBytes;
      const std::int64_t first = token * view.tokenStride + head * view.headStride;
      for (int d = 0; d < dims; ++d)
        query.push_back(
            loadElement(variant.query, base + (first + d) * elementBytes(variant.query)));
    };
    for (int h = 0; h < variant.heads; ++h) {
      append(problem.qLatent, h, variant.latent);
      append(problem.qRope, h, variant.rope);
    }
    return query;
  }

  void computeLogits() {
    const std::vector<double> vectors = loadQuery();
    const int dims = variant.qkDims();
    for (std::size_t j = 0; j < keys.size(); ++j) {
      const double* row = loadKey(j);
      for (int h = 0; h < variant.heads; ++h) {
        const double scaled =
            problem.scale * dot(vectors.data() + h * std::int64_t{dims}, row, dims);
        logitOf(h, j) = rules.logit(
            {.head = h, .token = token, .query = query, .key = keys[j].position}, scaled);
      }
    }
  }

  /// Turns a head's logits into probabilities; of a head without keys, into 0.
  void normalise(int head, double& lse, double& maxLogit) {
    double* row = &logitOf(head, 0);
    maxLogit = *std::max_element(row, row + keys.size());
    if (maxLogit == -kInfinity) {
      std::fill_n(row, keys.size(), 0.0);
      return;
    }
    double sum = 0;
    for (std::size_t j = 0; j < keys.size(); ++j)
      sum += row[j] = std::exp(row[j] - maxLogit);
    const double whole = sum + (variant.sink ? std::exp(sinkOf(problem, head) - maxLogit) : 0.0);
    for (std::size_t j = 0; j < keys.size(); ++j)
      row[j] /= whole;
    lse = maxLogit + std::log(sum);
    if (variant.lse == LseMode::Base2)
      lse *= std::numbers::log2e;
  }

  void accumulate(double* out) {
    const int dims = variant.valueDims();
    for (std::size_t j = 0; j < keys.size(); ++j) {
      const double* row = loadKey(j);
      for (int h = 0; h < variant.heads; ++h) {
        const double weight = logitOf(h, j);
        for (int d = 0; d < dims; ++d)
          out[h * std::int64_t{dims} + d] += weight * row[d];
      }
    }
  }

  double& logitOf(int head, std::size_t j) { return logits[head * keys.size() + j]; }

  const Problem& problem;
  const Variant& variant;
  int token;
  std::vector<AttendedKey> keys;
  std::int64_t query; ///< position
  RuleValue rules;
  RecordCodec codec;
  std::vector<double> key;
  std::vector<double> logits; ///< [heads][keys]; probabilities once normalised
};

} // namespace

Reference referenceAttention(const Problem& problem, const ReferenceOptions& options) {
  const Variant& variant = problem.variant;
  Reference result;
  result.tokens = options.tokens;
  result.heads = variant.heads;
  result.valueDims = variant.valueDims();
  if (result.tokens.empty()) {
    result.tokens.resize(problem.tokens);
    std::iota(result.tokens.begin(), result.tokens.end(), 0);
  }
  const auto count = static_cast<std::int64_t>(result.tokens.size());
  const std::int64_t rows = count * variant.heads;
  result.out.resize(rows * result.valueDims);
  result.lse.resize(rows);
  result.maxLogit.resize(rows);
  parallelFor(count, options.threads, [&](std::int64_t i) {
    const std::int64_t row = i * variant.heads;
    TokenAttention(problem, result.tokens[i])
        .compute(&result.out[row * result.valueDims], &result.lse[row], &result.maxLogit[row]);
  });
  return result;
}

std::vector<int> sampleTokens(int tokens, int count) {
  const int taken = std::clamp(count, 0, tokens);
  std::vector<int> sample(taken);
  for (int i = 0; i < taken; ++i)
    sample[i] = taken == 1 ? 0 : static_cast<int>(std::int64_t{i} * (tokens - 1) / (taken - 1));
  return sample;
}

} // namespace mlac::verify
