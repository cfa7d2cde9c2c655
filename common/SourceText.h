// SourceText: a named text, and where an offset lies in it.
#pragma once

#include "common/Result.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mlac {

/// A stretch of a text, in bytes.
struct Span {
  std::size_t offset = 0;
  std::size_t length = 0;

  std::size_t end() const { return offset + length; }
};

/// Line and column as people count them: from 1, the column in UTF-8 code points.
struct Place {
  std::size_t line = 1;
  std::size_t column = 1;

  friend bool operator==(const Place&, const Place&) = default;
};

/// Owns its text and the table of its lines. Any bytes are accepted; a byte that is not UTF-8
/// counts as one column.
class SourceText {
public:
  SourceText(std::string name, std::string text);

  const std::string& name() const { return sourceName; }

  const std::string& text() const { return contents; }

  std::string_view slice(Span span) const;

  /// Where the byte at `offset` stands; an offset past the end counts as the end. Linear in the
  /// line's length.
  Place placeOf(std::size_t offset) const;

  std::size_t lineCount() const { return lineStarts.size(); }

  /// The line (from 1) without its line end.
  std::string_view lineText(std::size_t line) const;

  /// Byte offset at which the line (from 1) begins.
  std::size_t lineStart(std::size_t line) const { return lineStarts[line - 1]; }

private:
  std::string sourceName;
  std::string contents;
  std::vector<std::size_t> lineStarts;
};

/// Reads a whole file. InvalidInput when it is over `limitBytes`, IoFailed when it cannot be read.
Result<SourceText> readSource(const std::string& path, std::size_t limitBytes);

/// Bytes of the UTF-8 sequence at `offset`, 0 when none begins there (overlong forms and surrogates
/// are none).
std::size_t utf8LengthAt(std::string_view text, std::size_t offset);

/// Offset of the first byte that is not part of valid UTF-8.
std::optional<std::size_t> firstInvalidUtf8(std::string_view text);

} // namespace mlac
