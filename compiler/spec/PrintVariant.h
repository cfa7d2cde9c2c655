// PrintVariant: one variant as the spec text that describes it.
#pragma once

#include "common/Variant.h"

#include <string>

namespace mlac {

/// Canonical text: all words in the language's order, defaults written out, as the formatter would
/// print it. Equal variants print alike, and loading the text gives an equal variant. `variant`
/// must be one that the checker accepts.
std::string printVariant(const Variant& variant);

} // namespace mlac
