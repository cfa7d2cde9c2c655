// SourceLines: from an address in an image to lines of source, by the host's addr2line.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mlac::simt {

/// One function of a chain of inlined calls.
struct SourceLine {
  std::string function;
  std::string file; ///< without folders
  int line = 0;     ///< 0: unknown
};

/// The code at `offset` of the ELF file at `path`, innermost call first. Empty where addr2line is
/// not to be had or knows nothing.
std::vector<SourceLine> sourceLines(const std::string& path, std::uint32_t offset);

} // namespace mlac::simt
