// Variants the tests of the dialect start from.
#pragma once

#include "common/Variant.h"

namespace mlac {

inline Variant sparseVariant() {
  Variant variant;
  variant.name = "sparse";
  variant.heads = 8;
  variant.latent = 512;
  variant.rope = 64;
  variant.page = 64;
  variant.iterate = IterateKind::TopkLogical;
  variant.topk = 2048;
  variant.scale = 0.0625f;
  return variant;
}

inline Variant denseVariant() {
  Variant variant = sparseVariant();
  variant.name = "dense";
  variant.iterate = IterateKind::Dense;
  variant.topk = 0;
  return variant;
}

} // namespace mlac
