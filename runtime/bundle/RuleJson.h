// RuleJson: parameters and rules of a variant as JSON.
#pragma once

#include "common/Variant.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace mlac {

/// Adds `params`, `score`, `mask` and `sink` to the variant's object. A rule is a list of nodes, a
/// node its operation's number, type's number, operands, integer and real.
void writeRules(const Variant& variant, nlohmann::json& object);

/// Reads them back; what is absent is none. Throws std::invalid_argument, naming the place under
/// `path`, for anything that is no rule.
void readRules(const nlohmann::json& object, const std::string& path, Variant& variant);

} // namespace mlac
