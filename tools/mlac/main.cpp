// mlac: one command with subcommands; see docs/cli.md.
#include "compiler/spec/Words.h"
#include "mlac/mlac.hpp"
#include "tools/mlac/Command.h"
#include "tools/mlac/Console.h"
#include "tools/mlac/ExitCode.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

using namespace mlac;

namespace {

struct Command {
  const char* name;
  const char* summary;
  Declare declare;
};

constexpr std::array<Command, 11> kCommands = {{
    {"generate",
     "Generate the kernels of a spec: source, PTX, cubin or an earlier stage",
     declareGenerate},
    {"explain",
     "Say what is generated for a spec, what it takes and what it should reach",
     declareExplain},
    {"run", "Run a spec or a bundle, and compare the results with a float64 reference", declareRun},
    {"bench", "Time a spec or a bundle on the GPU, beside the floor and peers", declareBench},
    {"init", "Write a spec from a model's config.json", declareInit},
    {"pack", "Compile specs into a bundle that needs no compiler", declarePack},
    {"inspect", "List what a bundle holds", declareInspect},
    {"fmt", "Format spec files", declareFmt},
    {"targets", "List the GPU architectures kernels are generated for", declareTargets},
    {"doctor", "Check what this machine offers, and say what to do about the rest", declareDoctor},
    {"version", "Print the version and what it was built with", declareVersion},
}};

using Declared = std::vector<std::pair<CLI::App*, Action>>;

Declared declareAll(CLI::App& app, Console& console) {
  Declared declared;
  declared.reserve(kCommands.size());
  for (const Command& command : kCommands) {
    CLI::App* const sub = app.add_subcommand(command.name, command.summary);
    declared.emplace_back(sub, command.declare(*sub, console));
  }
  return declared;
}

/// The command whose options the user was giving, for the hint.
std::string helpCommand(const CLI::App& app) {
  const auto subcommands = app.get_subcommands();
  return subcommands.empty() ? "mlac --help"
                             : fmt::format("mlac {} --help", subcommands.front()->get_name());
}

/// Says which command was probably meant, where the first word is none.
std::optional<Error> checkCommand(std::span<char*> words) {
  if (words.size() < 2 || words[1][0] == '-')
    return std::nullopt;
  const std::string_view word = words[1];
  std::vector<std::string_view> names;
  names.reserve(kCommands.size());
  for (const Command& command : kCommands)
    names.emplace_back(command.name);
  if (std::find(names.begin(), names.end(), word) != names.end())
    return std::nullopt;
  const auto meant = nearest(word, names);
  return Error{ErrorCode::InvalidInput,
               fmt::format("there is no command '{}'{}\nrun `mlac --help` for those there are",
                           word,
                           meant ? fmt::format("; did you mean {}?", *meant) : std::string())};
}

int failParsing(const CLI::App& app, Console& console, const CLI::ParseError& error) {
  const Error failure{
      ErrorCode::InvalidInput,
      fmt::format("{}\nrun `{}` for what it takes", error.what(), helpCommand(app))};
  console.fail(failure);
  return exitCodeOf(failure.code);
}

int finish(Console& console, const Status& status) {
  if (!status)
    console.fail(status.error());
  if (const Status flushed = console.flush(); !flushed && status) {
    console.fail(flushed.error());
    return exitCodeOf(flushed.error().code);
  }
  return status ? kExitDone : exitCodeOf(status.error().code);
}

int runCommand(int argc, char** argv) {
  CLI::App app("mlac: kernels for Multi-head Latent Attention, generated from a spec", "mlac");
  app.require_subcommand(1);
  app.set_version_flag("--version", version());
  Console console;
  const auto words = std::span(argv, static_cast<std::size_t>(argc));
  // Known before parsing, so that a mistake in the options is answered in kind.
  console.json = std::any_of(
      words.begin(), words.end(), [](std::string_view word) { return word == "--json"; });
  if (const auto unknown = checkCommand(words)) {
    console.fail(*unknown);
    return exitCodeOf(unknown->code);
  }
  const Declared declared = declareAll(app, console);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success))
      return app.exit(error);
    return failParsing(app, console, error);
  }
  for (const auto& [sub, action] : declared)
    if (sub->parsed())
      return finish(console, action());
  return kExitWrongInput;
}

} // namespace

int main(int argc, char** argv) {
  try {
    return runCommand(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "mlac: error: %s\n", error.what());
    return kExitEnvironment;
  }
}
