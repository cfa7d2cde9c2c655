#include "compiler/spec/ArgumentReader.h"

#include "compiler/spec/Numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace mlac {
namespace {

std::string listChoices(std::span<const std::string_view> choices) {
  std::string list;
  for (const std::string_view& choice : choices) {
    const bool isFirst = &choice == &choices.front();
    const bool isLast = &choice == &choices.back();
    list += fmt::format("{}`{}`", isFirst ? "" : isLast ? " or " : ", ", choice);
  }
  return list;
}

std::string describeRange(const WholeRange& range) {
  if (range.multipleOf == 1)
    return fmt::format("a whole number from {} to {}", range.low, range.high);
  return fmt::format("a multiple of {} from {} to {}", range.multipleOf, range.low, range.high);
}

/// The one or two numbers of the range that lie next to `value`.
std::string nearestInRange(std::int64_t value, const WholeRange& range) {
  const std::int64_t inside = std::clamp<std::int64_t>(value, range.low, range.high);
  const std::int64_t below = inside / range.multipleOf * range.multipleOf;
  if (below == inside)
    return fmt::format("{}", inside);
  return fmt::format("{} or {}", below, below + range.multipleOf);
}

bool isWordFor(std::string_view text, std::string_view word) {
  return std::equal(text.begin(), text.end(), word.begin(), word.end(), [](char left, char right) {
    return (left | 0x20) == right;
  });
}

} // namespace

const ast::Argument* ArgumentReader::peek() const {
  return atEnd() ? nullptr : &arguments[at];
}

Span ArgumentReader::here() const {
  return atEnd() ? Span{line.end(), 0} : peek()->span;
}

std::string ArgumentReader::found() const {
  return atEnd() ? std::string("the end of the line") : quoteForMessage(peek()->text);
}

std::string ArgumentReader::exampleOf(const ast::Setting& setting) {
  const WordInfo& info = infoOf(setting.word);
  return fmt::format("write: {} ({})", info.example, info.remark);
}

void ArgumentReader::fail(Span span, std::string message, std::string help) {
  if (!hasFailed)
    diagnostics.add(errorAt(span, std::move(message)).withHelp(std::move(help)));
  hasFailed = true;
}

std::optional<Span> ArgumentReader::takeIf(std::string_view spelling) {
  if (hasFailed || atEnd() || peek()->text != spelling)
    return std::nullopt;
  return arguments[at++].span;
}

void ArgumentReader::expect(std::string_view spelling) {
  if (!takeIf(spelling))
    fail(here(), fmt::format("expected `{}`, found {}", spelling, found()), example());
}

std::optional<std::size_t> ArgumentReader::takeChoice(std::string_view what,
                                                      std::span<const std::string_view> choices) {
  for (std::size_t index = 0; index < choices.size(); ++index)
    if (takeIf(choices[index]))
      return index;
  if (hasFailed)
    return std::nullopt;
  const auto meant = atEnd() ? std::nullopt : nearest(peek()->text, choices);
  fail(here(),
       fmt::format("{} must be {}, found {}", what, listChoices(choices), found()),
       meant ? fmt::format("did you mean `{}`?", *meant) : example());
  return std::nullopt;
}

std::optional<int> ArgumentReader::takeWhole(std::string_view what, const WholeRange& range) {
  if (hasFailed)
    return std::nullopt;
  const std::size_t begin = at;
  const bool isNegative = takeIf("-").has_value();
  if (!isNegative)
    takeIf("+");
  const bool isNumber = !atEnd() && peek()->kind == ast::ArgumentKind::Number;
  if (!isNumber) {
    at = begin;
    fail(here(),
         fmt::format("{} must be {}, found {}", what, describeRange(range), found()),
         example());
    return std::nullopt;
  }
  const Span first = arguments[begin].span;
  const Span span{first.offset, peek()->span.end() - first.offset};
  const auto parsed = parseWhole(arguments[at++].text);
  const std::int64_t* magnitude = std::get_if<std::int64_t>(&parsed);
  const std::int64_t value = magnitude == nullptr ? 0 : isNegative ? -*magnitude : *magnitude;
  const bool isInRange = magnitude != nullptr && value >= range.low && value <= range.high &&
                         value % range.multipleOf == 0;
  if (isInRange)
    return static_cast<int>(value);
  const std::string written = (isNegative ? "-" : "") + arguments[at - 1].text;
  const std::string help = magnitude != nullptr
                               ? fmt::format("write: {} {}", what, nearestInRange(value, range))
                               : example();
  fail(span,
       fmt::format("{} is {}; it must be {}", what, quoteForMessage(written), describeRange(range)),
       help);
  return std::nullopt;
}

std::optional<float> ArgumentReader::takeReal(std::string_view what) {
  if (hasFailed)
    return std::nullopt;
  const Span first = here();
  const bool isNegative = takeIf("-").has_value();
  if (!isNegative)
    takeIf("+");
  const Span span{first.offset, here().end() - first.offset};
  const bool isNonFinite =
      !atEnd() && (isWordFor(peek()->text, "inf") || isWordFor(peek()->text, "nan"));
  if (isNonFinite) {
    fail(span, fmt::format("{} is {}; it must be finite", what, found()), example());
    return std::nullopt;
  }
  if (atEnd() || peek()->kind != ast::ArgumentKind::Number) {
    fail(here(), fmt::format("{} must be a number, found {}", what, found()), example());
    return std::nullopt;
  }
  const auto parsed = parseReal(arguments[at].text);
  if (const float* value = std::get_if<float>(&parsed)) {
    ++at;
    return isNegative ? -*value : *value;
  }
  const NumberFault fault = std::get<NumberFault>(parsed);
  fail(span,
       fmt::format("{} is {}, which is {}",
                   what,
                   found(),
                   fault == NumberFault::NotANumber ? "not a number"
                   : fault == NumberFault::TooLarge ? "beyond f32's largest, 3.4e38"
                                                    : "below f32's smallest, 1.4e-45"),
       fault == NumberFault::TooSmall ? std::string("write: 0, or a larger number") : example());
  return std::nullopt;
}

std::span<const ast::Argument> ArgumentReader::rest() {
  return std::span(arguments).subspan(std::exchange(at, arguments.size()));
}

void ArgumentReader::finish() {
  if (!hasFailed && !atEnd())
    fail(here(),
         fmt::format("{} has no meaning here", found()),
         fmt::format("remove it, or {}", example()));
}

} // namespace mlac
