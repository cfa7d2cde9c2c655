#include "tests/simt/mutations/ProblemVariants.h"

namespace mlac::mutations {

Variant dense(const char* name, int heads) {
  Variant variant;
  variant.name = name;
  variant.heads = heads;
  variant.latent = 64;
  variant.rope = 32;
  variant.page = 16;
  variant.scale = 0.7F;
  variant.lse = LseMode::Natural;
  return variant;
}

Variant logical(const char* name, int heads, int topk) {
  Variant variant = dense(name, heads);
  variant.iterate = IterateKind::TopkLogical;
  variant.topk = topk;
  return variant;
}

Variant splitVariant() {
  Variant variant = logical("split", 19, 250);
  variant.latent = 144;
  variant.rope = 16;
  variant.lse = LseMode::Base2;
  variant.maxLogit = true;
  return variant;
}

Variant unevenVariant() {
  Variant variant = splitVariant();
  variant.name = "uneven";
  variant.latent = 160;
  variant.output = ElementType::F32;
  return variant;
}

Variant manyTilesVariant() {
  Variant variant = logical("many_tiles", 8, 64);
  variant.latent = 496;
  variant.rope = 16;
  return variant;
}

Variant raggedVariant() {
  Variant variant = dense("ragged", 11);
  variant.maxQueries = 0;
  variant.causal = true;
  variant.scale.reset();
  variant.maxLogit = true;
  return variant;
}

Variant windowVariant() {
  Variant variant = dense("window", 8);
  variant.iterate = IterateKind::Window;
  variant.window = 48;
  variant.cache = variant.query = ElementType::F16;
  variant.output = ElementType::F32;
  variant.valueIsRecord = true;
  return variant;
}

Variant balancedVariant() {
  Variant variant = dense("balanced", 11);
  variant.maxLogit = true;
  return variant;
}

Variant farVariant() {
  Variant variant = dense("far", 8);
  variant.iterate = IterateKind::TopkPhysical;
  variant.topk = 40;
  return variant;
}

Variant mergeVariant() {
  Variant variant = farVariant();
  variant.name = "merge";
  variant.heads = 5;
  variant.latent = 272;
  variant.lse = LseMode::Base2;
  variant.emptyLsePositive = true;
  variant.maxLogit = true;
  return variant;
}

} // namespace mlac::mutations
