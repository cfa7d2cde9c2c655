// GgufConfig: what a GGUF file's metadata says about a model's attention.
#pragma once

#include "common/Result.h"
#include "tools/init/GgufHeader.h"
#include "tools/init/ModelConfig.h"

#include <string>

namespace mlac {

/// The dimensions of a `deepseek2` or `glm-dsa` model, by llama.cpp's keys; `file` names it in
/// errors. InvalidInput for other architectures (naming what was found), and with the key for one
/// that is missing or of the wrong type, or heads that differ from layer to layer.
Result<ModelConfig> configFromGguf(const GgufHeader& header, const std::string& file);

} // namespace mlac
