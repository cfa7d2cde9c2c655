#include "compiler/spec/PrintVariant.h"

#include "compiler/spec/PrintRule.h"

#include <fmt/format.h>

#include <string>
#include <unordered_map>

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

/// bf16 and f16 belong to the language and need no description.
bool isBuiltIn(const Record& record) {
  return record == Record(ElementType::BF16) || record == Record(ElementType::F16);
}

std::string printAttention(const Variant& variant) {
  std::string text = fmt::format("attention {} {{\n", variant.name);
  const auto line = [&](const char* word, const auto& arguments) {
    text += fmt::format("  {:<8} {}\n", word, arguments);
  };
  line("heads", variant.heads);
  line("latent", variant.latent);
  line("rope", variant.rope);
  line("value", variant.valueIsRecord ? "record" : "latent");
  line("q", elementName(variant.query));
  line("cache", fmt::format("{} page {}", variant.cache.name, variant.page));
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

using PrintedRecords = std::unordered_map<std::string, Record>;

/// Gives `record` a name that no other of `printed` has. True where it is not printed yet.
bool isNew(Record& record, PrintedRecords& printed) {
  const std::string name = record.name;
  for (int number = 2;; ++number) {
    const auto [found, isAdded] = printed.try_emplace(record.name, record);
    if (isAdded || found->second == record)
      return isAdded;
    record.name = fmt::format("{}_{}", name, number);
  }
}

} // namespace

std::string printVariant(const Variant& variant) {
  return printVariants({&variant, 1});
}

std::string printVariants(std::span<const Variant> variants) {
  std::string text;
  PrintedRecords printed;
  for (Variant variant : variants) {
    if (!isBuiltIn(variant.cache) && isNew(variant.cache, printed))
      text += (text.empty() ? "" : "\n") + printRecord(variant.cache);
    text += (text.empty() ? "" : "\n") + printAttention(variant);
  }
  return text;
}

} // namespace mlac
