// FormatRule: gaps between the tokens of a `param`, `score`, `mask` or `sink` line.
#pragma once

#include "compiler/spec/Ast.h"

#include <string>

namespace mlac {

/// The line's arguments as the formatter writes them: calls, brackets and signs tight, operators
/// between blanks. Reading it gives the same tokens.
std::string formatRuleArguments(const ast::Setting& setting);

/// True where the arguments follow the word without a gap: `score(s)`.
bool followsTight(const ast::Setting& setting);

} // namespace mlac
