// PlotAxis: a logarithmic axis: where a value stands, and which values are written at it.
#pragma once

#include <string>
#include <vector>

namespace mlac {

class PlotAxis {
public:
  /// From the largest of 1, 2, 5 times a power of ten at or below the smallest of `values`, to the
  /// smallest at or above the largest, never less than a factor of two apart. Values are positive;
  /// without any the axis goes from 1 to 10. `startPx` and `endPx` are where its ends stand.
  PlotAxis(const std::vector<double>& values, double startPx, double endPx);

  double low() const { return lowEnd; }

  double high() const { return highEnd; }

  /// Pixels.
  double at(double value) const;

  /// 1, 2, 5 times powers of ten; where these are many, powers of ten alone.
  std::vector<double> ticks() const;

private:
  double lowEnd = 1;
  double highEnd = 10;
  double startPx;
  double endPx;
};

/// "0.5", "20", "1000"
std::string tickText(double value);

} // namespace mlac
