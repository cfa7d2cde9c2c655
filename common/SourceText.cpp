#include "common/SourceText.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace mlac {
namespace {

/// Second bytes that Unicode's table of well-formed sequences allows after a lead byte.
struct SecondByteRange {
  unsigned char low = 0x80;
  unsigned char high = 0xBF;
};

SecondByteRange secondByteRange(unsigned char lead) {
  switch (lead) {
  case 0xE0:
    return {0xA0, 0xBF};
  case 0xED:
    return {0x80, 0x9F};
  case 0xF0:
    return {0x90, 0xBF};
  case 0xF4:
    return {0x80, 0x8F};
  default:
    return {};
  }
}

std::size_t sequenceLength(unsigned char lead) {
  if (lead < 0x80)
    return 1;
  if (lead < 0xC2 || lead > 0xF4)
    return 0;
  return lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}

Error readFailure(const std::string& path) {
  return {ErrorCode::IoFailed, fmt::format("cannot read '{}': {}", path, std::strerror(errno))};
}

} // namespace

SourceText::SourceText(std::string name, std::string text)
    : sourceName(std::move(name)), contents(std::move(text)), lineStarts{0} {
  for (std::size_t offset = 0; offset < contents.size(); ++offset)
    if (contents[offset] == '\n')
      lineStarts.push_back(offset + 1);
}

std::string_view SourceText::slice(Span span) const {
  const std::size_t begin = std::min(span.offset, contents.size());
  return std::string_view(contents).substr(begin, span.length);
}

Place SourceText::placeOf(std::size_t offset) const {
  const std::size_t wanted = std::min(offset, contents.size());
  const auto next = std::upper_bound(lineStarts.begin(), lineStarts.end(), wanted);
  Place place{static_cast<std::size_t>(next - lineStarts.begin()), 1};
  std::size_t at = lineStarts[place.line - 1];
  while (true) {
    at += std::max<std::size_t>(utf8LengthAt(contents, at), 1);
    if (at > wanted)
      return place;
    ++place.column;
  }
}

std::string_view SourceText::lineText(std::size_t line) const {
  const std::size_t begin = lineStarts[line - 1];
  const std::size_t end = line < lineStarts.size() ? lineStarts[line] - 1 : contents.size();
  std::string_view text = std::string_view(contents).substr(begin, end - begin);
  if (!text.empty() && text.back() == '\r')
    text.remove_suffix(1);
  return text;
}

Result<SourceText> readSource(const std::string& path, std::size_t limitBytes) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             &std::fclose);
  if (file == nullptr)
    return readFailure(path);
  std::string text;
  std::array<char, 1 << 16> buffer;
  while (std::feof(file.get()) == 0 && std::ferror(file.get()) == 0) {
    const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), file.get());
    text.append(buffer.data(), got);
    if (text.size() > limitBytes)
      return Error{
          ErrorCode::InvalidInput,
          fmt::format("'{}' is too large: at most {} bytes are read; is it the right file?",
                      path,
                      limitBytes)};
  }
  if (std::ferror(file.get()) != 0)
    return readFailure(path);
  return SourceText(path, std::move(text));
}

std::size_t utf8LengthAt(std::string_view text, std::size_t offset) {
  if (offset >= text.size())
    return 0;
  const auto byteAt = [&](std::size_t index) { return static_cast<unsigned char>(text[index]); };
  const unsigned char lead = byteAt(offset);
  const std::size_t length = sequenceLength(lead);
  if (length <= 1)
    return length;
  if (offset + length > text.size())
    return 0;
  const SecondByteRange range = secondByteRange(lead);
  if (byteAt(offset + 1) < range.low || byteAt(offset + 1) > range.high)
    return 0;
  for (std::size_t index = 2; index < length; ++index)
    if ((byteAt(offset + index) & 0xC0) != 0x80)
      return 0;
  return length;
}

std::optional<std::size_t> firstInvalidUtf8(std::string_view text) {
  std::size_t offset = 0;
  while (offset < text.size()) {
    const std::size_t length = utf8LengthAt(text, offset);
    if (length == 0)
      return offset;
    offset += length;
  }
  return std::nullopt;
}

} // namespace mlac
