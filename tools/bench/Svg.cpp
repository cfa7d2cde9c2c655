#include "tools/bench/Svg.h"

#include <fmt/format.h>

namespace mlac {
namespace {

constexpr std::string_view kInk = "#222222";
constexpr std::string_view kGround = "#ffffff";

/// "12.5": no zeros at the end, so that the same place is always the same text.
std::string number(double value) {
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.'))
    text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string strokeText(const SvgStroke& stroke) {
  std::string text =
      fmt::format("stroke=\"{}\" stroke-width=\"{}\"", stroke.color, number(stroke.width));
  if (!stroke.dashes.empty())
    text += fmt::format(" stroke-dasharray=\"{}\"", stroke.dashes);
  return text;
}

std::string_view anchorName(SvgAnchor anchor) {
  switch (anchor) {
  case SvgAnchor::Start:
    return "start";
  case SvgAnchor::Middle:
    return "middle";
  case SvgAnchor::End:
    break;
  }
  return "end";
}

} // namespace

std::string xmlEscaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '&')
      escaped += "&amp;";
    else if (c == '<')
      escaped += "&lt;";
    else if (c == '>')
      escaped += "&gt;";
    else if (c == '"')
      escaped += "&quot;";
    else
      escaped += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return escaped;
}

Svg::Svg(double width, double height, std::string_view title) {
  const std::string w = number(width);
  const std::string h = number(height);
  body = fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
                     "viewBox=\"0 0 {0} {1}\" font-family=\"sans-serif\">\n"
                     "<title>{2}</title>\n"
                     "<rect width=\"{0}\" height=\"{1}\" fill=\"{3}\"/>\n",
                     w,
                     h,
                     xmlEscaped(title),
                     kGround);
}

void Svg::line(SvgPoint from, SvgPoint to, const SvgStroke& stroke) {
  body += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" {}/>\n",
                      number(from.x),
                      number(from.y),
                      number(to.x),
                      number(to.y),
                      strokeText(stroke));
}

void Svg::polyline(const std::vector<SvgPoint>& points, const SvgStroke& stroke) {
  std::string places;
  for (const SvgPoint& point : points)
    places += fmt::format("{}{},{}", places.empty() ? "" : " ", number(point.x), number(point.y));
  body += fmt::format("<polyline points=\"{}\" fill=\"none\" {}/>\n", places, strokeText(stroke));
}

void Svg::dot(SvgPoint center, double radius, std::string_view color, std::string_view hint) {
  body +=
      fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\"><title>{}</title></circle>\n",
                  number(center.x),
                  number(center.y),
                  number(radius),
                  color,
                  xmlEscaped(hint));
}

void Svg::words(SvgPoint at, SvgAnchor anchor, std::string_view text, double sizePx) {
  body += fmt::format(
      "<text x=\"{}\" y=\"{}\" text-anchor=\"{}\" font-size=\"{}\" fill=\"{}\">{}</text>\n",
      number(at.x),
      number(at.y),
      anchorName(anchor),
      number(sizePx),
      kInk,
      xmlEscaped(text));
}

void Svg::upwards(SvgPoint at, std::string_view text, double sizePx) {
  body += fmt::format("<text transform=\"translate({} {}) rotate(-90)\" text-anchor=\"middle\" "
                      "font-size=\"{}\" fill=\"{}\">{}</text>\n",
                      number(at.x),
                      number(at.y),
                      number(sizePx),
                      kInk,
                      xmlEscaped(text));
}

std::string Svg::text() const {
  return body + "</svg>\n";
}

} // namespace mlac
