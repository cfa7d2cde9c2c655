#include "templates/Flatten.h"

#include "common/Digest.h"
#include "templates/Embedded.h"

#include <algorithm>
#include <cassert>
#include <set>

namespace mlac {
namespace {

constexpr std::string_view kInclude = "#include \"";

std::string_view textOf(std::string_view name) {
  const auto files = templateFiles();
  const auto found = std::find_if(
      files.begin(), files.end(), [&](const TemplateFile& file) { return file.name == name; });
  assert(found != files.end() && "a source includes what is no template");
  return found->text;
}

void append(std::string& out, std::string_view text, std::set<std::string_view>& seen) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    if (line.starts_with(kInclude)) {
      const std::string_view name = line.substr(kInclude.size(), line.rfind('"') - kInclude.size());
      if (seen.insert(name).second) {
        append(out, textOf(name), seen);
      }
    } else if (line != "#pragma once" && !(line.empty() && out.ends_with("\n\n"))) {
      out.append(line).push_back('\n');
    }
  }
}

} // namespace

std::string flatten(std::string_view source) {
  std::string out;
  std::set<std::string_view> seen;
  append(out, source, seen);
  return out;
}

std::string templateDigest() {
  std::string all;
  for (const TemplateFile& file : templateFiles())
    all.append(file.name).append("\n").append(file.text).append("\n");
  return digestHex(all);
}

} // namespace mlac
