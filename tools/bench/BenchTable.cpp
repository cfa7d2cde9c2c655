#include "tools/bench/BenchTable.h"

#include "tools/bench/BenchReport.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace mlac {
namespace {

constexpr std::size_t kColumnWidth = 9;
constexpr const char* kNothing = "-";

/// Names at the left, one column for each case.
class Grid {
public:
  explicit Grid(const BenchReport& report) : report(report) {}

  void add(std::string name, const std::function<std::string(const BenchCase&)>& cell) {
    std::vector<std::string> cells;
    for (const BenchCase& one : report.cases)
      cells.push_back(cell(one));
    rows.emplace_back(std::move(name), std::move(cells));
  }

  std::string text() const {
    std::size_t nameWidth = 0;
    for (const auto& [name, cells] : rows)
      nameWidth = std::max(nameWidth, name.size());
    std::string text;
    for (const auto& [name, cells] : rows) {
      text += fmt::format("{:<{}}", name, nameWidth);
      for (const std::string& cell : cells)
        text += fmt::format(" {:>{}}", cell, kColumnWidth);
      text += '\n';
    }
    return text;
  }

private:
  const BenchReport& report;
  std::vector<std::pair<std::string, std::vector<std::string>>> rows;
};

std::string headLine(const BenchReport& report) {
  return fmt::format("{} on {} for {}: {} heads, {}context {}, {} query token{} a request, seed "
                     "{}\nmedian of {} replays, us a launch, over cold inputs\n\n",
                     report.attention,
                     report.device,
                     report.target,
                     report.heads,
                     report.topk > 0 ? fmt::format("top-k {}, ", report.topk) : "",
                     report.context,
                     report.queries,
                     report.queries == 1 ? "" : "s",
                     report.seed,
                     report.iterations);
}

std::string microseconds(const std::optional<double>& us) {
  return us ? fmt::format("{:.1f}", *us) : kNothing;
}

std::optional<double> medianOf(const BenchRow* row) {
  return row != nullptr && row->timing ? std::optional(row->timing->medianUs) : std::nullopt;
}

void addFloor(Grid& grid) {
  grid.add("floor", [](const BenchCase& one) {
    return one.floor ? microseconds(one.floor->timing.medianUs) : kNothing;
  });
  grid.add("  GB/s", [](const BenchCase& one) {
    return one.floor ? fmt::format("{:.0f}", one.floor->gigabytesPerSecond) : kNothing;
  });
}

void addContestant(Grid& grid, const BenchReport& report, const std::string& name) {
  grid.add(name, [&](const BenchCase& one) { return microseconds(medianOf(rowOf(one, name))); });
  grid.add("  x floor", [&](const BenchCase& one) {
    const auto us = medianOf(rowOf(one, name));
    return us && one.floor ? fmt::format("{:.2f}", *us / one.floor->timing.medianUs) : kNothing;
  });
  const auto predicted = [&](const BenchCase& one) {
    const BenchRow* row = rowOf(one, name);
    return row != nullptr ? row->predictedUs : std::nullopt;
  };
  if (std::any_of(report.cases.begin(), report.cases.end(), predicted))
    grid.add("  predicted", [&](const BenchCase& one) { return microseconds(predicted(one)); });
}

std::string problemLines(const BenchReport& report) {
  std::string text;
  for (const BenchCase& one : report.cases)
    for (const BenchRow& row : one.rows)
      if (!row.problem.empty())
        text += fmt::format("{}, b={}: {}\n", row.contestant, one.batch, row.problem);
  for (const std::string& note : report.notes)
    text += note + "\n";
  return text.empty() ? text : "\n" + text;
}

} // namespace

std::string tableOf(const BenchReport& report) {
  Grid grid(report);
  grid.add("", [](const BenchCase& one) { return fmt::format("b={}", one.batch); });
  addFloor(grid);
  for (const std::string& name : report.contestants())
    addContestant(grid, report, name);
  return headLine(report) + grid.text() + problemLines(report);
}

} // namespace mlac
