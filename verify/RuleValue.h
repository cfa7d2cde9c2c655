// RuleValue: what a variant's rules say about one key, in float64. Shares no code with the
// compiler.
#pragma once

#include "common/Expression.h"

#include <cstdint>
#include <vector>

namespace mlac::verify {

struct Problem;

/// A place where rules are asked.
struct RulePlace {
  int head = 0;
  int token = 0;
  std::int64_t query = -1; ///< position; -1 where it is unknown
  std::int64_t key = -1;
};

/// Answers for one problem, which must outlive it. Not for use by several threads at once.
class RuleValue {
public:
  explicit RuleValue(const Problem& problem) : problem(problem) {}

  /// The score that takes the place of `scaled`, -inf for a key that is masked.
  double logit(const RulePlace& place, double scaled);

  /// Whether the mask keeps the key.
  bool keeps(const RulePlace& place);

private:
  double evaluate(const Rule& rule, const RulePlace& place, double scaled);
  double valueOf(const ExprNode& node, const RulePlace& place, double scaled) const;
  double paramValue(std::size_t index, const RulePlace& place) const;

  const Problem& problem;
  std::vector<double> values; ///< by node; conditions are 0 or 1
};

/// True where no head of the token keeps the key.
bool isMaskedForAllHeads(const Problem& problem, int token, std::int64_t query, std::int64_t key);

} // namespace mlac::verify
