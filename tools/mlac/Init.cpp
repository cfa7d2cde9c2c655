// mlac init: a spec from a model's own dimensions.
#include "tools/init/ModelConfig.h"
#include "tools/init/ModelSpec.h"
#include "tools/mlac/Command.h"
#include "tools/mlac/CommonOptions.h"
#include "tools/mlac/Console.h"
#include "tools/mlac/OutputFile.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace mlac {
namespace {

struct InitOptions {
  std::string model;
  int devices = 1;
  std::string output;
};

Status init(Console& console, const InitOptions& options) {
  MLAC_TRY(config, readModelConfig(options.model));
  MLAC_TRY(spec, specForModel(config, options.devices));
  const bool toFile = !options.output.empty() && options.output != "-";
  if (toFile) {
    MLAC_CHECK(writeOutputs({{options.output, spec}}));
    console.note(fmt::format("wrote {}", options.output));
  }
  if (console.json)
    console.printJson({{"model", config.modelType},
                       {"devices", options.devices},
                       {"file", toFile ? Json(options.output) : Json()},
                       {"spec", spec}});
  else if (!toFile)
    console.print(spec);
  return Unit{};
}

} // namespace

Action declareInit(CLI::App& app, Console& console) {
  const auto options = std::make_shared<InitOptions>();
  app.add_option(
         "--model", options->model, "config.json or GGUF file of a model with latent attention")
      ->type_name("FILE")
      ->required();
  constexpr int kMostDevices = 1024;
  app.add_option("--tp", options->devices, "Devices that share the heads")
      ->type_name("N")
      ->check(CLI::Range(1, kMostDevices))
      ->capture_default_str();
  app.add_option("-o,--output", options->output, "Spec file to write; without it standard output")
      ->type_name("FILE");
  addJsonOption(app, console);
  return [options, &console] { return init(console, *options); };
}

} // namespace mlac
