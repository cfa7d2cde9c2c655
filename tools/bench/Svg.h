// Svg: shapes and words as SVG text, each on a line of its own, numbers with at most two decimals.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mlac {

/// Pixels, from the upper left corner.
struct SvgPoint {
  double x = 0;
  double y = 0;
};

enum class SvgAnchor { Start, Middle, End };

struct SvgStroke {
  std::string_view color;
  double width = 1;
  std::string_view dashes = {}; ///< as stroke-dasharray; empty: solid
};

/// A picture on a white ground, so that it reads the same in light and dark viewers. Text in the
/// viewer's own sans-serif face.
class Svg {
public:
  Svg(double width, double height, std::string_view title);

  void line(SvgPoint from, SvgPoint to, const SvgStroke& stroke);
  void polyline(const std::vector<SvgPoint>& points, const SvgStroke& stroke);

  /// `hint` is what a viewer shows of it when pointed at.
  void dot(SvgPoint center, double radius, std::string_view color, std::string_view hint);

  void words(SvgPoint at, SvgAnchor anchor, std::string_view text, double sizePx);

  /// Words that run upwards, `at` their middle.
  void upwards(SvgPoint at, std::string_view text, double sizePx);

  /// The whole document.
  std::string text() const;

private:
  std::string body;
};

/// `text` with what XML gives a meaning replaced; control characters become spaces.
std::string xmlEscaped(std::string_view text);

} // namespace mlac
