#include "tools/bench/PlotAxis.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace mlac {
namespace {

constexpr std::array<double, 3> kSteps = {1, 2, 5};
constexpr std::size_t kMostTicks = 10;
constexpr double kSlack = 1e-9; // of a logarithm that should be whole

/// The `index`-th of ..., 0.5, 1, 2, 5, 10, ...; 0 is 1.
double stepAt(int index) {
  const int steps = static_cast<int>(kSteps.size());
  const int decade = static_cast<int>(std::floor(static_cast<double>(index) / steps));
  return kSteps[static_cast<std::size_t>(index - decade * steps)] * std::pow(10, decade);
}

/// Index of the largest step at or below `value`.
int stepBelow(double value) {
  int index = static_cast<int>(std::floor(std::log10(value))) * static_cast<int>(kSteps.size()) - 1;
  while (stepAt(index + 1) <= value * (1 + kSlack))
    ++index;
  return index;
}

} // namespace

PlotAxis::PlotAxis(const std::vector<double>& values, double startPx, double endPx)
    : startPx(startPx), endPx(endPx) {
  if (values.empty())
    return;
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  const int first = stepBelow(*least);
  int last = stepBelow(*most);
  if (stepAt(last) < *most * (1 - kSlack))
    ++last;
  lowEnd = stepAt(first);
  highEnd = stepAt(std::max(last, first + 1));
}

double PlotAxis::at(double value) const {
  const double part = std::log(value / lowEnd) / std::log(highEnd / lowEnd);
  return startPx + part * (endPx - startPx);
}

std::vector<double> PlotAxis::ticks() const {
  std::vector<double> all;
  std::vector<double> decades;
  for (int index = stepBelow(lowEnd); stepAt(index) <= highEnd * (1 + kSlack); ++index) {
    all.push_back(stepAt(index));
    if (index % static_cast<int>(kSteps.size()) == 0)
      decades.push_back(stepAt(index));
  }
  return all.size() <= kMostTicks ? all : decades;
}

std::string tickText(double value) {
  return fmt::format("{:g}", value);
}

} // namespace mlac
