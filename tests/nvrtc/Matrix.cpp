#include "tests/nvrtc/Matrix.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace mlac {
namespace {

constexpr std::array<int, 10> kHeads = {1, 5, 8, 10, 11, 16, 20, 32, 64, 128};

struct Iteration {
  IterateKind kind;
  int count; ///< top-k or window
};

constexpr std::array<Iteration, 8> kIterations = {{
    {IterateKind::TopkLogical, 64},
    {IterateKind::TopkPhysical, 192},
    {IterateKind::TopkLogical, 2048},
    {IterateKind::TopkPhysical, 2048},
    {IterateKind::TopkLogical, 2176},
    {IterateKind::TopkPhysical, 64},
    {IterateKind::Dense, 0},
    {IterateKind::Window, 512},
}};

constexpr std::array<std::string_view, 2> kPromised = {"sm_90", "sm_120"};
constexpr std::array<std::string_view, 5> kCovered = {
    "sm_80", "sm_86", "sm_89", "sm_100", "sm_121"};
constexpr std::array<int, 5> kPages = {64, 1, 16, 256, 2304};

/// One point of the matrix; axes that no promise names are dealt out by `index`.
Variant variantAt(int heads, const Iteration& iteration, int rope, int index) {
  Variant variant;
  variant.heads = heads;
  variant.latent = 512;
  variant.rope = rope;
  variant.iterate = iteration.kind;
  variant.topk = iteration.kind == IterateKind::Window ? 0 : iteration.count;
  variant.window = iteration.kind == IterateKind::Window ? iteration.count : 0;
  variant.page = kPages[static_cast<std::size_t>(index) % kPages.size()];
  variant.causal = iteration.kind != IterateKind::TopkPhysical;
  variant.maxQueries = 4;
  const bool f16 = index % 10 == 9;
  variant.cache = variant.query = f16 ? ElementType::F16 : ElementType::BF16;
  variant.output = index % 7 == 6 ? ElementType::F32 : variant.query;
  variant.lse = index % 3 == 0 ? LseMode::Base2 : LseMode::Natural;
  variant.maxLogit = index % 5 == 4;
  if (index % 4 != 3)
    variant.scale = 0.0625F;
  variant.name =
      fmt::format("h{}_i{}_r{}", heads, index % static_cast<int>(kIterations.size()), rope);
  return variant;
}

/// Sizes that strain the budget: wide latents, values that include the rope part, a single tile.
std::vector<Variant> strainedVariants() {
  std::vector<Variant> variants;
  for (const int latent : {16, 448, 496, 768, 1024}) {
    Variant variant = variantAt(16, kIterations[2], 64, 0);
    variant.name = fmt::format("latent{}", latent);
    variant.latent = latent;
    variants.push_back(variant);
  }
  for (const int heads : {8, 64}) {
    Variant variant = variantAt(heads, kIterations[3], 64, 1);
    variant.name = fmt::format("record{}", heads);
    variant.valueIsRecord = true;
    variants.push_back(variant);
  }
  return variants;
}

void add(std::vector<MatrixCase>& cases, const Variant& variant, std::string_view target) {
  cases.push_back({variant, *findTarget(target)});
}

} // namespace

std::vector<MatrixCase> compileMatrix(bool everyTarget) {
  std::vector<MatrixCase> cases;
  int index = 0;
  for (std::size_t h = 0; h < kHeads.size(); ++h)
    for (std::size_t i = 0; i < kIterations.size(); ++i)
      for (const int rope : {64, 0}) {
        ++index;
        const Variant variant = variantAt(kHeads[h], kIterations[i], rope, index);
        const bool ropeTurn = (h + i) % 2 == (rope == 0 ? 1U : 0U);
        for (std::string_view target : kPromised)
          add(cases, variant, target);
        // A Latin square: each target meets every head count, every iteration and both ropes.
        for (std::size_t t = 0; t < kCovered.size(); ++t)
          if (everyTarget || ((h + i + t) % kIterations.size() == 0 && ropeTurn))
            add(cases, variant, kCovered[t]);
      }
  for (const Variant& variant : strainedVariants())
    for (std::string_view target : kPromised)
      add(cases, variant, target);
  return cases;
}

} // namespace mlac
