// RecordReader: the lines of a record to fields.
#pragma once

#include "common/Record.h"
#include "compiler/spec/Ast.h"

#include <vector>

namespace mlac {

class DiagnosticList;

/// Reads what `written` says into `record` and reports each line that is wrong by itself. Rules
/// across lines are faultOf's. `places` takes the place of each field's line. False
/// where something was wrong.
bool readRecord(const ast::Record& written,
                Record& record,
                std::vector<Span>& places,
                DiagnosticList& diagnostics);

} // namespace mlac
