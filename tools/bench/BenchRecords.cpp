#include "tools/bench/BenchRecords.h"

#include "tools/bench/BenchReport.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace mlac {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFloorName = "floor";

double gigabytesPerSecond(const BenchCase& one, const Timing& timing) {
  return static_cast<double>(one.keyBytes) / timing.medianUs / 1e3;
}

Json timingJson(const BenchCase& one, const std::optional<Timing>& timing) {
  if (!timing)
    return {{"medianUs", nullptr},
            {"minUs", nullptr},
            {"maxUs", nullptr},
            {"gigabytesPerSecond", nullptr}};
  return {{"medianUs", timing->medianUs},
          {"minUs", timing->minUs},
          {"maxUs", timing->maxUs},
          {"gigabytesPerSecond", gigabytesPerSecond(one, *timing)}};
}

Json rowJson(const BenchCase& one, const BenchRow& row) {
  Json json = {{"contestant", row.contestant}};
  json.update(timingJson(one, row.timing));
  json["predictedUs"] = row.predictedUs ? Json(*row.predictedUs) : Json();
  json["splits"] = row.splits > 0 ? Json(row.splits) : Json();
  json["config"] = row.config;
  json["problem"] = row.problem.empty() ? Json() : Json(row.problem);
  return json;
}

Json caseJson(const BenchCase& one) {
  Json json = {{"batch", one.batch},
               {"tokens", one.tokens},
               {"inputSets", one.inputSets},
               {"keyBytes", one.keyBytes},
               {"flops", one.flops},
               {"floor", nullptr},
               {"rows", Json::array()}};
  if (one.floor) {
    json["floor"] = timingJson(one, one.floor->timing);
    json["floor"]["ctasPerSm"] = one.floor->ctasPerSm;
  }
  for (const BenchRow& row : one.rows)
    json["rows"].push_back(rowJson(one, row));
  return json;
}

std::string quoted(const std::string& field) {
  if (field.find_first_of(",\"\n") == std::string::npos)
    return field;
  std::string text = "\"";
  for (const char c : field)
    text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + "\"";
}

std::string lineOf(const BenchReport& report, const BenchCase& one, const BenchRow& row) {
  std::string line = fmt::format("{},{},{},{},{},{},{},{},{},",
                                 quoted(report.device),
                                 report.attention,
                                 report.target,
                                 quoted(row.contestant),
                                 one.batch,
                                 one.tokens,
                                 report.context,
                                 report.seed,
                                 one.inputSets);
  if (row.timing)
    line += fmt::format("{:.2f},{:.2f},{:.2f},{:.1f},",
                        row.timing->medianUs,
                        row.timing->minUs,
                        row.timing->maxUs,
                        gigabytesPerSecond(one, *row.timing));
  else
    line += ",,,,";
  return line + fmt::format("{},{},{},{},{}\n",
                            row.predictedUs ? fmt::format("{:.2f}", *row.predictedUs) : "",
                            one.keyBytes,
                            row.splits > 0 ? fmt::format("{}", row.splits) : "",
                            quoted(row.config),
                            quoted(row.problem));
}

} // namespace

Json recordOf(const BenchReport& report) {
  Json json = {{"device", report.device},
               {"target", report.target},
               {"attention", report.attention},
               {"heads", report.heads},
               {"topk", report.topk},
               {"context", report.context},
               {"queries", report.queries},
               {"seed", report.seed},
               {"iterations", report.iterations},
               {"passed", static_cast<bool>(report.verdict())},
               {"cases", Json::array()},
               {"notes", report.notes}};
  for (const BenchCase& one : report.cases)
    json["cases"].push_back(caseJson(one));
  return json;
}

std::string csvOf(const BenchReport& report) {
  std::string text = "device,attention,target,contestant,batch,tokens,context,seed,input_sets,"
                     "median_us,min_us,max_us,gigabytes_per_second,predicted_us,key_bytes,splits,"
                     "config,problem\n";
  for (const BenchCase& one : report.cases) {
    if (one.floor) {
      BenchRow floor;
      floor.contestant = kFloorName;
      floor.timing = one.floor->timing;
      floor.config = fmt::format("{} CTAs an SM", one.floor->ctasPerSm);
      text += lineOf(report, one, floor);
    }
    for (const BenchRow& row : one.rows)
      text += lineOf(report, one, row);
  }
  return text;
}

} // namespace mlac
