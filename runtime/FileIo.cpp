#include "runtime/FileIo.h"

#include <fmt/format.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <system_error>
#include <unistd.h>

namespace mlac {
namespace {

Error ioError(std::string_view what, const std::string& path, int code) {
  return {ErrorCode::IoFailed,
          fmt::format("cannot {} {}: {}", what, path, std::generic_category().message(code))};
}

class FileDescriptor {
public:
  explicit FileDescriptor(int number) : number(number) {}

  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;

  ~FileDescriptor() {
    if (number >= 0)
      close(number);
  }

  int get() const { return number; }

private:
  int number;
};

Status writeAll(int file, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t written = write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      return ioError("write", path, errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  if (fsync(file) != 0)
    return ioError("sync", path, errno);
  return Unit{};
}

} // namespace

Result<std::string> readFile(const std::string& path) {
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0)
    return ioError("open", path, errno);
  std::string bytes;
  std::size_t used = 0;
  constexpr std::size_t kChunkBytes = std::size_t{1} << 18;
  while (true) {
    bytes.resize(used + kChunkBytes);
    const ssize_t got = read(file.get(), bytes.data() + used, kChunkBytes);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return ioError("read", path, errno);
    used += static_cast<std::size_t>(got);
    if (got == 0)
      break;
  }
  bytes.resize(used);
  return bytes;
}

Status writeFileSynced(const std::string& path, std::string_view bytes) {
  const FileDescriptor file(open(path.c_str(),
                                 O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                                 S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH));
  if (file.get() < 0)
    return ioError("create", path, errno);
  auto status = writeAll(file.get(), bytes, path);
  if (!status)
    unlink(path.c_str());
  return status;
}

Status replaceFile(const std::string& path, std::string_view bytes) {
  const std::string staged = temporaryPathFor(path);
  MLAC_CHECK(writeFileSynced(staged, bytes));
  auto status = renamePath(staged, path);
  if (!status)
    unlink(staged.c_str());
  return status;
}

Status makeFolders(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error)
    return ioError("create folder", path, error.value());
  return Unit{};
}

Status renamePath(const std::string& from, const std::string& to) {
  if (rename(from.c_str(), to.c_str()) != 0)
    return ioError("rename to", to, errno);
  return Unit{};
}

std::string temporaryPathFor(const std::string& path) {
  static std::atomic<unsigned> counter = 0;
  return fmt::format("{}.tmp-{}-{}", path, getpid(), counter.fetch_add(1));
}

} // namespace mlac
