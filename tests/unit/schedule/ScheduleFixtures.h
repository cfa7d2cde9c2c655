// Variants and targets the schedule tests start from.
#pragma once

#include "common/Target.h"
#include "common/Variant.h"

#include <string_view>

namespace mlac {

/// GLM-5's dimensions with `heads` heads and top-k 2048.
inline Variant sparseVariant(int heads) {
  Variant variant;
  variant.name = "sparse";
  variant.heads = heads;
  variant.latent = 512;
  variant.rope = 64;
  variant.page = 64;
  variant.iterate = IterateKind::TopkLogical;
  variant.topk = 2048;
  variant.scale = 0.0625F;
  return variant;
}

inline const Target& target(std::string_view name) {
  return **findTarget(name);
}

} // namespace mlac
