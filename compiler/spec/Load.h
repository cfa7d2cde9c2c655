// Load: spec text to variants in one call, and choosing one of a file's attentions.
#pragma once

#include "common/Result.h"
#include "common/SourceText.h"
#include "common/Variant.h"
#include "compiler/spec/Sema.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mlac {

/// Parses and checks. InvalidSpec with the rendered diagnostics when the text is wrong. `defaults`
/// may be null.
Result<std::vector<Variant>> loadVariants(const SourceText& source,
                                          std::vector<TakenDefault>* defaults = nullptr);

/// A spec as the command line names it: FILE or FILE:NAME.
struct SpecReference {
  std::string file;
  std::optional<std::string> name;
};

/// Takes `a.mlac:decode` apart. What follows the last colon is a name only when it is an
/// identifier.
SpecReference splitSpecReference(std::string_view reference);

/// The attention called `name`, or the only one when no name is given; else InvalidInput with the
/// names to choose from.
Result<Variant> selectVariant(const std::vector<Variant>& variants,
                              const std::optional<std::string>& name,
                              std::string_view file);

} // namespace mlac
