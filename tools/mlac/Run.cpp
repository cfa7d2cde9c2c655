// mlac run: a spec or a bundle on the GPU or the CPU, compared with the float64 reference.
#include "compiler/cpu/CpuKernel.h"
#include "tools/cpu/CpuRun.h"
#include "tools/gpu/DeviceProblem.h"
#include "tools/gpu/RunOnGpu.h"
#include "tools/mlac/Command.h"
#include "tools/mlac/Console.h"
#include "tools/mlac/RunProblem.h"
#include "tools/mlac/RunSubject.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace mlac {
namespace {

struct RunOptions {
  SpecOptions spec;
  std::string place; ///< empty: the GPU where there is one
  RunSizes sizes;
  std::uint64_t seed = 1;
  bool plain = false;
  std::vector<std::string> params;
};

/// What ran and what came of it.
struct RunResult {
  RunCheck check;
  std::optional<ConvertCheck> convert;
  std::string where; ///< "the CPU" or the GPU's name
  Json details;      ///< of the launch, for --json
  std::string words; ///< of the launch, for people

  bool passed() const { return check.report.passed() && (!convert || convert->passed()); }
};

Status checkOptions(const RunOptions& options) {
  if (!options.params.empty())
    return Error{ErrorCode::InvalidInput,
                 fmt::format("--param {}: the language of this version has no parameters",
                             options.params.front())};
  if (options.place == "simt")
    return Error{ErrorCode::MissingDependency,
                 "--on simt: this version cannot execute generated CUDA on the CPU; --on cpu runs "
                 "the spec's meaning instead"};
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

Result<RunResult> runCpu(const RunSubject& subject, const verify::Problem& problem) {
  MLAC_TRY(kernel, compileForCpu(subject.variant));
  MLAC_TRY(outputs, runOnCpu(kernel, problem, 0));
  RunResult result;
  result.check = checkRun(problem, outputs);
  result.where = "the CPU";
  result.details = {{"on", "cpu"}};
  return result;
}

Result<RunResult>
runGpu(const RunSubject& subject, const Device& device, const verify::Problem& problem) {
  MLAC_TRY(family, loadOn(subject, device));
  MLAC_TRY(run, runOnGpu(device, family, problem));
  const KernelReport kernel = family.kernels()[static_cast<std::size_t>(run.plan.kernel)];
  RunResult result;
  result.check = checkRun(problem, run.outputs);
  if (family.variant().hasConvert) {
    MLAC_TRY(uploaded, DeviceProblem::upload(device, problem));
    MLAC_TRY(convert, checkConvertOnGpu(device, family, uploaded));
    result.convert = convert;
  }
  result.where = device.name();
  result.details = {{"on", "gpu"},
                    {"device", device.name()},
                    {"target", kernel.target},
                    {"kernel", kernel.entry},
                    {"origin", kernel.origin},
                    {"splits", run.plan.splits},
                    {"gridCtas", run.plan.gridCtas},
                    {"workspaceBytes", run.plan.workspaceBytes}};
  result.words = fmt::format("kernel {} for {} ({}), {} CTAs, {} splits\n",
                             kernel.entry,
                             kernel.target,
                             kernel.origin,
                             run.plan.gridCtas,
                             run.plan.splits);
  return result;
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
  Json json = {{"attention", problem.variant.name}};
  json.update(result.details);
  json.update(Json{{"tokens", problem.tokens},
                   {"requests", problem.requests},
                   {"context", problem.options.context},
                   {"seed", problem.options.seed},
                   {"inputs", options.plain ? "plain" : "stress"},
                   {"tokensChecked", result.check.tokensChecked},
                   {"tensors", Json::array()},
                   {"guardBytesDamaged", result.check.report.guards.bytes},
                   {"passed", result.passed()}});
  for (const verify::TensorReport& tensor : result.check.report.tensors)
    json["tensors"].push_back(tensorJson(tensor));
  if (result.convert)
    json["convert"] = {{"entries", result.convert->entries}, {"wrong", result.convert->wrong}};
  return json;
}

std::string convertText(const ConvertCheck& check) {
  if (check.passed())
    return fmt::format("convert: {} slots and counts, all right\n", check.entries);
  return fmt::format("convert: {} of {} slots and counts wrong; first {}\n",
                     check.wrong,
                     check.entries,
                     check.firstWrong);
}

std::string
toText(const verify::Problem& problem, const RunOptions& options, const RunResult& result) {
  std::string text = fmt::format("{} on {}: {}, {} inputs\n",
                                 problem.variant.name,
                                 result.where,
                                 describeProblem(problem),
                                 options.plain ? "plain" : "stress");
  text += result.words;
  if (result.check.tokensChecked < problem.tokens)
    text += fmt::format("compared for {} of the tokens\n", result.check.tokensChecked);
  text += verify::describe(result.check.report);
  if (!text.ends_with('\n'))
    text += '\n';
  if (result.convert)
    text += convertText(*result.convert);
  return text + (result.passed() ? "passed\n" : "FAILED\n");
}

Status run(Console& console, const RunOptions& options) {
  MLAC_CHECK(checkOptions(options));
  MLAC_TRY(subject, loadSubject(options.spec));
  MLAC_TRY(device, choosePlace(console, options));
  const RunPlace place = device ? RunPlace::Gpu : RunPlace::Cpu;
  MLAC_TRY(problem,
           drawRunProblem(subject.variant, place, options.sizes, options.seed, options.plain));
  auto result = device ? runGpu(subject, *device, problem) : runCpu(subject, problem);
  if (!result)
    return result.error();
  if (console.json)
    console.printJson(toJson(problem, options, *result));
  else
    console.print(toText(problem, options, *result));
  if (result->passed())
    return Unit{};
  return Error{
      ErrorCode::VerificationFailed,
      fmt::format("{} on {} differs from the reference", problem.variant.name, result->where)};
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
  app.add_option("--param", options->params, "A parameter of the spec")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  addJsonOption(app, console);
  return [options, &console] { return run(console, *options); };
}

} // namespace mlac
