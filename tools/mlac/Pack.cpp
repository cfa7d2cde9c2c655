// mlac pack: specs to a bundle that a machine without a compiler can launch from.
#include "runtime/bundle/Bundle.h"
#include "tools/mlac/Command.h"
#include "tools/mlac/CommonOptions.h"
#include "tools/mlac/Console.h"
#include "tools/mlac/Cubins.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace mlac {
namespace {

struct PackOptions {
  std::vector<std::string> specs;
  std::vector<std::string> archs;
  std::vector<std::string> overrides;
  std::string output;
};

Result<std::vector<Variant>> loadAll(const std::vector<std::string>& references) {
  std::vector<Variant> all;
  for (const std::string& reference : references) {
    MLAC_TRY(variants, loadAttentions(reference));
    all.insert(all.end(), variants.begin(), variants.end());
  }
  return all;
}

Result<std::vector<const Target*>> targetsOf(Console& console, const PackOptions& options) {
  std::vector<const Target*> targets;
  if (options.archs.empty()) {
    MLAC_TRY(target, chooseTarget(console, ""));
    targets.push_back(target);
  }
  for (const std::string& arch : options.archs) {
    MLAC_TRY(target, findTarget(arch));
    targets.push_back(target);
  }
  return targets;
}

/// A family with its cubins, or with its sources alone where NVRTC cannot make them.
Result<BundledFamily> bundle(Console& console, const CompileRequest& request) {
  MLAC_TRY(compiled, compileFamily(request));
  BundledFamily bundled{std::move(compiled.family), {}};
  auto cubins = compileKernels(bundled.family);
  if (!cubins && cubins.error().code == ErrorCode::MissingDependency) {
    console.warn(fmt::format("{} for {} is packed as source only, and needs NVRTC where it is "
                             "loaded: {}",
                             request.variant.name,
                             request.target->name,
                             cubins.error().message));
    return bundled;
  }
  if (!cubins)
    return cubins.error();
  for (std::size_t i = 0; i < cubins->size(); ++i)
    bundled.cubins[bundled.family.kernels[i].entry] = std::move((*cubins)[i]);
  return bundled;
}

Json toJson(const PackOptions& options, const std::vector<BundledFamily>& families) {
  Json list = Json::array();
  for (const BundledFamily& bundled : families)
    list.push_back({{"name", bundled.family.variant.name},
                    {"target", bundled.family.target},
                    {"kernels", bundled.family.kernels.size()},
                    {"cubins", bundled.cubins.size()}});
  return {{"bundle", options.output}, {"families", list}};
}

Status pack(Console& console, const PackOptions& options) {
  CompileRequest request;
  for (const std::string& text : options.overrides) {
    MLAC_TRY(set, parseOverride(text));
    request.overrides.push_back(set);
  }
  MLAC_TRY(variants, loadAll(options.specs));
  MLAC_TRY(targets, targetsOf(console, options));
  std::vector<BundledFamily> families;
  for (const Variant& variant : variants)
    for (const Target* target : targets) {
      request.variant = variant;
      request.target = target;
      MLAC_TRY(bundled, bundle(console, request));
      families.push_back(std::move(bundled));
    }
  MLAC_CHECK(writeBundle(options.output, families));
  console.note(fmt::format("wrote {} ({} families)", options.output, families.size()));
  if (console.json)
    console.printJson(toJson(options, families));
  return Unit{};
}

} // namespace

Action declarePack(CLI::App& app, Console& console) {
  const auto options = std::make_shared<PackOptions>();
  app.add_option("SPEC", options->specs, "Spec files, or FILE:NAME for one attention of a file")
      ->required();
  app.add_option("-a,--arch",
                 options->archs,
                 "Target, such as sm_120; repeatable; without it the GPU present")
      ->type_name("ARCH")
      ->allow_extra_args(false);
  app.add_option("--set", options->overrides, "Override the schedule, as in generate; repeatable")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  app.add_option("-o,--output", options->output, "Folder to write; a former bundle is replaced")
      ->type_name("BUNDLE")
      ->required();
  addJsonOption(app, console);
  return [options, &console] { return pack(console, *options); };
}

} // namespace mlac
