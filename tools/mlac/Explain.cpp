// mlac explain: what is generated for a spec, what it takes and what it should reach.
#include "compiler/spec/PrintVariant.h"
#include "runtime/CheckFamily.h"
#include "tools/mlac/Command.h"
#include "tools/mlac/CommonOptions.h"
#include "tools/mlac/Console.h"
#include "tools/mlac/CounterText.h"
#include "tools/mlac/Explanation.h"
#include "tools/mlac/RecordPicture.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <optional>

namespace mlac {
namespace {

constexpr int kRegistersPerThreadLimit = 255;
constexpr int kThreadsPerCtaLimit = 1024;
constexpr std::int64_t kDefaultContext = 8192;
// A token takes the executor about a second.
constexpr std::int64_t kMeasuredContext = 512;
constexpr std::int64_t kMostContext = std::int64_t{1} << 30;

struct CommandOptions {
  SpecOptions spec;
  std::optional<std::int64_t> context;
  bool measure = false;
  bool sass = false;
  std::vector<std::string> gpus;
};

/// Measuring over less than an index row would gather rows of zeros.
Result<ExplainOptions> settle(const CommandOptions& options, const Variant& variant) {
  const std::int64_t usual =
      options.measure ? std::max<std::int64_t>(kMeasuredContext, variant.topk) : kDefaultContext;
  MLAC_TRY(gpus, findGpus(options.gpus));
  return ExplainOptions{.context = options.context.value_or(usual),
                        .measure = options.measure,
                        .sass = options.sass,
                        .gpus = std::move(gpus)};
}

Json resourcesJson(const ExplainedKernel& explained) {
  const bool known = explained.resources.has_value();
  const Resources resources = explained.resources.value_or(Resources{});
  const auto ifKnown = [&](int value) { return known ? Json(value) : Json(); };
  return {{"registers", ifKnown(resources.registers)},
          {"spillBytes", ifKnown(resources.spillStoreBytes + resources.spillLoadBytes)},
          {"stackBytes", ifKnown(resources.stackBytes)},
          {"smemBytes", explained.kernel.dynamicSmemBytes + resources.staticSmemBytes},
          {"staticSmemBytes", ifKnown(resources.staticSmemBytes)},
          {"dynamicSmemBytes", explained.kernel.dynamicSmemBytes}};
}

Json mixJson(const sass::InstructionMix& mix) {
  Json json = {{"total", mix.total()}};
  for (const sass::Kind kind : sass::allKinds())
    json[std::string(sass::kindName(kind))] = mix.of(kind);
  return json;
}

/// Null where nothing was disassembled.
Json sassJson(const std::optional<sass::KernelMix>& mix) {
  if (!mix)
    return {};
  Json json = mixJson(mix->whole);
  json["keyLoop"] = mix->keyLoop ? mixJson(*mix->keyLoop) : Json();
  return json;
}

void addMeasured(Json& json, const Measurement& measurement) {
  json["measuredTokens"] = measurement.tokens;
  json["measured"] = countersJson(measurement.counters);
  json["expected"] = Json::object();
  for (const ExpectedCount& expected : measurement.expected)
    json["expected"][std::string(expected.counter)] = expected.value;
  json["asExpected"] = measurement.agrees();
}

Json kernelJson(const ExplainedKernel& explained, const Target& target) {
  const Kernel& kernel = explained.kernel;
  const std::optional<int> resident = residentCtas(explained, target);
  Json json = {{"entry", kernel.entry},
               {"role", roleName(kernel.role)},
               {"threads", kernel.threads},
               {"ctasPerToken", kernel.ctasPerToken},
               {"queryGroup", kernel.queryGroup},
               {"resources", resourcesJson(explained)},
               {"residentCtas", resident ? Json(*resident) : Json()},
               {"sass", sassJson(explained.sass)}};
  if (!explained.schedule)
    return json;
  json["class"] = explained.schedule->shapeClass;
  json["schedule"] = kernel.schedule;
  json["keysPerTile"] = kernel.keysPerTile;
  json["estimatedRegisters"] = explained.estimatedRegisters;
  json["allowedRegisters"] = explained.allowedRegisters;
  json["smem"] = Json::array();
  for (const SmemSection& section : explained.smem)
    json["smem"].push_back(
        {{"name", section.name}, {"offsetBytes", section.offsetBytes}, {"bytes", section.bytes}});
  if (explained.measured)
    addMeasured(json, *explained.measured);
  return json;
}

Json limitsJson(const Target& target) {
  return {{"smemPerCtaBytes", target.smemPerCtaBytes},
          {"smemPerSmBytes", target.smemPerSmBytes},
          {"registersPerThread", kRegistersPerThreadLimit},
          {"registersPerSm", target.registersPerSm},
          {"threadsPerCta", kThreadsPerCtaLimit},
          {"threadsPerSm", target.threadsPerSm}};
}

Json tokenJson(const TokenCost& cost) {
  return {{"keys", cost.keys},
          {"cacheBytes", cost.cacheBytes},
          {"queryBytes", cost.queryBytes},
          {"indexBytes", cost.indexBytes},
          {"outputBytes", cost.outputBytes},
          {"flops", cost.flops},
          {"paddedFlops", cost.paddedFlops}};
}

Json roofPointJson(const RoofPoint& point) {
  return {{"batch", point.batch},
          {"memoryNs", point.memoryNs},
          {"tensorNs", point.tensorNs},
          {"roofNs", point.roofNs()},
          {"predictedNs", point.predictedNs},
          {"overRoof", point.overRoof()},
          {"kernel", point.kernel},
          {"splits", point.splits},
          {"gridCtas", point.gridCtas}};
}

Json roofJson(const GpuRoof& roof) {
  const Gpu& gpu = *roof.gpu;
  Json json = {{"gpu", gpu.name},
               {"target", gpu.target},
               {"sms", gpu.sms},
               {"boostClockGhz", gpu.boostClockGhz},
               {"peakBytesPerNs", gpu.peakBytesPerNs},
               {"attainedBytesPerNs", gpu.attainedBytesPerNs},
               {"l2Bytes", gpu.l2Bytes},
               {"tensorTflops", gpu.tensorTflops},
               {"wasMeasured", gpu.wasMeasured},
               {"trust", trustIn(gpu)},
               {"points", Json::array()}};
  for (const RoofPoint& point : roof.points)
    json["points"].push_back(roofPointJson(point));
  return json;
}

Json predictedJson(const Explanation& e) {
  Json gpus = Json::array();
  for (const GpuRoof& roof : e.roofs)
    gpus.push_back(roofJson(roof));
  Json points = Json::array();
  for (const PredictedPoint& point : e.points)
    points.push_back({{"tokens", point.tokens},
                      {"ns", point.ns},
                      {"bound", boundName(point.bound)},
                      {"kernel", point.kernel},
                      {"splits", point.splits},
                      {"gridCtas", point.gridCtas},
                      {"workspaceBytes", point.workspaceBytes}});
  return {{"gpu", e.target->gpu},
          {"sms", e.target->nominalSms},
          {"context", e.context},
          {"token", tokenJson(e.cost)},
          {"points", points},
          {"gpus", gpus}};
}

Json toJson(const Explanation& e) {
  Json json = {{"attention", e.variant.name},
               {"target", e.target->name},
               {"spec", printVariant(e.variant)},
               {"defaults", Json::array()},
               {"compiledBy", e.compiledBy.empty() ? Json() : Json(e.compiledBy)},
               {"disassembledBy", e.disassembledBy.empty() ? Json() : Json(e.disassembledBy)},
               {"record", recordJson(e.variant)},
               {"whyNoKernels", e.whyNoKernels.empty() ? Json() : Json(e.whyNoKernels)},
               {"kernels", Json::array()},
               {"limits", limitsJson(*e.target)},
               {"predicted", predictedJson(e)},
               {"alignments", alignmentRules(e.variant)}};
  for (const TakenDefault& taken : e.defaults)
    json["defaults"].push_back(taken.setting);
  for (const ExplainedKernel& explained : e.kernels)
    json["kernels"].push_back(kernelJson(explained, *e.target));
  return json;
}

Status explain(Console& console, const CommandOptions& options) {
  std::vector<TakenDefault> defaults;
  MLAC_TRY(request, compileRequestOf(console, options.spec, &defaults));
  MLAC_TRY(settled, settle(options, request.variant));
  MLAC_TRY(explanation, explainSpec(request, std::move(defaults), settled));
  if (!explanation.whyNotDisassembled.empty())
    console.warn("no instructions are counted: " + explanation.whyNotDisassembled);
  if (console.json)
    console.printJson(toJson(explanation));
  else
    console.print(explanationText(explanation));
  const std::vector<std::string> wrong = mispredictedKernels(explanation);
  if (wrong.empty())
    return Unit{};
  return Error{ErrorCode::VerificationFailed,
               fmt::format("counted otherwise than predicted: {}", fmt::join(wrong, ", "))};
}

} // namespace

Action declareExplain(CLI::App& app, Console& console) {
  const auto options = std::make_shared<CommandOptions>();
  addSpecOptions(app, options->spec);
  app.add_option("--context",
                 options->context,
                 fmt::format("Keys of a request in what is predicted and measured; without it {}, "
                             "with --measure {} or the top-k",
                             kDefaultContext,
                             kMeasuredContext))
      ->check(CLI::Range(std::int64_t{1}, kMostContext));
  app.add_flag("--measure",
               options->measure,
               "Run one token of each attention kernel under SIMT, and set its counters beside "
               "the predicted ones");
  app.add_flag("--sass",
               options->sass,
               "Disassemble each kernel and count its instructions by kind; needs nvdisasm");
  app.add_option("--gpu",
                 options->gpus,
                 "Predicted time on that GPU against its roof; repeatable, `all` for every known")
      ->type_name("NAME")
      ->allow_extra_args(false);
  addJsonOption(app, console);
  return [options, &console] { return explain(console, *options); };
}

} // namespace mlac
