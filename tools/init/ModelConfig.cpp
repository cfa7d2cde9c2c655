#include "tools/init/ModelConfig.h"

#include "common/Diagnostic.h"
#include "tools/init/ConfigReader.h"
#include "tools/init/GgufConfig.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>

namespace mlac {
namespace {

using nlohmann::json;

/// Where the dimensions stand: the file's object, or its `text_config` for a model of several
/// modalities.
const json* languagePart(const json& root) {
  const auto nested = root.find("text_config");
  const bool isNested =
      !root.contains("kv_lora_rank") && nested != root.end() && nested->is_object();
  return isNested ? &*nested : &root;
}

/// The error for a model whose attention is of another kind, with what was found instead.
Error notMla(const ConfigReader& reader, const std::string& file) {
  std::string found;
  for (const char* key :
       {"model_type", "num_attention_heads", "num_key_value_heads", "head_dim", "n_head"}) {
    const json* value = reader.find(key);
    if (value == nullptr || !(value->is_number() || value->is_string()))
      continue;
    const std::string shown =
        value->is_string() ? quoteForMessage(value->get_ref<const std::string&>()) : value->dump();
    found += fmt::format("{}{} {}", found.empty() ? "" : ", ", key, shown);
  }
  return {ErrorCode::InvalidInput,
          fmt::format("{}: this model has no Multi-head Latent Attention: there is no "
                      "`kv_lora_rank`; found {}. mlac describes attention whose heads share one "
                      "latent KV head, such as that of DeepSeek-V3, Kimi-K2 or GLM-5",
                      file,
                      found.empty() ? "no key of a model's attention" : found)};
}

/// Yarn's factor on the softmax scale, before it is squared. Below a factor of 1 nothing is
/// stretched.
double yarnMscale(double factor, double mscaleAllDim) {
  return factor <= 1 ? 1.0 : 0.1 * mscaleAllDim * std::log(factor) + 1.0;
}

bool leavesScaleAlone(const std::string& ropeType) {
  return ropeType == "default" || ropeType == "linear" || ropeType == "dynamic" ||
         ropeType == "llama3";
}

/// mscale of the model's rope scaling, 1 where it leaves the softmax scale alone.
Result<double> readMscale(ConfigReader& reader, const std::string& file, std::string& rule) {
  const json* scaling = reader.optionalObject("rope_scaling");
  if (scaling == nullptr)
    scaling = reader.optionalObject("rope_parameters");
  MLAC_CHECK(reader.status());
  if (scaling == nullptr)
    return 1.0;
  ConfigReader rope(*scaling, file + ", rope scaling");
  auto type = rope.optionalString("rope_type");
  if (!type)
    type = rope.optionalString("type");
  const auto factor = rope.optionalNumber("factor");
  const double allDim = rope.optionalNumber("mscale_all_dim").value_or(0);
  MLAC_CHECK(rope.status());
  if (!type || leavesScaleAlone(*type))
    return 1.0;
  if (*type != "yarn" && *type != "deepseek_yarn")
    return Error{ErrorCode::InvalidInput,
                 fmt::format("{}: rope type {} is unknown, so the softmax scale is too; known are "
                             "default, linear, dynamic, llama3, yarn",
                             file,
                             quoteForMessage(*type))};
  if (allDim == 0)
    return 1.0;
  if (!factor)
    return Error{ErrorCode::InvalidInput, fmt::format("{}: yarn lacks its `factor`", file)};
  rule = fmt::format(", times mscale^2 of yarn with factor {}", *factor);
  return yarnMscale(*factor, allDim);
}

Status readScale(ConfigReader& reader, const std::string& file, ModelConfig& config) {
  std::string yarnRule;
  MLAC_TRY(mscale, readMscale(reader, file, yarnRule));
  const int headDims = config.nope + config.rope;
  if (headDims == 0)
    return Error{
        ErrorCode::InvalidInput,
        fmt::format("{}: `qk_nope_head_dim` and `qk_rope_head_dim` are both 0; a head needs "
                    "dimensions",
                    file)};
  config.scale = mscale * mscale / std::sqrt(static_cast<double>(headDims));
  config.scaleRule = fmt::format("({} + {})^-0.5{}", config.nope, config.rope, yarnRule);
  return Unit{};
}

void readElementType(ConfigReader& reader, ModelConfig& config) {
  auto name = reader.optionalString("dtype");
  if (!name)
    name = reader.optionalString("torch_dtype");
  if (name == "float16")
    config.elementType = ElementType::F16;
}

} // namespace

Result<ModelConfig> parseModelConfig(const SourceText& source) {
  const std::string& file = source.name();
  MLAC_TRY(root, parseJson(source));
  if (!root.is_object())
    return Error{ErrorCode::InvalidInput,
                 fmt::format("{}: the file holds a JSON {}; a config.json is an object",
                             file,
                             root.type_name())};
  ConfigReader reader(*languagePart(root), file);
  if (reader.find("kv_lora_rank") == nullptr)
    return notMla(reader, file);

  ModelConfig config;
  config.modelType = reader.optionalString("model_type").value_or("model");
  config.heads = reader.requireInt("num_attention_heads", 1);
  config.latent = reader.requireInt("kv_lora_rank", 1);
  config.nope = reader.requireInt("qk_nope_head_dim", 0);
  config.rope = reader.requireInt("qk_rope_head_dim", 0);
  config.indexTopk = reader.optionalInt("index_topk", 1, 0);
  readElementType(reader, config);
  MLAC_CHECK(reader.status());
  MLAC_CHECK(readScale(reader, file, config));
  return config;
}

Result<ModelConfig> readModelConfig(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::array<char, sizeof kGgufMagic> begin{};
  if (stream.read(begin.data(), begin.size()) &&
      std::equal(begin.begin(), begin.end(), std::begin(kGgufMagic))) {
    MLAC_TRY(header, GgufHeader::read(stream, path));
    return configFromGguf(header, path);
  }
  MLAC_TRY(source, readSource(path, kConfigLimitBytes));
  return parseModelConfig(source);
}

} // namespace mlac
