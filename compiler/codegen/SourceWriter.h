// SourceWriter: the one place that makes C++ text. Keeps indentation and blank lines in order.
#pragma once

#include <string>
#include <string_view>

namespace mlac {

class SourceWriter {
public:
  /// One line at the current indentation; an empty one becomes a blank line.
  void line(std::string_view text = {});

  /// `head {`, and everything one level deeper until close().
  void open(std::string_view head);

  /// `}` followed by `tail`, such as ";".
  void close(std::string_view tail = {});

  /// `text` line by line, each after `prefix`, as comments need it.
  void lines(std::string_view text, std::string_view prefix);

  std::string take() { return std::move(buffer); }

private:
  std::string buffer;
  int depth = 0;
};

} // namespace mlac
