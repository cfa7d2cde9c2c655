// MemoryFile: a file in memory, for what goes to or comes from a child process.
#pragma once

#include "common/Result.h"

#include <string>
#include <string_view>

namespace mlac {

/// Unlike a pipe it never fills up, and unlike a temporary file it needs no place on the disk.
/// Child processes inherit it.
class MemoryFile {
public:
  /// A file that holds `bytes` and is read from their start. IoFailed where there is no memory.
  static Result<MemoryFile> holding(std::string_view bytes);

  MemoryFile(MemoryFile&& other) noexcept;
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  MemoryFile& operator=(MemoryFile&&) = delete;
  ~MemoryFile();

  int descriptor() const { return file; }

  /// As a child process may open it by name.
  std::string path() const;

  /// All it holds now.
  std::string text() const;

private:
  explicit MemoryFile(int file) : file(file) {}

  int file; ///< -1 once moved from
};

} // namespace mlac
