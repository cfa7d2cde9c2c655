// Flatten: one self-contained source from one that includes templates.
#pragma once

#include <string>
#include <string_view>

namespace mlac {

/// Replaces each `#include "mlac/..."` by that template's text, each once and in dependency order.
/// Every include must name a template; anything else is a bug in the emitter.
std::string flatten(std::string_view source);

/// Digest of all templates' names and texts.
std::string templateDigest();

} // namespace mlac
