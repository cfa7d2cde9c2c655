#include "common/MemoryFile.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace mlac {

Result<MemoryFile> MemoryFile::holding(std::string_view bytes) {
  MemoryFile made(memfd_create("mlac", 0));
  std::size_t at = 0;
  while (made.file >= 0 && at < bytes.size()) {
    // Unlike write, pwrite leaves the position at the start.
    const ssize_t count =
        pwrite(made.file, bytes.data() + at, bytes.size() - at, static_cast<off_t>(at));
    if (count <= 0)
      break;
    at += static_cast<std::size_t>(count);
  }
  if (made.file < 0 || at < bytes.size())
    return Error{
        ErrorCode::IoFailed,
        fmt::format("no file of {} bytes in memory: {}", bytes.size(), std::strerror(errno))};
  return made;
}

MemoryFile::MemoryFile(MemoryFile&& other) noexcept : file(std::exchange(other.file, -1)) {}

MemoryFile::~MemoryFile() {
  if (file >= 0)
    close(file);
}

std::string MemoryFile::path() const {
  return fmt::format("/proc/self/fd/{}", file);
}

std::string MemoryFile::text() const {
  std::string all;
  std::array<char, 4096> buffer{};
  for (off_t at = 0;;) {
    const ssize_t count = pread(file, buffer.data(), buffer.size(), at);
    if (count <= 0)
      return all;
    all.append(buffer.data(), static_cast<std::size_t>(count));
    at += count;
  }
}

} // namespace mlac
