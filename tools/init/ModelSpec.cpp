#include "tools/init/ModelSpec.h"

#include "compiler/spec/Format.h"
#include "compiler/spec/Lexer.h"
#include "compiler/spec/Load.h"
#include "compiler/spec/Names.h"
#include "compiler/spec/Parser.h"

#include <fmt/format.h>

#include <algorithm>

namespace mlac {
namespace {

constexpr std::size_t kLongestName = 48;

/// The model type as an identifier that the language accepts.
std::string attentionName(const std::string& modelType) {
  std::string name = modelType.substr(0, kLongestName);
  std::replace_if(
      name.begin(), name.end(), [](char character) { return !isWordPart(character); }, '_');
  const bool isUsable = !name.empty() && isWordStart(name.front()) && !whyNameIsRefused(name);
  if (isUsable)
    return name;
  // Double underscores are reserved in C++, wherever they stand.
  std::string plain;
  for (const char character : "model_" + name)
    if (character != '_' || plain.back() != '_')
      plain += character;
  return plain;
}

/// Printable ASCII only: the text goes into a comment of one line.
std::string commentText(const std::string& text) {
  std::string shown = text.substr(0, kLongestName);
  std::replace_if(
      shown.begin(),
      shown.end(),
      [](char character) { return character < ' ' || character > '~'; },
      '?');
  return shown;
}

std::string iterateText(const ModelConfig& config) {
  if (config.indexTopk == 0)
    return "iterate dense # there is no indexer\n";
  return fmt::format("iterate topk {} logical # {}\n", config.indexTopk, config.names.indexTopk);
}

std::string draftSpec(const ModelConfig& config, int devices) {
  const char* type = elementName(config.elementType);
  std::string text = fmt::format("# Decode of {}: {} query heads over {} device{}.\n# For several "
                                 "query tokens a request write "
                                 "`queries 1..4 causal`.\n",
                                 commentText(config.modelType),
                                 config.heads,
                                 devices,
                                 devices == 1 ? "" : "s");
  text += fmt::format("attention {} {{\n", attentionName(config.modelType));
  text += fmt::format("heads {} # {} / {}\n", config.heads / devices, config.heads, devices);
  text += fmt::format("latent {} # {}\n", config.latent, config.names.latent);
  text += fmt::format("rope {} # {}\n", config.rope, config.names.rope);
  text += fmt::format("q {}\ncache {} page {}\n", type, type, kInitPage);
  text += iterateText(config);
  text += "queries 1\n";
  text += fmt::format("scale {} # {}\n", static_cast<float>(config.scale), config.scaleRule);
  text += fmt::format("output {}\n}}\n", type);
  return text;
}

} // namespace

Result<std::string> specForModel(const ModelConfig& config, int devices) {
  if (devices < 1 || config.heads % devices != 0)
    return Error{ErrorCode::InvalidInput,
                 fmt::format("{} heads cannot be divided among {} devices; --tp must be a divisor "
                             "of the head count",
                             config.heads,
                             devices)};
  const SourceText draft("the model's spec", draftSpec(config, devices));
  // The checker is the one place that knows the language's limits.
  if (const auto variants = loadVariants(draft); !variants)
    return Error{ErrorCode::InvalidInput,
                 "this model has a dimension that mlac does not support:\n" +
                     variants.error().message};
  DiagnosticList diagnostics;
  return formatSpec(parseSpec(draft, diagnostics));
}

} // namespace mlac
