// Axes, and a plot whose points lie where they should.
#include "tools/bench/Plot.h"

#include "SampleReport.h"
#include "XmlElements.h"
#include "tools/bench/PlotAxis.h"
#include "tools/bench/Svg.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace mlac {
namespace {

using test::sampleReport;
using test::XmlElement;
using test::xmlElements;

/// Rounded to what the text holds.
constexpr double kPixel = 0.01;

std::vector<XmlElement> elementsNamed(const std::string& svg, const std::string& name) {
  std::vector<XmlElement> found;
  for (const XmlElement& element : xmlElements(svg))
    if (element.name == name)
      found.push_back(element);
  return found;
}

bool says(const std::string& svg, const std::string& words) {
  const auto texts = elementsNamed(svg, "text");
  return std::any_of(
      texts.begin(), texts.end(), [&](const XmlElement& one) { return one.text == words; });
}

/// The dot with that hint: its <circle>, right before the <title>.
XmlElement dotOf(const std::string& svg, const std::string& hint) {
  const auto all = xmlElements(svg);
  for (std::size_t i = 1; i < all.size(); ++i)
    if (all[i].name == "title" && all[i].text == hint)
      return all[i - 1];
  throw std::runtime_error("no dot " + hint);
}

TEST(PlotAxis, EndsAtRoundValuesAroundItsData) {
  const PlotAxis axis({3, 170}, 0, 100);
  EXPECT_DOUBLE_EQ(axis.low(), 2);
  EXPECT_DOUBLE_EQ(axis.high(), 200);
  EXPECT_NEAR(axis.at(2), 0, 1e-9);
  EXPECT_NEAR(axis.at(20), 50, 1e-9);
  EXPECT_NEAR(axis.at(200), 100, 1e-9);
}

TEST(PlotAxis, KeepsRoundValuesAsItsEnds) {
  const PlotAxis axis({0.1, 1000}, 100, 0);
  EXPECT_DOUBLE_EQ(axis.low(), 0.1);
  EXPECT_DOUBLE_EQ(axis.high(), 1000);
  EXPECT_NEAR(axis.at(1000), 0, 1e-9);
}

TEST(PlotAxis, IsNeverEmpty) {
  const PlotAxis single({5}, 0, 100);
  EXPECT_LT(single.low(), single.high());
  EXPECT_TRUE(std::isfinite(single.at(5)));
  const PlotAxis none({}, 0, 100);
  EXPECT_DOUBLE_EQ(none.low(), 1);
  EXPECT_DOUBLE_EQ(none.high(), 10);
}

TEST(PlotAxis, WritesFewTicks) {
  EXPECT_EQ(PlotAxis({2, 20}, 0, 1).ticks().size(), 4U); // 2 5 10 20
  const std::vector<double> ticks = PlotAxis({1e-3, 1e6}, 0, 1).ticks();
  ASSERT_EQ(ticks.size(), 10U);
  EXPECT_DOUBLE_EQ(ticks[3], 1);
  EXPECT_EQ(tickText(0.5), "0.5");
  EXPECT_EQ(tickText(2000), "2000");
}

TEST(Svg, EscapesWhatXmlGivesAMeaning) {
  EXPECT_EQ(xmlEscaped("a<b> & \"c\"\n"), "a&lt;b&gt; &amp; &quot;c&quot; ");
}

TEST(Plot, IsWellFormedWhateverTheNames) {
  BenchReport report = sampleReport();
  report.device = "A<B> & \"C\"";
  report.cases[0].rows[0].contestant = "<&\x01>";
  EXPECT_NO_THROW(xmlElements(plotOf(report)));
}

TEST(Plot, IsTheSameTextEachTime) {
  EXPECT_EQ(plotOf(sampleReport()), plotOf(sampleReport()));
}

TEST(Plot, LoadsNothingFromElsewhere) {
  const std::string svg = plotOf(sampleReport());
  for (const char* word : {"href", "url(", "<style", "<script", "@import"})
    EXPECT_EQ(svg.find(word), std::string::npos) << word;
  EXPECT_EQ(xmlElements(svg).front().name, "svg");
}

TEST(Plot, SaysWhatItsAxesAndLinesAre) {
  const std::string svg = plotOf(sampleReport());
  for (const char* words : {"batch (requests)",
                            "time of a launch (us)",
                            "FLOP for each byte of keys",
                            "TFLOP/s",
                            "mlac",
                            "peer",
                            "floor: gather alone, up to 1000 GB/s"})
    EXPECT_TRUE(says(svg, words)) << words;
}

TEST(Plot, PutsTimesOnTheirAxes) {
  // Batches 1 to 10 over 80..510; 2 to 50 us over 420..60.
  const std::string svg = plotOf(sampleReport());
  const XmlElement first = dotOf(svg, "mlac, b=1: 4.0 us");
  EXPECT_NEAR(first.number("cx"), 80, kPixel);
  EXPECT_NEAR(first.number("cy"), 420 - 360 * std::log(2) / std::log(25), kPixel);
  const XmlElement second = dotOf(svg, "mlac, b=10: 25.0 us");
  EXPECT_NEAR(second.number("cx"), 510, kPixel);
  EXPECT_NEAR(second.number("cy"), 420 - 360 * std::log(12.5) / std::log(25), kPixel);
}

TEST(Plot, DrawsTheFloorDashedAndContestantsNot) {
  const auto lines = elementsNamed(plotOf(sampleReport()), "polyline");
  ASSERT_EQ(lines.size(), 3U); // the floor, mlac, the roof; one point makes no line of "peer"
  EXPECT_EQ(lines[0].attributes.count("stroke-dasharray"), 1U);
  EXPECT_EQ(lines[1].attributes.count("stroke-dasharray"), 0U);
  EXPECT_EQ(lines[2].attributes.count("stroke-dasharray"), 1U);
  // 2 us at batch 1, at the lower left corner.
  EXPECT_TRUE(lines[0].attributes.at("points").starts_with("80,420 "))
      << lines[0].attributes.at("points");
}

TEST(Plot, KeepsTheDotsOfTheRooflineBelowTheRoof) {
  // 10 FLOP a byte at 1000 GB/s: a roof of 10 TFLOP/s. mlac has 5 and 8, the peer 2.5.
  const std::string svg = plotOf(sampleReport());
  const XmlElement better = dotOf(svg, "mlac, b=10: 8.0 TFLOP/s");
  const XmlElement worse = dotOf(svg, "mlac, b=1: 5.0 TFLOP/s");
  const XmlElement peer = dotOf(svg, "peer, b=1: 2.5 TFLOP/s");
  EXPECT_EQ(better.number("cx"), worse.number("cx"));
  EXPECT_LT(better.number("cy"), worse.number("cy"));
  EXPECT_LT(worse.number("cy"), peer.number("cy"));
  // 5 to 20 FLOP a byte over 650..1080, 2 to 10 TFLOP/s over 420..60.
  EXPECT_NEAR(better.number("cx"), 865, kPixel);
  EXPECT_NEAR(better.number("cy"), 420 - 360 * std::log(4) / std::log(5), kPixel);
}

TEST(Plot, OfNothingTimedIsStillAPicture) {
  BenchReport report = sampleReport();
  report.cases.clear();
  EXPECT_NO_THROW(xmlElements(plotOf(report)));
}

} // namespace
} // namespace mlac
