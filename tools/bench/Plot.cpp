#include "tools/bench/Plot.h"

#include "tools/bench/BenchReport.h"
#include "tools/bench/PlotAxis.h"
#include "tools/bench/Svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace mlac {
namespace {

// Told apart on white, also by most who see few colours (Okabe and Ito's, without the yellow).
constexpr std::array<std::string_view, 7> kColors = {
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#666666"};
constexpr SvgStroke kFloorStroke = {"#222222", 1.5, "6 4"};
constexpr SvgStroke kGridStroke = {"#e2e2e2", 1};
constexpr SvgStroke kFrameStroke = {"#888888", 1};
constexpr double kLineWidth = 2;
constexpr double kDotRadius = 4;

constexpr double kWidth = 1120;
constexpr double kTop = 60;
constexpr double kBottom = 420;
constexpr double kLeftPanel = 80;
constexpr double kRightPanel = 650;
constexpr double kPanelWidth = 430;
constexpr double kTitleSize = 15;
constexpr double kTextSize = 12;
constexpr double kTickGap = 6;
constexpr double kTickDrop = 18;
constexpr double kLabelDrop = 40;
constexpr double kLabelLeft = 50;
constexpr double kLegendTop = 490;
constexpr double kLegendRow = 20;
constexpr double kLegendColumn = 260;
constexpr int kLegendColumns = 4;
constexpr double kLegendMark = 26;

struct PlotPoint {
  double x = 0;
  double y = 0;
  std::string hint;
  std::string label; ///< written beside it where there is room
};

struct PlotSeries {
  std::string name;
  std::string_view color;
  std::vector<PlotPoint> times; ///< batch against us
  std::vector<PlotPoint> rates; ///< FLOP a byte against TFLOP/s
};

double intensityOf(const BenchCase& one) {
  return one.keyBytes > 0 ? one.flops / static_cast<double>(one.keyBytes) : 0;
}

std::vector<PlotSeries> seriesOf(const BenchReport& report) {
  std::vector<PlotSeries> all;
  for (const std::string& name : report.contestants()) {
    PlotSeries series{name, kColors[all.size() % kColors.size()], {}, {}};
    for (const BenchCase& one : report.cases) {
      const BenchRow* row = rowOf(one, name);
      if (row == nullptr || !row->timing)
        continue;
      const double us = row->timing->medianUs;
      const double teraflops = one.flops / us / 1e6;
      series.times.push_back(
          {double(one.batch), us, fmt::format("{}, b={}: {:.1f} us", name, one.batch, us), ""});
      if (intensityOf(one) > 0)
        series.rates.push_back({intensityOf(one),
                                teraflops,
                                fmt::format("{}, b={}: {:.1f} TFLOP/s", name, one.batch, teraflops),
                                fmt::format("b={}", one.batch)});
    }
    all.push_back(std::move(series));
  }
  return all;
}

std::vector<PlotPoint> floorOf(const BenchReport& report) {
  std::vector<PlotPoint> points;
  for (const BenchCase& one : report.cases)
    if (one.floor)
      points.push_back({double(one.batch), one.floor->timing.medianUs, "", ""});
  return points;
}

double fastestGather(const BenchReport& report) {
  double most = 0;
  for (const BenchCase& one : report.cases)
    if (one.floor)
      most = std::max(most, one.floor->gigabytesPerSecond);
  return most;
}

/// Two axes with their frame, grid and labels.
class Panel {
public:
  Panel(double left, const std::vector<double>& xs, const std::vector<double>& ys)
      : left(left), x(xs, left, left + kPanelWidth), y(ys, kBottom, kTop) {}

  SvgPoint at(const PlotPoint& point) const { return {x.at(point.x), y.at(point.y)}; }

  void draw(Svg& svg,
            const std::vector<double>& xTicks,
            std::string_view xLabel,
            std::string_view yLabel) const {
    const double right = left + kPanelWidth;
    for (const double tick : xTicks) {
      svg.line({x.at(tick), kTop}, {x.at(tick), kBottom}, kGridStroke);
      svg.words({x.at(tick), kBottom + kTickDrop}, SvgAnchor::Middle, tickText(tick), kTextSize);
    }
    for (const double tick : y.ticks()) {
      svg.line({left, y.at(tick)}, {right, y.at(tick)}, kGridStroke);
      svg.words({left - kTickGap, y.at(tick) + 4}, SvgAnchor::End, tickText(tick), kTextSize);
    }
    svg.line({left, kTop}, {left, kBottom}, kFrameStroke);
    svg.line({left, kBottom}, {right, kBottom}, kFrameStroke);
    svg.words({left + kPanelWidth / 2, kBottom + kLabelDrop}, SvgAnchor::Middle, xLabel, kTextSize);
    svg.upwards({left - kLabelLeft, (kTop + kBottom) / 2}, yLabel, kTextSize);
  }

  void drawCurve(Svg& svg, const std::vector<PlotPoint>& points, const SvgStroke& stroke) const {
    std::vector<SvgPoint> places;
    for (const PlotPoint& point : points)
      places.push_back(at(point));
    if (places.size() > 1)
      svg.polyline(places, stroke);
  }

  void drawDots(Svg& svg, const std::vector<PlotPoint>& points, std::string_view color) const {
    for (const PlotPoint& point : points)
      svg.dot(at(point), kDotRadius, color, point.hint);
  }

  /// Labels at the right of points; one that would lie upon the one before is left out.
  void drawLabels(Svg& svg, const std::vector<PlotPoint>& points) const {
    double before = -kTextSize;
    for (const PlotPoint& point : points) {
      const SvgPoint place = at(point);
      if (std::abs(place.y - before) < kTextSize)
        continue;
      svg.words(
          {place.x + kDotRadius + kTickGap, place.y + 4}, SvgAnchor::Start, point.label, kTextSize);
      before = place.y;
    }
  }

  const PlotAxis& xAxis() const { return x; }

  const PlotAxis& yAxis() const { return y; }

private:
  double left;
  PlotAxis x;
  PlotAxis y;
};

void collect(const std::vector<PlotPoint>& points,
             std::vector<double>& xs,
             std::vector<double>& ys) {
  for (const PlotPoint& point : points) {
    xs.push_back(point.x);
    ys.push_back(point.y);
  }
}

void drawTimes(Svg& svg, const BenchReport& report, const std::vector<PlotSeries>& all) {
  const std::vector<PlotPoint> floor = floorOf(report);
  std::vector<double> xs;
  std::vector<double> ys;
  collect(floor, xs, ys);
  for (const PlotSeries& series : all)
    collect(series.times, xs, ys);
  const Panel panel(kLeftPanel, xs, ys);
  std::vector<double> batches = xs;
  std::sort(batches.begin(), batches.end());
  batches.erase(std::unique(batches.begin(), batches.end()), batches.end());
  panel.draw(svg, batches, "batch (requests)", "time of a launch (us)");
  panel.drawCurve(svg, floor, kFloorStroke);
  for (const PlotSeries& series : all) {
    panel.drawCurve(svg, series.times, {series.color, kLineWidth});
    panel.drawDots(svg, series.times, series.color);
  }
}

/// The rate at each intensity when rows come as fast as the fastest gather, inside the panel.
std::vector<PlotPoint> roofOf(const Panel& panel, double gigabytesPerSecond) {
  const double perByte = gigabytesPerSecond / 1e3; // TFLOP/s at one FLOP a byte
  const double from = std::max(panel.xAxis().low(), panel.yAxis().low() / perByte);
  const double to = std::min(panel.xAxis().high(), panel.yAxis().high() / perByte);
  if (from >= to)
    return {};
  return {{from, from * perByte, "", ""}, {to, to * perByte, "", ""}};
}

void drawRoofline(Svg& svg, const BenchReport& report, const std::vector<PlotSeries>& all) {
  const double roof = fastestGather(report);
  std::vector<double> xs;
  std::vector<double> ys;
  for (const PlotSeries& series : all)
    collect(series.rates, xs, ys);
  // The roof above the dots, and some of it to both sides.
  for (const double intensity : std::vector<double>(xs))
    if (roof > 0) {
      ys.push_back(intensity * roof / 1e3);
      xs.push_back(intensity / 2);
      xs.push_back(intensity * 2);
    }
  const Panel panel(kRightPanel, xs, ys);
  panel.draw(svg, panel.xAxis().ticks(), "FLOP for each byte of keys", "TFLOP/s");
  if (roof > 0)
    panel.drawCurve(svg, roofOf(panel, roof), kFloorStroke);
  for (const PlotSeries& series : all)
    panel.drawDots(svg, series.rates, series.color);
  if (!all.empty())
    panel.drawLabels(svg, all.front().rates);
}

void drawLegend(Svg& svg, const BenchReport& report, const std::vector<PlotSeries>& all) {
  int number = 0;
  const auto entry = [&](std::string_view name, const SvgStroke& stroke) {
    const int row = number / kLegendColumns;
    const double x = kLeftPanel + number % kLegendColumns * kLegendColumn;
    const double y = kLegendTop + row * kLegendRow;
    svg.line({x, y - 4}, {x + kLegendMark, y - 4}, stroke);
    svg.words({x + kLegendMark + kTickGap, y}, SvgAnchor::Start, name, kTextSize);
    ++number;
  };
  for (const PlotSeries& series : all)
    entry(series.name, {series.color, kLineWidth});
  if (const double roof = fastestGather(report); roof > 0)
    entry(fmt::format("floor: gather alone, up to {:.0f} GB/s", roof), kFloorStroke);
}

} // namespace

std::string plotOf(const BenchReport& report) {
  const std::vector<PlotSeries> all = seriesOf(report);
  const double legendRows = static_cast<double>(all.size()) / kLegendColumns + 1;
  Svg svg(kWidth, kLegendTop + legendRows * kLegendRow, report.attention);
  svg.words({kWidth / 2, 28},
            SvgAnchor::Middle,
            fmt::format("{} on {}, context {}", report.attention, report.device, report.context),
            kTitleSize);
  drawTimes(svg, report, all);
  drawRoofline(svg, report, all);
  drawLegend(svg, report, all);
  return svg.text();
}

} // namespace mlac
