// mlac run: a spec or a bundle on the GPU, the CPU or the SIMT executor, compared with the float64
// reference.
#include "tools/mlac/Command.h"
#include "tools/mlac/Console.h"
#include "tools/mlac/RunParams.h"
#include "tools/mlac/RunPlaces.h"
#include "tools/mlac/RunProblem.h"
#include "tools/mlac/RunSubject.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>
#include <optional>

namespace mlac {
namespace {

struct RunOptions {
  SpecOptions spec;
  std::string place; ///< empty: the GPU where there is one
  RunSizes sizes;
  std::uint64_t seed = 1;
  bool plain = false;
  std::optional<int> interleavings; ///< random orders after the fixed one, under SIMT
  std::vector<std::string> params;
  std::vector<verify::GivenParam> given; ///< those of `params` that a launch passes
};

Status checkOptions(const RunOptions& options) {
  if (options.interleavings && options.place != "simt")
    return Error{ErrorCode::InvalidInput,
                 fmt::format("--interleavings {}: only the SIMT executor can choose the order of a "
                             "kernel's threads; add --on simt",
                             *options.interleavings)};
  return Unit{};
}

/// The device to run on; none for the CPU.
Result<std::optional<Device>> choosePlace(Console& console, const RunOptions& options) {
  if (options.place == "cpu")
    return std::optional<Device>();
  auto device = Device::open(0);
  if (device)
    return std::optional<Device>(*device);
  if (options.place == "gpu")
    return device.error();
  console.note("running on the CPU: " + device.error().message);
  return std::optional<Device>();
}

Json tensorJson(const verify::TensorReport& tensor) {
  return {{"name", tensor.name},
          {"passed", tensor.passed()},
          {"elements", tensor.elements},
          {"failed", tensor.failed},
          {"anomalies", tensor.anomalies},
          {"unwritten", tensor.unwritten},
          {"worstAbsolute", tensor.worstAbsolute},
          {"worstRelative", tensor.worstRelative},
          {"cosineDiff", tensor.cosineDiff}};
}

Json toJson(const verify::Problem& problem, const RunOptions& options, const RunResult& result) {
  const RunCheck check = result.check.value_or(RunCheck{});
  Json json = {{"attention", problem.variant.name}};
  json.update(result.details);
  json.update(Json{{"tokens", problem.tokens},
                   {"requests", problem.requests},
                   {"context", problem.options.context},
                   {"seed", problem.options.seed},
                   {"inputs", options.plain ? "plain" : "stress"},
                   {"tokensChecked", check.tokensChecked},
                   {"tensors", Json::array()},
                   {"guardBytesDamaged", check.report.guards.bytes},
                   {"passed", result.passed()}});
  for (const verify::TensorReport& tensor : check.report.tensors)
    json["tensors"].push_back(tensorJson(tensor));
  if (result.convert)
    json["convert"] = {{"entries", result.convert->entries}, {"wrong", result.convert->wrong}};
  if (result.merge)
    json["merge"] = {{"merges", result.merge->merges}, {"passed", result.merge->passed()}};
  return json;
}

std::string mergeText(const MergeCheck& check) {
  if (check.passed())
    return fmt::format("merge: {} merges, all right\n", check.merges);
  return fmt::format("merge: wrong; {}\n", check.firstWrong);
}

std::string convertText(const ConvertCheck& check) {
  if (check.passed())
    return fmt::format("convert: {} slots and counts, all right\n", check.entries);
  return fmt::format("convert: {} of {} slots and counts wrong; first {}\n",
                     check.wrong,
                     check.entries,
                     check.firstWrong);
}

std::string checkText(const verify::Problem& problem, const RunCheck& check) {
  std::string text;
  if (check.tokensChecked < problem.tokens)
    text += fmt::format("compared for {} of the tokens\n", check.tokensChecked);
  text += verify::describe(check.report);
  if (!text.ends_with('\n'))
    text += '\n';
  return text;
}

std::string
toText(const verify::Problem& problem, const RunOptions& options, const RunResult& result) {
  std::string text = fmt::format("{} on {}: {}, {} inputs\n",
                                 problem.variant.name,
                                 result.where,
                                 describeProblem(problem),
                                 options.plain ? "plain" : "stress");
  text += result.words;
  if (result.check)
    text += checkText(problem, *result.check);
  if (result.convert)
    text += convertText(*result.convert);
  if (result.merge)
    text += mergeText(*result.merge);
  return text + (result.passed() ? "passed\n" : "FAILED\n");
}

Result<verify::Problem> draw(const RunSubject& subject, RunPlace place, const RunOptions& options) {
  return drawRunProblem(
      subject.variant, place, options.sizes, options.seed, options.plain, options.given);
}

/// Prints what came of a run, and makes a failure of one that did not pass.
Status conclude(Console& console,
                const verify::Problem& problem,
                const RunOptions& options,
                const RunResult& result) {
  if (console.json)
    console.printJson(toJson(problem, options, result));
  else
    console.print(toText(problem, options, result));
  if (result.passed())
    return Unit{};
  if (!result.finding.empty())
    return Error{ErrorCode::VerificationFailed, result.finding};
  return Error{ErrorCode::VerificationFailed,
               fmt::format("{} on {} differs from the reference{}",
                           problem.variant.name,
                           result.where,
                           result.when.empty() ? "" : " " + result.when)};
}

Status runSimt(Console& console, const RunSubject& subject, const RunOptions& options) {
  MLAC_TRY(family, generatedKernels(subject));
  MLAC_TRY(problem, draw(subject, RunPlace::Simt, options));
  MLAC_TRY(result, runFamilyOnSimt(family, problem, options.interleavings.value_or(0)));
  return conclude(console, problem, options, result);
}

Status runDevice(Console& console, const RunSubject& subject, const RunOptions& options) {
  MLAC_TRY(device, choosePlace(console, options));
  MLAC_TRY(problem, draw(subject, device ? RunPlace::Gpu : RunPlace::Cpu, options));
  MLAC_TRY(result,
           device ? runSubjectOnGpu(subject, *device, problem) : runSubjectOnCpu(subject, problem));
  return conclude(console, problem, options, result);
}

Status run(Console& console, RunOptions options) {
  MLAC_CHECK(checkOptions(options));
  MLAC_TRY(subject, loadSubject(options.spec));
  MLAC_TRY(given, applyParams(subject, options.params));
  options.given = given;
  return options.place == "simt" ? runSimt(console, subject, options)
                                 : runDevice(console, subject, options);
}

void addSizeOptions(CLI::App& app, RunOptions& options) {
  constexpr int kMostContext = 1 << 24;
  constexpr int kMostCount = 1 << 20;
  app.add_option("--batch", options.sizes.batch, "Requests")->check(CLI::Range(1, kMostCount));
  app.add_option("--queries", options.sizes.queries, "Query tokens a request, on average")
      ->check(CLI::Range(1, kMostCount));
  app.add_option("--context", options.sizes.context, "Keys of the longest request")
      ->check(CLI::Range(1, kMostContext));
  app.add_option("--seed", options.seed, "Seed of all inputs")->capture_default_str();
  app.add_flag("--plain",
               options.plain,
               "Inputs as engines mostly send them, instead of every difficulty the spec permits");
}

} // namespace

Action declareRun(CLI::App& app, Console& console) {
  const auto options = std::make_shared<RunOptions>();
  addSpecOptions(app, options->spec);
  app.get_option("SPEC")->description("Spec file or bundle folder, or either followed by :NAME");
  app.add_option("--on", options->place, "gpu, cpu or simt; without it the GPU where there is one")
      ->check(CLI::IsMember({"gpu", "cpu", "simt"}))
      ->type_name("PLACE");
  addSizeOptions(app, *options);
  constexpr int kMostInterleavings = 1 << 20;
  app.add_option("--interleavings",
                 options->interleavings,
                 "With --on simt: random orders of the threads, after the fixed one")
      ->check(CLI::Range(0, kMostInterleavings))
      ->type_name("N");
  app.add_option("--param",
                 options->params,
                 "A value for a parameter of the spec, in place of its default or of drawn ones")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  addJsonOption(app, console);
  return [options, &console] { return run(console, *options); };
}

} // namespace mlac
