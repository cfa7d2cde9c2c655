// ModelSpec: the spec of a model's decode attention, as `mlac init` writes it.
#pragma once

#include "common/Result.h"
#include "tools/init/ModelConfig.h"

#include <string>

namespace mlac {

/// Tokens per page that `mlac init` writes: what inference engines use for MLA caches.
inline constexpr int kInitPage = 64;

/// Formatted spec text, with comments that say where each number comes from, for one of `devices`
/// that share the heads (tensor parallelism). InvalidInput when the heads do not divide, or the
/// model has a dimension the language refuses.
Result<std::string> specForModel(const ModelConfig& config, int devices);

} // namespace mlac
