// Format: a parsed spec as canonical text.
#pragma once

#include "compiler/spec/Ast.h"

#include <string>

namespace mlac {

/// One setting a line, two blanks of indent, arguments and comments in columns; order, numbers and
/// comments as written. For a spec that parsed without an error, parsing the result gives an equal
/// spec, and formatting it the same text.
std::string formatSpec(const ParsedSpec& spec);

} // namespace mlac
