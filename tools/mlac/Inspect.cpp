// mlac inspect: what a bundle holds.
#include "runtime/CheckFamily.h"
#include "runtime/bundle/Bundle.h"
#include "tools/mlac/Command.h"
#include "tools/mlac/CommonOptions.h"
#include "tools/mlac/Console.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace mlac {
namespace {

Json kernelJson(const BundledFamily& bundled, const Kernel& kernel) {
  Json json = {{"entry", kernel.entry},
               {"role", roleName(kernel.role)},
               {"threads", kernel.threads},
               {"dynamicSmemBytes", kernel.dynamicSmemBytes},
               {"sourceBytes", kernel.source.size()}};
  const auto cubin = bundled.cubins.find(kernel.entry);
  if (cubin == bundled.cubins.end()) {
    json["cubinBytes"] = 0;
    return json;
  }
  json["cubinBytes"] = cubin->second.cubin.size();
  json["registers"] = cubin->second.resources.registers;
  return json;
}

Json toJson(const std::string& path, const std::vector<BundledFamily>& families) {
  Json list = Json::array();
  for (const BundledFamily& bundled : families) {
    Json kernels = Json::array();
    for (const Kernel& kernel : bundled.family.kernels)
      kernels.push_back(kernelJson(bundled, kernel));
    list.push_back({{"name", bundled.family.variant.name},
                    {"target", bundled.family.target},
                    {"spec", bundled.family.specText},
                    {"compilerBuild", bundled.family.compilerBuild},
                    {"kernels", kernels}});
  }
  return {{"bundle", path}, {"families", list}};
}

std::string kernelText(const BundledFamily& bundled, const Kernel& kernel) {
  const auto cubin = bundled.cubins.find(kernel.entry);
  const std::string code = cubin == bundled.cubins.end()
                               ? std::string("source only")
                               : fmt::format("cubin of {} B, {} registers",
                                             cubin->second.cubin.size(),
                                             cubin->second.resources.registers);
  return fmt::format("  {} ({}): {} threads, {} B shared memory, {}\n",
                     kernel.entry,
                     roleName(kernel.role),
                     kernel.threads,
                     kernel.dynamicSmemBytes,
                     code);
}

std::string familyText(const BundledFamily& bundled) {
  std::string text = fmt::format("{} for {}, made by {}\n",
                                 bundled.family.variant.name,
                                 bundled.family.target,
                                 bundled.family.compilerBuild);
  for (const Kernel& kernel : bundled.family.kernels)
    text += kernelText(bundled, kernel);
  return text;
}

Status inspect(Console& console, const std::string& path) {
  MLAC_TRY(families, readBundle(path));
  if (console.json) {
    console.printJson(toJson(path, families));
    return Unit{};
  }
  for (const BundledFamily& bundled : families)
    console.print(familyText(bundled));
  return Unit{};
}

} // namespace

Action declareInspect(CLI::App& app, Console& console) {
  const auto path = std::make_shared<std::string>();
  app.add_option("BUNDLE", *path, "Folder of the bundle")->required();
  addJsonOption(app, console);
  return [path, &console] { return inspect(console, *path); };
}

} // namespace mlac
