// mlac version: what this build is.
#include "compiler/Compiler.h"
#include "mlac/mlac.hpp"
#include "templates/Flatten.h"
#include "tools/mlac/Command.h"
#include "tools/mlac/CommonOptions.h"
#include "tools/mlac/Console.h"

#include "llvm/Config/llvm-config.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace mlac {
namespace {

Status printVersion(Console& console) {
  if (console.json) {
    console.printJson({{"version", version()},
                       {"llvm", LLVM_VERSION_STRING},
                       {"templates", templateDigest()},
                       {"compilerBuild", compilerBuild()}});
    return Unit{};
  }
  console.print(fmt::format(
      "mlac {}\nLLVM {}\ntemplates {}\n", version(), LLVM_VERSION_STRING, templateDigest()));
  return Unit{};
}

} // namespace

Action declareVersion(CLI::App& app, Console& console) {
  addJsonOption(app, console);
  return [&console] { return printVersion(console); };
}

} // namespace mlac
