#include "compiler/spec/Load.h"

#include "compiler/spec/Lexer.h"
#include "compiler/spec/Parser.h"

#include <fmt/format.h>

#include <algorithm>

namespace mlac {
namespace {

constexpr std::size_t kNamesListed = 20;

std::string listNames(const std::vector<Variant>& variants) {
  std::string list;
  for (std::size_t index = 0; index < variants.size() && index < kNamesListed; ++index)
    list += fmt::format("{}{}", index == 0 ? "" : " ", variants[index].name);
  if (variants.size() > kNamesListed)
    list += fmt::format(" and {} more", variants.size() - kNamesListed);
  return list;
}

std::string suggestName(const std::vector<Variant>& variants, std::string_view name) {
  std::vector<std::string_view> names;
  names.reserve(variants.size());
  for (const Variant& variant : variants)
    names.push_back(variant.name);
  const auto meant = nearest(name, names);
  return meant ? fmt::format("; did you mean {}?", *meant) : std::string();
}

} // namespace

Result<std::vector<Variant>> loadVariants(const SourceText& source,
                                          std::vector<TakenDefault>* defaults) {
  DiagnosticList diagnostics;
  const ParsedSpec spec = parseSpec(source, diagnostics);
  std::vector<Variant> variants = checkSpec(spec, diagnostics, defaults);
  if (diagnostics.hasErrors())
    return Error{ErrorCode::InvalidSpec, renderDiagnostics(source, diagnostics)};
  return variants;
}

SpecReference splitSpecReference(std::string_view reference) {
  const std::size_t colon = reference.rfind(':');
  if (colon == reference.npos || colon == 0)
    return {std::string(reference), std::nullopt};
  const std::string_view name = reference.substr(colon + 1);
  const bool isName = !name.empty() && isWordStart(name.front()) &&
                      std::all_of(name.begin(), name.end(), isWordPart);
  if (!isName)
    return {std::string(reference), std::nullopt};
  return {std::string(reference.substr(0, colon)), std::string(name)};
}

Result<Variant> selectVariant(const std::vector<Variant>& variants,
                              const std::optional<std::string>& name,
                              std::string_view file) {
  if (!name && variants.size() == 1)
    return variants.front();
  if (!name)
    return Error{ErrorCode::InvalidInput,
                 fmt::format("{} holds {} attentions: {}; write {}:NAME to choose one",
                             file,
                             variants.size(),
                             listNames(variants),
                             file)};
  for (const Variant& variant : variants)
    if (variant.name == *name)
      return variant;
  return Error{ErrorCode::InvalidInput,
               fmt::format("{} holds no attention named '{}', only {}{}",
                           file,
                           *name,
                           listNames(variants),
                           suggestName(variants, *name))};
}

} // namespace mlac
