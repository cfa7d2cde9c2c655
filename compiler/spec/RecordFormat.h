// RecordFormat: a record as the formatter prints it.
#pragma once

#include "compiler/spec/Ast.h"

#include <string>

namespace mlac {

/// Canonical text of one record; ends in a newline.
std::string formatRecord(const ast::Record& record);

} // namespace mlac
