#include "verify/Merge.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace mlac::verify {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// One row of all parts.
class RowMerge {
public:
  RowMerge(std::span<const Partial> parts, const MergeRules& rules, std::size_t row)
      : parts(parts), rules(rules), row(row),
        perUnit(rules.base == LseMode::Base2 ? std::numbers::ln2 : 1.0) {}

  void into(Partial& whole) {
    findTop();
    if (top == -kInfinity)
      return;
    double sum = 0;
    for (const Partial& part : parts)
      sum += exponentialOf(part);
    whole.lse[row] = (top + std::log(sum)) / perUnit;
    const double all = sum + sinkTerm();
    for (const Partial& part : parts)
      if (hasKeys(part))
        add(part, exponentialOf(part) / all, whole);
  }

private:
  bool hasKeys(const Partial& part) const { return !std::isinf(part.lse[row]); }

  void findTop() {
    for (const Partial& part : parts)
      if (hasKeys(part))
        top = std::max(top, part.lse[row] * perUnit);
  }

  double exponentialOf(const Partial& part) const {
    return hasKeys(part) ? std::exp(part.lse[row] * perUnit - top) : 0;
  }

  double sinkTerm() const {
    return rules.sinks.empty() ? 0 : std::exp(rules.sinks[row % rules.sinks.size()] - top);
  }

  void add(const Partial& part, double weight, Partial& whole) const {
    for (std::size_t i = row * rules.dims; i < (row + 1) * rules.dims; ++i)
      whole.out[i] += weight * part.out[i];
    if (!whole.maxLogit.empty())
      whole.maxLogit[row] = std::max(whole.maxLogit[row], part.maxLogit[row]);
  }

  std::span<const Partial> parts;
  const MergeRules& rules;
  std::size_t row;
  double perUnit;          ///< of an LSE, in natural ones
  double top = -kInfinity; ///< the largest LSE, in natural units
};

} // namespace

Partial mergePartials(std::span<const Partial> parts, const MergeRules& rules) {
  const std::size_t rows = parts[0].lse.size();
  Partial whole{.out = std::vector<double>(rows * rules.dims),
                .lse = std::vector<double>(rows, rules.emptyPositive ? kInfinity : -kInfinity),
                .maxLogit = std::vector<double>(parts[0].maxLogit.size(), -kInfinity)};
  for (std::size_t row = 0; row < rows; ++row)
    RowMerge(parts, rules, row).into(whole);
  return whole;
}

} // namespace mlac::verify
