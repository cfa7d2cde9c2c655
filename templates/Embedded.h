// The tile library's files, embedded in the program.
#pragma once

#include <span>
#include <string_view>

namespace mlac {

struct TemplateFile {
  std::string_view name; ///< as `#include` names it, such as "mlac/tile/ring.cuh"
  std::string_view text;
};

/// Every template, sorted by name.
std::span<const TemplateFile> templateFiles();

} // namespace mlac
