#include "tools/mlac-run/Report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace mlac {
namespace {

using Json = nlohmann::json;

const std::string& entryOf(const CaseResult& result) {
  return result.kernels[static_cast<std::size_t>(result.plan.kernel)].entry;
}

double gigabytesPerSecond(const BenchResult& bench) {
  return static_cast<double>(bench.keyBytes) / bench.medianUs / 1e3;
}

std::string failuresOf(const CaseResult& result) {
  std::string text;
  if (!result.report.passed())
    text += "\n" + verify::describe(result.report);
  if (!result.repeatable)
    text += "\n  a second launch of the same inputs gave other bits";
  if (result.convert && !result.convert->passed())
    text += fmt::format("\n  convert: {} of {} entries are wrong; {}",
                        result.convert->wrong,
                        result.convert->entries,
                        result.convert->firstWrong);
  if (result.merge && !result.merge->passed())
    text += "\n  merge: " + result.merge->firstWrong;
  if (result.bench && !result.bench->replaysAgree)
    text += "\n  a replayed graph gave other bits than a plain launch";
  return text;
}

Json benchJson(const BenchResult& bench) {
  return {{"median_us", bench.medianUs},
          {"min_us", bench.minUs},
          {"max_us", bench.maxUs},
          {"predicted_us", bench.predictedUs},
          {"key_bytes", bench.keyBytes},
          {"gigabytes_per_second", gigabytesPerSecond(bench)},
          {"input_sets", bench.inputSets},
          {"launches_per_graph", bench.launchesPerGraph},
          {"replays_agree", bench.replaysAgree}};
}

Json kernelsJson(const std::vector<KernelReport>& kernels) {
  Json list = Json::array();
  for (const KernelReport& kernel : kernels)
    list.push_back({{"entry", kernel.entry},
                    {"role", kernel.role},
                    {"schedule", kernel.schedule},
                    {"target", kernel.target},
                    {"origin", kernel.origin},
                    {"threads", kernel.threads},
                    {"resources",
                     {{"registers", kernel.registers},
                      {"spillBytes", kernel.spillStoreBytes},
                      {"stackBytes", kernel.stackBytes},
                      {"smemBytes", kernel.staticSmemBytes + kernel.dynamicSmemBytes}}}});
  return list;
}

Json tensorsJson(const verify::Report& report) {
  Json list = Json::array();
  for (const verify::TensorReport& tensor : report.tensors)
    list.push_back({{"name", tensor.name},
                    {"passed", tensor.passed()},
                    {"elements", tensor.elements},
                    {"failed", tensor.failed},
                    {"unwritten", tensor.unwritten},
                    {"worst_absolute", tensor.worstAbsolute},
                    {"worst_relative", tensor.worstRelative},
                    {"cosine_difference", tensor.cosineDiff}});
  return list;
}

} // namespace

std::string lineOf(const CaseResult& result) {
  std::string line = fmt::format("{} {} {} T={} R={} context={} seed={} {} {}",
                                 result.passed() ? "PASS" : "FAIL",
                                 result.family,
                                 result.target,
                                 result.tokens,
                                 result.requests,
                                 result.problem.context,
                                 result.problem.seed,
                                 entryOf(result),
                                 cutWords(result.plan));
  for (const verify::TensorReport& tensor : result.report.tensors)
    line += fmt::format(" {}={:.1e}", tensor.name, tensor.worstAbsolute);
  if (result.tokensChecked < result.tokens)
    line += fmt::format(" checked={}", result.tokensChecked);
  if (result.bench)
    line += fmt::format(" | {:.1f} us (min {:.1f}, max {:.1f}, predicted {:.1f}), {:.0f} GB/s",
                        result.bench->medianUs,
                        result.bench->minUs,
                        result.bench->maxUs,
                        result.bench->predictedUs,
                        gigabytesPerSecond(*result.bench));
  return line + fmt::format(" ({:.1f} s)", result.seconds) + failuresOf(result);
}

std::string lineOf(const Case& one, const Error& error) {
  return fmt::format("FAIL {}{}{} {}: {}: {}",
                     one.bundle,
                     one.family.empty() ? "" : " ",
                     one.family,
                     one.problem->dump(),
                     errorCodeName(error.code),
                     error.message);
}

nlohmann::json jsonOf(const Device& device, const CaseResult& result) {
  Json json = {{"device", device.name()},
               {"family", result.family},
               {"target", result.target},
               {"passed", result.passed()},
               {"tokens", result.tokens},
               {"requests", result.requests},
               {"context", result.problem.context},
               {"seed", result.problem.seed},
               {"kernel", entryOf(result)},
               {"splits", result.plan.splits},
               {"parts", result.plan.parts},
               {"workspace_bytes", result.plan.workspaceBytes},
               {"tokens_checked", result.tokensChecked},
               {"repeatable", result.repeatable},
               {"guards_damaged", result.report.guards.bytes},
               {"tensors", tensorsJson(result.report)},
               {"kernels", kernelsJson(result.kernels)},
               {"seconds", result.seconds}};
  if (result.convert)
    json["convert"] = {{"entries", result.convert->entries}, {"wrong", result.convert->wrong}};
  if (result.merge)
    json["merge"] = {{"merges", result.merge->merges}, {"passed", result.merge->passed()}};
  if (result.bench)
    json["bench"] = benchJson(*result.bench);
  return json;
}

std::string resourcesText(const std::vector<KernelReport>& kernels) {
  std::string text;
  for (const KernelReport& kernel : kernels)
    text += fmt::format("  {} ({}, {} for {}): {} threads, {} registers, {} B spilled, {} B stack, "
                        "{} B shared memory\n",
                        kernel.entry,
                        kernel.role,
                        kernel.origin,
                        kernel.target,
                        kernel.threads,
                        kernel.registers,
                        kernel.spillStoreBytes,
                        kernel.stackBytes,
                        kernel.staticSmemBytes + kernel.dynamicSmemBytes);
  return text;
}

std::string csvHeader() {
  return "device,family,target,tokens,requests,context,seed,kernel,splits,parts,passed,median_us,"
         "min_us,"
         "max_us,predicted_us,key_bytes,gigabytes_per_second,input_sets\n";
}

std::string csvOf(const Device& device, const CaseResult& result) {
  std::string line = fmt::format("{},{},{},{},{},{},{},{},{},{},{}",
                                 device.name(),
                                 result.family,
                                 result.target,
                                 result.tokens,
                                 result.requests,
                                 result.problem.context,
                                 result.problem.seed,
                                 entryOf(result),
                                 result.plan.splits,
                                 result.plan.parts,
                                 result.passed());
  if (!result.bench)
    return line + ",,,,,,,\n";
  const BenchResult& bench = *result.bench;
  return line + fmt::format(",{:.2f},{:.2f},{:.2f},{:.2f},{},{:.1f},{}\n",
                            bench.medianUs,
                            bench.minUs,
                            bench.maxUs,
                            bench.predictedUs,
                            bench.keyBytes,
                            gigabytesPerSecond(bench),
                            bench.inputSets);
}

} // namespace mlac
