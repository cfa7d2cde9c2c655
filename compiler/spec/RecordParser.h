// RecordParser: one `record NAME { ... }` block.
#pragma once

#include "compiler/spec/Ast.h"

#include <string_view>

namespace mlac {

class DiagnosticList;
class TokenStream;

/// Reads the block that begins at the current token, which is `record`.
ast::Record parseRecord(TokenStream& stream, DiagnosticList& diagnostics);

/// As the language spells it.
std::string_view spellingOf(ast::RecordWord word);

/// A line that is right, as a remedy: `write: pad 4`.
std::string exampleOf(ast::RecordWord word);

} // namespace mlac
