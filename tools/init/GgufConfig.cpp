#include "tools/init/GgufConfig.h"

#include "common/Diagnostic.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

namespace mlac {
namespace {

constexpr std::array<const char*, 2> kArchitectures = {"deepseek2", "glm-dsa"};

/// The keys of one architecture. Errors name key and file.
class Keys {
public:
  Keys(const GgufHeader& header, std::string architecture, std::string file)
      : header(header), architecture(std::move(architecture)), file(std::move(file)) {}

  std::string full(const char* key) const { return architecture + "." + key; }

  bool has(const char* key) const { return header.find(full(key)) != nullptr; }

  /// A whole number from `low` to 2^31 - 1. An array counts if all layers have the same.
  Result<int> count(const char* key, int low) const;

  std::optional<double> number(const char* key) const { return header.number(full(key)); }

  std::optional<std::string> text(const char* key) const { return header.text(full(key)); }

  Error wrong(const char* key, const std::string& what) const {
    return {ErrorCode::InvalidInput, fmt::format("{}: `{}` {}", file, full(key), what)};
  }

private:
  const GgufHeader& header;
  std::string architecture;
  std::string file;
};

Result<int> Keys::count(const char* key, int low) const {
  const GgufHeader::Value* value = header.find(full(key));
  if (value == nullptr)
    return wrong(key, "is missing");
  std::int64_t number = 0;
  if (const auto* whole = std::get_if<std::int64_t>(value)) {
    number = *whole;
  } else if (const auto* layers = std::get_if<std::vector<std::int64_t>>(value)) {
    if (layers->empty() ||
        std::adjacent_find(layers->begin(), layers->end(), std::not_equal_to<>()) != layers->end())
      return wrong(key, "differs from layer to layer, or is empty; a spec describes one layer");
    number = layers->front();
  } else {
    return wrong(key, "is no whole number");
  }
  constexpr int kMost = std::numeric_limits<int>::max();
  if (number < low || number > kMost)
    return wrong(key, fmt::format("is {}; it must lie between {} and {}", number, low, kMost));
  return static_cast<int>(number);
}

/// Dims of a head's query and key before absorption. Newer files keep the width of the compressed
/// row in `key_length`, and this in `key_length_mla`.
Result<int> headDims(const Keys& keys) {
  return keys.count(keys.has("attention.key_length_mla") ? "attention.key_length_mla"
                                                         : "attention.key_length",
                    1);
}

/// As llama.cpp scales (src/models/deepseek2.cpp): mscale^2 / sqrt(head dims), where yarn's mscale
/// is 1 + yarn_log_multiplier * ln(factor).
Status readScale(const Keys& keys, int dims, ModelConfig& config) {
  double mscale = 1;
  std::string rule;
  const std::string type = keys.text("rope.scaling.type").value_or("none");
  const double multiplier = keys.number("rope.scaling.yarn_log_multiplier").value_or(0);
  if (type == "yarn" && multiplier != 0) {
    const auto factor = keys.number("rope.scaling.factor");
    if (!factor || !std::isfinite(*factor) || *factor < 1 || !std::isfinite(multiplier))
      return keys.wrong("rope.scaling.factor",
                        "must be a number of at least 1, as yarn scales the softmax by it");
    mscale = 1 + multiplier * std::log(*factor);
    rule = fmt::format(", times mscale^2 of yarn with factor {}", *factor);
  }
  config.scale = mscale * mscale / std::sqrt(static_cast<double>(dims));
  config.scaleRule = fmt::format("({} + {})^-0.5{}", config.nope, config.rope, rule);
  return Unit{};
}

} // namespace

Result<ModelConfig> configFromGguf(const GgufHeader& header, const std::string& file) {
  const auto architecture = header.text("general.architecture");
  const bool isKnown =
      architecture && std::find(kArchitectures.begin(), kArchitectures.end(), *architecture) !=
                          kArchitectures.end();
  if (!isKnown)
    return Error{ErrorCode::InvalidInput,
                 fmt::format("{}: `general.architecture` is {}; those with Multi-head Latent "
                             "Attention that are read are {}",
                             file,
                             architecture ? quoteForMessage(*architecture) : "missing",
                             fmt::join(kArchitectures, " and "))};
  const Keys keys(header, *architecture, file);
  ModelConfig config;
  config.modelType = *architecture;
  MLAC_TRY(heads, keys.count("attention.head_count", 1));
  MLAC_TRY(latent, keys.count("attention.kv_lora_rank", 1));
  MLAC_TRY(rope, keys.count("rope.dimension_count", 0));
  MLAC_TRY(dims, headDims(keys));
  if (dims < rope)
    return keys.wrong("attention.key_length",
                      fmt::format("is {}, less than the {} dims with rope", dims, rope));
  config.heads = heads;
  config.latent = latent;
  config.rope = rope;
  config.nope = dims - rope;
  // Files without an indexer's keys are converted from models that have none, or lost it: dense.
  if (keys.has("attention.indexer.top_k")) {
    MLAC_TRY(topk, keys.count("attention.indexer.top_k", 1));
    config.indexTopk = topk;
  }
  config.names = {"attention.kv_lora_rank", "rope.dimension_count", "attention.indexer.top_k"};
  MLAC_CHECK(readScale(keys, dims, config));
  return config;
}

} // namespace mlac
