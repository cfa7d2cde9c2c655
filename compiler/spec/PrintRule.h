// PrintRule: parameters and rules as text.
#pragma once

#include "common/Expression.h"

#include <span>
#include <string>
#include <string_view>

namespace mlac {

/// The expression with no parenthesis more than its meaning needs. Linear in the rule, which must
/// be one that the parser made: each node but the last has one user.
std::string printExpression(const Rule& rule, std::span<const RuleParam> params);

/// `score(s, h) = ...`: the arguments that the rule reads, in the order s, h, q, k, t.
std::string printRule(std::string_view name, const Rule& rule, std::span<const RuleParam> params);

/// `cap : f32 = 50`
std::string printParam(const RuleParam& param);

} // namespace mlac
