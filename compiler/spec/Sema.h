// Sema: from what is written to checked variants.
#pragma once

#include "common/Diagnostic.h"
#include "common/Variant.h"
#include "compiler/spec/Ast.h"

#include <string>
#include <vector>

namespace mlac {

/// A default that an attention relied on, as it could have been written: `queries 1`.
struct TakenDefault {
  std::string attention;
  std::string setting;

  friend bool operator==(const TakenDefault&, const TakenDefault&) = default;
};

/// Checks every rule of docs/language.md. Returns the variants in the order of the file; none when
/// `diagnostics` holds an error, an earlier one included. `defaults` may be null.
std::vector<Variant> checkSpec(const ParsedSpec& spec,
                               DiagnosticList& diagnostics,
                               std::vector<TakenDefault>* defaults = nullptr);

} // namespace mlac
