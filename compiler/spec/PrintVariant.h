// PrintVariant: one variant as the spec text that describes it.
#pragma once

#include "common/Variant.h"

#include <span>
#include <string>

namespace mlac {

/// Canonical text: all words in the language's order, defaults written out, as the formatter would
/// print it; above it the cache's record, unless that is bf16 or f16. Equal variants print alike,
/// and loading the text gives an equal variant. `variant` must be one that the checker accepts.
std::string printVariant(const Variant& variant);

/// Several as one file: each record is printed once, and one whose name is taken by another gets
/// another name.
std::string printVariants(std::span<const Variant> variants);

/// `record NAME { ... }` as the formatter would print it.
std::string printRecord(const Record& record);

} // namespace mlac
