#include "tools/mlac/OutputFile.h"

#include "runtime/FileIo.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

namespace mlac {
namespace {

namespace fs = std::filesystem;

Error writeError(const std::string& path) {
  return {ErrorCode::IoFailed, fmt::format("cannot write {}: {}", path, std::strerror(errno))};
}

Status writeThrough(const OutputFile& file) {
  std::FILE* const stream = std::fopen(file.path.c_str(), "wb");
  if (stream == nullptr)
    return writeError(file.path);
  const bool written =
      std::fwrite(file.bytes.data(), 1, file.bytes.size(), stream) == file.bytes.size();
  const bool closed = std::fclose(stream) == 0;
  return written && closed ? Status(Unit{}) : Status(writeError(file.path));
}

Status writeOne(const OutputFile& file) {
  std::error_code error;
  const fs::file_status status = fs::status(file.path, error);
  if (fs::is_directory(status))
    return Error{ErrorCode::IoFailed, fmt::format("cannot write {}: it is a folder", file.path)};
  if (fs::exists(status) && !fs::is_regular_file(status))
    return writeThrough(file);
  // A rename would replace a link, not what it points at.
  const fs::path real = fs::weakly_canonical(file.path, error);
  return replaceFile(error ? file.path : real.string(), file.bytes);
}

} // namespace

Status writeOutputs(const std::vector<OutputFile>& files) {
  for (const OutputFile& file : files) {
    const fs::path folder = fs::path(file.path).parent_path();
    if (!folder.empty())
      MLAC_CHECK(makeFolders(folder.string()));
    MLAC_CHECK(writeOne(file));
  }
  return Unit{};
}

bool namesFolder(const std::string& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (fs::exists(status))
    return fs::is_directory(status);
  return path.ends_with('/') || !fs::path(path).has_extension();
}

} // namespace mlac
