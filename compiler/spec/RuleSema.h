// RuleSema: the lines `param`, `score`, `mask` and `sink` of an attention, checked together.
#pragma once

#include "common/Diagnostic.h"
#include "compiler/spec/Ast.h"
#include "compiler/spec/SettingRules.h"

namespace mlac {

/// Reads all of them into the draft, whose iteration is known by then. Lines of a word that stands
/// once and was reported as doubled are read too, the last one counts.
void checkRules(const ast::Attention& attention, VariantDraft& draft, DiagnosticList& diagnostics);

} // namespace mlac
