// Inputs: words for probes, drawn from a seed. The same bits on every machine.
#pragma once

#include "tests/simt/wrappers/Probes.h"

namespace mlac::probes {

/// Uniform words.
Words anyWords(std::uint64_t seed, std::size_t words);

/// Warps' votes in bit 0: all, none, all but one, one, or any.
Words voteWords(std::uint64_t seed, std::size_t words);

/// f32 for ex2: exponents that give zero to infinity, whole numbers and what lies beside them, both
/// ends of the range, and the special values.
Words exp2Inputs(std::uint64_t seed, std::size_t words);

/// f32 for lg2: every magnitude, what lies beside 1, and the special values.
Words log2Inputs(std::uint64_t seed, std::size_t words);

/// f32 to be rounded to bf16 or f16: also halfway cases, subnormals, what lies beside overflow.
Words bf16Inputs(std::uint64_t seed, std::size_t words);
Words f16Inputs(std::uint64_t seed, std::size_t words);

/// One warp's product takes these words: A by rows (k in pairs), B by columns (k in pairs), C by
/// rows.
constexpr int kMmaRows = 16;
constexpr int kMmaColumns = 8;
constexpr int kMmaDepth = 16;
constexpr int kMmaAWords = kMmaRows * kMmaDepth / 2;
constexpr int kMmaBWords = kMmaColumns * kMmaDepth / 2;
constexpr int kMmaCWords = kMmaRows * kMmaColumns;
constexpr int kMmaInWords = kMmaAWords + kMmaBWords + kMmaCWords;

/// Products of numbers around 1.
Words mmaBf16Normal(std::uint64_t seed, std::size_t words);
Words mmaF16Normal(std::uint64_t seed, std::size_t words);

/// Magnitudes spread so far that most addends vanish beside the largest.
Words mmaBf16Spread(std::uint64_t seed, std::size_t words);
Words mmaF16Spread(std::uint64_t seed, std::size_t words);

/// A holds subnormals; B is large enough that they show in some of the sums.
Words mmaBf16Subnormal(std::uint64_t seed, std::size_t words);
Words mmaF16Subnormal(std::uint64_t seed, std::size_t words);

/// A holds subnormals and B numbers around 1: the sums are subnormals too.
Words mmaBf16Tiny(std::uint64_t seed, std::size_t words);

/// Infinities, NaN and zeros of both signs among numbers around 1.
Words mmaBf16Special(std::uint64_t seed, std::size_t words);
Words mmaF16Special(std::uint64_t seed, std::size_t words);

} // namespace mlac::probes
