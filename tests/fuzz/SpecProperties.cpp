#include "tests/fuzz/SpecProperties.h"

#include "compiler/spec/Format.h"
#include "compiler/spec/Load.h"
#include "compiler/spec/Parser.h"
#include "compiler/spec/PrintVariant.h"

#include <fmt/format.h>

namespace mlac::test {
namespace {

/// No output grows with its input: 20 diagnostics with a note, each a few windows of 100 columns.
constexpr std::size_t kRenderedLimitBytes = 64 << 10;

std::optional<std::string> brokenRendering(const SourceText& source,
                                           const DiagnosticList& diagnostics) {
  const std::string rendered = renderDiagnostics(source, diagnostics);
  if (rendered.size() > kRenderedLimitBytes)
    return fmt::format("{} bytes of diagnostics", rendered.size());
  if (firstInvalidUtf8(rendered))
    return "diagnostics that are not UTF-8:\n" + rendered;
  if (diagnostics.hasErrors() == rendered.empty())
    return "errors without text, or text without errors:\n" + rendered;
  return std::nullopt;
}

std::optional<std::string> brokenPrinting(const Variant& variant) {
  const std::string printed = printVariant(variant);
  const auto loaded = loadVariants(SourceText("printed", printed));
  if (!loaded)
    return "a printed variant does not load:\n" + loaded.error().message + printed;
  if (*loaded != std::vector<Variant>{variant})
    return "a printed variant loads as another:\n" + printed;
  DiagnosticList diagnostics;
  if (formatSpec(parseSpec(SourceText("printed", printed), diagnostics)) != printed)
    return "the printer and the formatter differ:\n" + printed;
  return std::nullopt;
}

std::optional<std::string> brokenFormatting(const ParsedSpec& spec) {
  const SourceText formatted("formatted", formatSpec(spec));
  DiagnosticList diagnostics;
  const ParsedSpec again = parseSpec(formatted, diagnostics);
  if (diagnostics.hasErrors())
    return "formatted text does not parse:\n" + renderDiagnostics(formatted, diagnostics) +
           formatted.text();
  if (again != spec)
    return "formatted text parses as another spec:\n" + formatted.text();
  if (formatSpec(again) != formatted.text())
    return "formatting twice differs from once:\n" + formatted.text() + "---\n" + formatSpec(again);
  return std::nullopt;
}

} // namespace

std::optional<std::string> brokenSpecProperty(const std::string& text) {
  const SourceText source("input", text);
  DiagnosticList diagnostics;
  const ParsedSpec spec = parseSpec(source, diagnostics);
  const bool parsed = !diagnostics.hasErrors();
  const std::vector<Variant> variants = checkSpec(spec, diagnostics);
  if (auto broken = brokenRendering(source, diagnostics))
    return broken;
  if (diagnostics.hasErrors() != variants.empty())
    return "a spec must give variants or errors, and not both";
  if (parsed)
    if (auto broken = brokenFormatting(spec))
      return broken;
  for (const Variant& variant : variants)
    if (auto broken = brokenPrinting(variant))
      return broken;
  return std::nullopt;
}

} // namespace mlac::test
