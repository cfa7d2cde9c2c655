// RandomSpec: seeded variants and spec texts for property tests.
#pragma once

#include "common/Variant.h"

#include <random>
#include <string>

namespace mlac::test {

using RandomEngine = std::mt19937;

/// A variant that the checker accepts.
Variant randomVariant(RandomEngine& random);

/// The variant as a person with no taste might write it: shuffled words, odd blanks, `;`, comments
/// anywhere, CRLF.
std::string carelessText(const Variant& variant, RandomEngine& random);

/// `text` with a few bytes replaced, removed, inserted or copied to elsewhere.
std::string mutated(std::string text, RandomEngine& random);

} // namespace mlac::test
