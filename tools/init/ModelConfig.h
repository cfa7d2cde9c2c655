// ModelConfig: what a Hugging Face config.json, or the metadata of a GGUF file, says about a
// model's attention.
#pragma once

#include "common/Result.h"
#include "common/SourceText.h"
#include "common/Variant.h"

#include <string>

namespace mlac {

/// How the file calls what a spec takes from it.
struct ConfigNames {
  const char* latent = "kv_lora_rank";
  const char* rope = "qk_rope_head_dim";
  const char* indexTopk = "index_topk";
};

/// Dimensions of one MLA layer of the whole model, before it is divided among devices.
struct ModelConfig {
  std::string modelType; ///< `model_type`, such as "glm_moe_dsa"; "model" where there is none
  int heads = 0;         ///< `num_attention_heads`
  int latent = 0;        ///< `kv_lora_rank`
  int nope = 0;          ///< `qk_nope_head_dim`: part of a head without position, before absorption
  int rope = 0;          ///< `qk_rope_head_dim`
  int indexTopk = 0;     ///< `index_topk`; 0 without an indexer
  double scale = 0;      ///< (nope + rope)^-0.5, with yarn's mscale^2 where it applies
  std::string scaleRule; ///< how the scale came about, for people
  ElementType elementType = ElementType::BF16; ///< `dtype` or `torch_dtype`
  ConfigNames names;
};

/// Largest config.json that is read, in bytes.
inline constexpr std::size_t kConfigLimitBytes = 16 << 20;

/// Reads the dimensions from JSON text; a model that nests them in `text_config` is read there.
/// InvalidInput, with the place or the keys, for broken JSON, missing keys, wrong types, and models
/// without Multi-head Latent Attention.
Result<ModelConfig> parseModelConfig(const SourceText& json);

/// The same from a file, or from the header of a GGUF file (GgufConfig.h); IoFailed when it cannot
/// be read.
Result<ModelConfig> readModelConfig(const std::string& path);

} // namespace mlac
