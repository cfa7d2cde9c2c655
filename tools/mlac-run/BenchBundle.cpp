#include "tools/mlac-run/BenchBundle.h"

#include "mlac/mlac.hpp"
#include "tools/bench/BenchCommand.h"
#include "tools/bench/BenchRequest.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>

namespace mlac {
namespace {

constexpr int kIndent = 2;

struct BenchBundleOptions {
  std::string bundle;
  BenchRequest request;
  bool json = false;
};

Status bench(BenchBundleOptions& options) {
  MLAC_CHECK(settleRequest(options.request));
  const BundleReference reference = splitBundleReference(options.bundle);
  MLAC_TRY(bundle, Bundle::open(reference.folder));
  MLAC_TRY(device, Device::open(0));
  MLAC_TRY(family, bundle.family(reference.name, device));
  return benchCommand(
      {device, family, reference.folder},
      options.request,
      {options.json,
       [](std::string_view text) { fmt::print("{}", text); },
       [](const nlohmann::ordered_json& object) { fmt::print("{}\n", object.dump(kIndent)); },
       [](std::string_view message) { fmt::print(stderr, "mlac-run: {}\n", message); },
       [](std::string_view message) { fmt::print(stderr, "mlac-run: warning: {}\n", message); }});
}

} // namespace

std::function<Status()> declareBenchBundle(CLI::App& app) {
  const auto options = std::make_shared<BenchBundleOptions>();
  app.add_option("BUNDLE", options->bundle, "Folder made by `mlac pack`, or FOLDER:NAME")
      ->required();
  addBenchOptions(app, options->request);
  CLI::Option* const json =
      app.add_flag("--json", options->json, "Print one JSON object instead of text");
  app.get_option("--csv")->excludes(json);
  return [options] { return bench(*options); };
}

} // namespace mlac
