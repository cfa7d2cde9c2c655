#include "tools/mlac/CommonOptions.h"

#include "mlac/mlac.hpp"
#include "tools/mlac/Console.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace mlac {
namespace {

Result<std::vector<Variant>> loadFile(const std::string& file,
                                      std::vector<TakenDefault>* defaults) {
  MLAC_TRY(source, readSpecFile(file));
  return loadVariants(source, defaults);
}

} // namespace

void addJsonOption(CLI::App& app, Console& console) {
  app.add_flag("--json", console.json, "Print one JSON object instead of text");
}

void addArchOption(CLI::App& app, std::string& arch) {
  app.add_option("-a,--arch", arch, "Target, such as sm_120; without it the GPU present")
      ->type_name("ARCH");
}

void addSpecOptions(CLI::App& app, SpecOptions& options) {
  app.add_option("SPEC", options.reference, "Spec file, or FILE:NAME; - reads standard input")
      ->required();
  addArchOption(app, options.arch);
  app.add_option("--set",
                 options.overrides,
                 "Override the schedule: KEY=VALUE, or CLASS.KEY=VALUE for one kernel; repeatable")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
}

Result<SourceText> readSpecFile(const std::string& file) {
  if (file != "-")
    return readSource(file, kSpecFileLimitBytes);
  MLAC_TRY(source, readSource("/dev/stdin", kSpecFileLimitBytes));
  return SourceText("<stdin>", source.text());
}

Result<std::vector<Variant>> loadAttentions(std::string_view reference,
                                            std::vector<TakenDefault>* defaults) {
  const SpecReference parts = splitSpecReference(reference);
  MLAC_TRY(variants, loadFile(parts.file, defaults));
  if (!parts.name)
    return variants;
  MLAC_TRY(variant, selectVariant(variants, parts.name, parts.file));
  return std::vector<Variant>{variant};
}

Result<Variant> loadAttention(std::string_view reference, std::vector<TakenDefault>* defaults) {
  const SpecReference parts = splitSpecReference(reference);
  MLAC_TRY(variants, loadFile(parts.file, defaults));
  return selectVariant(variants, parts.name, parts.file);
}

Result<const Target*> chooseTarget(Console& console, const std::string& arch) {
  if (!arch.empty())
    return findTarget(arch);
  const auto device = Device::open(0);
  if (device) {
    console.note(
        fmt::format("generating for {}, the {} present", device->targetName(), device->name()));
    return findTarget(device->targetName());
  }
  console.note(fmt::format("generating for {}: there is no GPU to take the target from; -a chooses "
                           "another",
                           kFallbackTarget));
  return findTarget(kFallbackTarget);
}

Result<CompileRequest> compileRequestOf(Console& console,
                                        const SpecOptions& options,
                                        std::vector<TakenDefault>* defaults) {
  CompileRequest request;
  MLAC_TRY(variant, loadAttention(options.reference, defaults));
  request.variant = variant;
  for (const std::string& text : options.overrides) {
    MLAC_TRY(set, parseOverride(text));
    request.overrides.push_back(set);
  }
  MLAC_TRY(target, chooseTarget(console, options.arch));
  request.target = target;
  return request;
}

} // namespace mlac
