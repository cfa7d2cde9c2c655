#include "compiler/codegen/SourceWriter.h"

#include <fmt/format.h>

#include <cassert>

namespace mlac {

void SourceWriter::line(std::string_view text) {
  if (!text.empty())
    buffer.append(static_cast<std::size_t>(depth) * 2, ' ').append(text);
  buffer.push_back('\n');
}

void SourceWriter::open(std::string_view head) {
  line(fmt::format("{} {{", head));
  ++depth;
}

void SourceWriter::close(std::string_view tail) {
  assert(depth > 0 && "close without open");
  --depth;
  line(fmt::format("}}{}", tail));
}

void SourceWriter::lines(std::string_view text, std::string_view prefix) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string one = std::string(prefix).append(text.substr(0, end));
    one.erase(one.find_last_not_of(' ') + 1);
    line(one);
    if (end == std::string_view::npos)
      return;
    text.remove_prefix(end + 1);
  }
}

} // namespace mlac
