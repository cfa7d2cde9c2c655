// mlac-run: takes a bundle to a GPU machine that has nothing else, verifies it there and times it.
#include "runtime/FileIo.h"
#include "tools/mlac-run/BenchBundle.h"
#include "tools/mlac-run/Case.h"
#include "tools/mlac-run/Report.h"
#include "tools/mlac-run/RunCase.h"
#include "tools/mlac/ExitCode.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <exception>
#include <optional>

namespace mlac {
namespace {

using Json = nlohmann::json;

struct Arguments {
  std::string suite;
  std::string csv;
  std::string place = "gpu";
  int ordinal = 0;
  bool json = false;
  bool stopAtFirst = false;
  Json single = Json::object(); ///< the command line's case, in a suite's words
};

void addCaseOptions(CLI::App& app, Arguments& arguments) {
  const auto text = [&](const char* flag, const char* key, const char* help) {
    app.add_option_function<std::string>(
        flag, [&arguments, key](const std::string& value) { arguments.single[key] = value; }, help);
  };
  const auto number = [&](const char* flag, const char* key, const char* help) {
    app.add_option_function<std::int64_t>(
        flag, [&arguments, key](std::int64_t value) { arguments.single[key] = value; }, help);
  };
  const auto flag = [&](const char* name, const char* key, const char* help) {
    app.add_flag_function(
        name, [&arguments, key](std::int64_t) { arguments.single[key] = true; }, help);
  };
  text("bundle", "bundle", "Folder made by `mlac pack`");
  text("--family", "family", "Attention of a bundle that holds several");
  number("--tokens", "tokens", "Query tokens of the launch (default 4)");
  number(
      "--requests", "requests", "Requests they belong to (default: as the spec's queries allow)");
  number("--context", "context", "Keys of the longest request (default 256)");
  number("--seed", "seed", "Seed of all inputs (default 1)");
  number("--kernel", "kernel", "Index of the attention kernel (default: the plan's choice)");
  number("--splits", "splits", "Parts each row is cut into (default: the plan's choice)");
  flag("--balance", "balance", "Cut the batch by the lengths of its rows, not each row alike");
  number("--reference-tokens", "reference_tokens", "Tokens compared with the float64 reference");
  flag("--stress",
       "stress",
       "Every difficulty the attention permits: ragged, empty, invalid, padded");
  flag("--merge", "merge", "Merge partial results as well: drawn ones, and shards of the problem");
  flag("--bench", "bench", "Time it as well");
  number("--iterations", "iterations", "Timed repetitions (default 20)");
}

Result<std::vector<Case>> casesOf(const Arguments& arguments) {
  if (!arguments.suite.empty()) {
    if (!arguments.single.empty())
      return Error{ErrorCode::InvalidInput,
                   "--suite brings its own cases; give either it or a bundle with options"};
    return readSuite(arguments.suite);
  }
  MLAC_TRY(one, caseFromJson(arguments.single, "command line"));
  if (one.bundle.empty())
    return Error{ErrorCode::InvalidInput, "give a bundle, or --suite FILE; see --help"};
  return std::vector<Case>{one};
}

struct Tally {
  int passed = 0;
  int failed = 0;
  ErrorCode onlyError = ErrorCode::Ok; ///< of the last case that could not be run
};

class Runner {
public:
  Runner(const Device& device, const Arguments& arguments)
      : device(device), arguments(arguments), families(device), benchInputs(device) {}

  Tally run(const std::vector<Case>& cases) {
    for (const Case& one : cases) {
      runOne(one);
      if (arguments.stopAtFirst && tally.failed > 0)
        break;
    }
    if (arguments.json)
      fmt::print("{}\n", results.dump(2));
    else if (!arguments.suite.empty())
      fmt::print("{} passed, {} failed\n", tally.passed, tally.failed);
    return tally;
  }

  Status writeCsv() const {
    return arguments.csv.empty() ? Status(Unit{}) : replaceFile(arguments.csv, csv);
  }

private:
  void runOne(const Case& one) {
    const auto result = runCase(device, families, benchInputs, one);
    if (!result) {
      ++tally.failed;
      tally.onlyError = result.error().code;
      say(lineOf(one, result.error()));
      results.push_back({{"bundle", one.bundle},
                         {"passed", false},
                         {"error", errorCodeName(result.error().code)},
                         {"message", result.error().message}});
      return;
    }
    ++(result->passed() ? tally.passed : tally.failed);
    say(lineOf(*result));
    if (arguments.suite.empty() && !arguments.json)
      fmt::print("{}", resourcesText(result->kernels));
    results.push_back(jsonOf(device, *result));
    csv += csvOf(device, *result);
  }

  void say(const std::string& line) const {
    std::FILE* to = arguments.json ? stderr : stdout;
    fmt::print(to, "{}\n", line);
    std::fflush(to);
  }

  const Device& device;
  const Arguments& arguments;
  LoadedFamilies families;
  BenchInputs benchInputs;
  Tally tally;
  Json results = Json::array();
  std::string csv = csvHeader();
};

int complain(const Error& error) {
  fmt::print(stderr, "mlac-run: {}\n", error.message);
  return exitCodeOf(blameEnvironment(error).code);
}

int runAll(const Arguments& arguments) {
  const auto cases = casesOf(arguments);
  if (!cases)
    return complain(cases.error());
  const auto device = Device::open(arguments.ordinal);
  if (!device)
    return complain(device.error());
  fmt::print(stderr,
             "mlac-run {}: {}, {} SMs, {}\n",
             version(),
             device->name(),
             device->sms(),
             device->targetName());
  Runner runner(*device, arguments);
  const Tally tally = runner.run(*cases);
  if (const Status written = runner.writeCsv(); !written)
    return complain(written.error());
  if (tally.failed == 0)
    return kExitDone;
  // A single case that could not be run says why by its code; in a suite it is one failure of
  // several.
  const bool single = arguments.suite.empty();
  return single && tally.onlyError != ErrorCode::Ok
             ? exitCodeOf(blameEnvironment({tally.onlyError, ""}).code)
             : kExitMismatch;
}

int runCommand(int argc, char** argv) {
  Arguments arguments;
  CLI::App app("Verifies a bundle's kernels on this machine's GPU against a float64 reference, and "
               "times them.\nExit codes: 0 done, 1 wrong input, 2 the machine lacks something, 3 "
               "outputs differ.");
  addCaseOptions(app, arguments);
  CLI::App* const bench = app.add_subcommand("bench", "Time a bundle beside the floor and peers");
  const auto runBench = declareBenchBundle(*bench);
  app.add_option("--suite", arguments.suite, "JSON file with a list of cases")
      ->check(CLI::ExistingFile);
  app.add_option("--on", arguments.place, "Where to run")->check(CLI::IsMember({"gpu"}));
  app.add_option("--device", arguments.ordinal, "Which GPU (default 0)");
  app.add_option("--csv", arguments.csv, "Write a table of the cases to this file");
  app.add_flag("--json", arguments.json, "Print results as JSON; lines go to stderr");
  app.add_flag("--stop", arguments.stopAtFirst, "Stop at the first failure");
  app.set_version_flag("--version", version());
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kExitDone : kExitWrongInput;
  }
  if (bench->parsed()) {
    const Status status = runBench();
    return status ? kExitDone : complain(status.error());
  }
  return runAll(arguments);
}

} // namespace
} // namespace mlac

int main(int argc, char** argv) {
  try {
    return mlac::runCommand(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "mlac-run: %s\n", error.what());
    return mlac::kExitEnvironment;
  }
}
