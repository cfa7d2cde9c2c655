// Parser: spec text to its AST, with several errors a run.
#pragma once

#include "common/Diagnostic.h"
#include "compiler/spec/Ast.h"

namespace mlac {

/// Parses a whole file. What could not be read is a diagnostic and missing from the result; reading
/// goes on at the next newline, `;` or `}`. Linear in the text, at any depth of braces.
ParsedSpec parseSpec(const SourceText& source, DiagnosticList& diagnostics);

} // namespace mlac
