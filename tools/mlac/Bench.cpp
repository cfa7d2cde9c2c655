// mlac bench: a spec or a bundle timed on the GPU, beside the floor and, with --compare, peers.
#include "mlac/mlac.hpp"
#include "tools/bench/BenchCommand.h"
#include "tools/bench/BenchRequest.h"
#include "tools/mlac/Command.h"
#include "tools/mlac/Console.h"
#include "tools/mlac/RunSubject.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <memory>

namespace mlac {
namespace {

struct BenchCommandOptions {
  SpecOptions spec;
  BenchRequest request;
};

Status bench(Console& console, BenchCommandOptions& options) {
  MLAC_CHECK(settleRequest(options.request));
  MLAC_TRY(subject, loadSubject(options.spec));
  MLAC_TRY(device, Device::open(0));
  MLAC_TRY(family, loadOn(subject, device));
  const std::string bundle =
      subject.bundle ? splitBundleReference(options.spec.reference).folder : std::string();
  return benchCommand({device, family, bundle},
                      options.request,
                      {console.json,
                       [&](std::string_view text) { console.print(text); },
                       [&](const Json& object) { console.printJson(object); },
                       [&](std::string_view message) { console.note(message); },
                       [&](std::string_view message) { console.warn(message); }});
}

} // namespace

Action declareBench(CLI::App& app, Console& console) {
  const auto options = std::make_shared<BenchCommandOptions>();
  addSpecOptions(app, options->spec);
  app.get_option("SPEC")->description("Spec file or bundle folder, or either followed by :NAME");
  addBenchOptions(app, options->request);
  addJsonOption(app, console);
  app.get_option("--csv")->excludes("--json");
  return [options, &console] { return bench(console, *options); };
}

} // namespace mlac
