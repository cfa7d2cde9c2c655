#include "compiler/spec/PrintVariant.h"

#include "compiler/spec/PrintRule.h"

#include <fmt/format.h>

namespace mlac {
namespace {

std::string iterateText(const Variant& variant) {
  switch (variant.iterate) {
  case IterateKind::Dense:
    return "dense";
  case IterateKind::Window:
    return fmt::format("window {}", variant.window);
  case IterateKind::TopkLogical:
    return fmt::format("topk {} logical", variant.topk);
  case IterateKind::TopkPhysical:
    return fmt::format("topk {} physical", variant.topk);
  }
  return "";
}

std::string queriesText(const Variant& variant) {
  const std::string causal = variant.causal ? " causal" : "";
  if (variant.maxQueries == 0)
    return "any" + causal;
  if (variant.minQueries == variant.maxQueries)
    return fmt::format("{}{}", variant.minQueries, causal);
  return fmt::format("{}..{}{}", variant.minQueries, variant.maxQueries, causal);
}

/// The shortest decimal that reads back as the same f32. -0 is written as 0, to which it is equal.
std::string scaleText(const Variant& variant) {
  if (!variant.scale)
    return "runtime";
  return *variant.scale == 0 ? std::string("0") : fmt::format("{}", *variant.scale);
}

std::string outputText(const Variant& variant) {
  std::string text = elementName(variant.output);
  if (variant.lse != LseMode::None)
    text += variant.lse == LseMode::Natural ? " lse natural" : " lse base2";
  if (variant.emptyLsePositive)
    text += " empty +inf";
  if (variant.maxLogit)
    text += " max_logit";
  return text;
}

} // namespace

std::string printVariant(const Variant& variant) {
  std::string text = fmt::format("attention {} {{\n", variant.name);
  const auto line = [&](const char* word, const auto& arguments) {
    text += fmt::format("  {:<8} {}\n", word, arguments);
  };
  line("heads", variant.heads);
  line("latent", variant.latent);
  line("rope", variant.rope);
  line("value", variant.valueIsRecord ? "record" : "latent");
  line("q", elementName(variant.query));
  line("cache", fmt::format("{} page {}", elementName(variant.cache), variant.page));
  line("iterate", iterateText(variant));
  line("queries", queriesText(variant));
  line("scale", scaleText(variant));
  line("output", outputText(variant));
  for (const RuleParam& param : variant.params)
    line("param", printParam(param));
  if (!variant.score.empty())
    text += fmt::format("  {}\n", printRule("score", variant.score, variant.params));
  if (!variant.mask.empty())
    text += fmt::format("  {}\n", printRule("mask", variant.mask, variant.params));
  if (variant.sink)
    line("sink", "per head");
  return text + "}\n";
}

} // namespace mlac
