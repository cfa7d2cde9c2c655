// Problems small enough to compute by hand: one token, 16 dimensions, q and keys set in the test.
#pragma once

#include "verify/HalfTypes.h"
#include "verify/Problem.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <initializer_list>
#include <vector>

namespace mlac::verify {

/// One head, latent 16, no rope, pages of 2 tokens, dense, natural LSE, scale 1, everything
/// f32-exact.
inline Variant tinyVariant() {
  Variant variant;
  variant.name = "tiny";
  variant.heads = 1;
  variant.latent = 16;
  variant.page = 2;
  variant.output = ElementType::F32;
  variant.scale = 1.0F;
  variant.lse = LseMode::Natural;
  variant.maxLogit = true;
  return variant;
}

/// A variant with everything a test of invariants wants to move: 3 heads, rope, two queries a
/// request.
inline Variant smallVariant(IterateKind iterate, int topk = 0) {
  Variant variant = tinyVariant();
  variant.name = "small";
  variant.heads = 3;
  variant.latent = 32;
  variant.rope = 16;
  variant.page = 4;
  variant.iterate = iterate;
  variant.topk = topk;
  variant.window = iterate == IterateKind::Window ? 5 : 0;
  variant.minQueries = 1;
  variant.maxQueries = 0;
  variant.causal = iterate != IterateKind::TopkPhysical;
  variant.scale.reset();
  return variant;
}

inline Problem mustMake(const Variant& variant, const ProblemOptions& options) {
  auto problem = makeProblem(variant, options);
  if (!problem) {
    ADD_FAILURE() << problem.error().message;
    return {};
  }
  return std::move(*problem);
}

/// Sets the first elements of a token's latent query, head 0; the others become 0.
inline void setQuery(Problem& problem, std::initializer_list<float> values) {
  std::byte* to = problem.inputs[static_cast<int>(Input::Query)].data();
  auto value = values.begin();
  for (int d = 0; d < problem.variant.latent; ++d)
    storeElement(
        problem.variant.query, value != values.end() ? *value++ : 0.0F, to + std::ptrdiff_t{2} * d);
}

/// Sets the first elements of the key in `slot`; the others become 0.
inline void setKey(Problem& problem, std::int64_t slot, std::initializer_list<float> values) {
  auto* to = const_cast<std::byte*>(problem.keyRow(slot));
  ASSERT_NE(to, nullptr);
  auto value = values.begin();
  for (int d = 0; d < problem.variant.qkDims(); ++d)
    storeElement(*problem.variant.cacheElement(),
                 value != values.end() ? *value++ : 0.0F,
                 to + std::ptrdiff_t{2} * d);
}

/// The i32 input as a vector that can be changed and put back with putInts.
inline std::vector<std::int32_t> takeInts(const Problem& problem, Input id) {
  const auto values = problem.ints(id);
  return {values.begin(), values.end()};
}

inline void putInts(Problem& problem, Input id, const std::vector<std::int32_t>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  problem.inputs[static_cast<int>(id)].assign(bytes.begin(), bytes.end());
}

} // namespace mlac::verify
