// RandomRule: rules drawn from a seed as text, tame enough that every backend computes them alike.
#pragma once

#include <random>
#include <string>

namespace mlac::test {

/// Lines of `param`, `score`, `mask` and perhaps `sink`, each ending in a newline. Comparisons are
/// between whole numbers, so that no last bit decides one; scores are capped. `withPositions` lets
/// q and k occur.
std::string randomRuleLines(std::mt19937_64& random, bool withPositions);

} // namespace mlac::test
