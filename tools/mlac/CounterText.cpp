#include "tools/mlac/CounterText.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace mlac {
namespace {

constexpr std::size_t kNameWidth = 20;
constexpr std::size_t kLeastColumnWidth = 12;

/// A line of the table: a name and a cell a launch.
struct Line {
  std::string name;
  std::vector<std::string> cells;
};

std::vector<Line> linesOf(std::span<const simt::LaunchRecord> launches) {
  std::vector<Line> lines = {{"kernel", {}}, {"seconds", {}}};
  simt::forEachCounter(simt::Counters{},
                       [&](const char* name, std::int64_t) { lines.push_back({name, {}}); });
  for (const simt::LaunchRecord& launch : launches) {
    std::size_t at = 0;
    lines[at++].cells.push_back(launch.kernel);
    lines[at++].cells.push_back(fmt::format("{:.3f}", launch.seconds));
    simt::forEachCounter(launch.counters, [&](const char*, std::int64_t value) {
      lines[at++].cells.push_back(fmt::to_string(value));
    });
  }
  return lines;
}

} // namespace

Json countersJson(const simt::Counters& counters) {
  Json json = Json::object();
  simt::forEachCounter(counters, [&](const char* name, std::int64_t value) { json[name] = value; });
  return json;
}

Json launchesJson(std::span<const simt::LaunchRecord> launches) {
  Json json = Json::array();
  for (const simt::LaunchRecord& launch : launches) {
    Json& entry = json.emplace_back(Json{{"kernel", launch.kernel}, {"seconds", launch.seconds}});
    entry.update(countersJson(launch.counters));
  }
  return json;
}

std::string launchesText(std::span<const simt::LaunchRecord> launches) {
  std::string text;
  for (const Line& line : linesOf(launches)) {
    text += fmt::format("  {:<{}}", line.name, kNameWidth);
    for (std::size_t i = 0; i < line.cells.size(); ++i)
      text += fmt::format(
          "  {:>{}}", line.cells[i], std::max(kLeastColumnWidth, launches[i].kernel.size()));
    text += "\n";
  }
  return text;
}

Json findingJson(const simt::Finding& finding) {
  Json places = Json::array();
  for (const simt::Place& place : finding.places)
    places.push_back({{"who", place.who}, {"what", place.what}, {"lines", place.lines}});
  return {{"kind", simt::kindName(finding.kind)},
          {"kernel", finding.kernel},
          {"summary", finding.summary},
          {"seed", finding.seed},
          {"places", places}};
}

} // namespace mlac
