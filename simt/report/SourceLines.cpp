#include "simt/report/SourceLines.h"

#include "common/Process.h"

#include <fmt/format.h>

#include <charconv>
#include <sstream>

namespace mlac::simt {
namespace {

/// "folder/name.cu:12 (discriminator 3)"
SourceLine parseLine(std::string function, const std::string& place) {
  SourceLine line;
  line.function = std::move(function);
  const std::size_t colon = place.rfind(':', place.find(' '));
  const std::size_t slash = place.rfind('/', colon);
  const std::size_t nameStart = slash == std::string::npos ? 0 : slash + 1;
  line.file = place.substr(nameStart, colon - nameStart);
  if (colon != std::string::npos)
    std::from_chars(place.data() + colon + 1, place.data() + place.size(), line.line);
  return line;
}

} // namespace

std::vector<SourceLine> sourceLines(const std::string& path, std::uint32_t offset) {
  const auto output =
      runProcess({"addr2line", "-e", path, "-i", "-f", "-C", fmt::format("{:#x}", offset)});
  std::vector<SourceLine> lines;
  if (!output || output->status != 0)
    return lines;
  std::istringstream text(output->standardOutput);
  std::string function;
  std::string place;
  while (std::getline(text, function) && std::getline(text, place)) {
    SourceLine line = parseLine(function, place);
    if (line.line > 0)
      lines.push_back(std::move(line));
  }
  return lines;
}

} // namespace mlac::simt
