// OutputFile: results on disk, whole or not at all.
#pragma once

#include "common/Result.h"

#include <string>
#include <string_view>
#include <vector>

namespace mlac {

/// A file to write.
struct OutputFile {
  std::string path;
  std::string bytes;
};

/// Writes every file by staging and renaming; folders above them are made. A path that is a device
/// or a pipe is written through. IoFailed names the path; no file is ever left half written.
Status writeOutputs(const std::vector<OutputFile>& files);

/// True where `-o path` means a folder: it is one, ends in '/', or its last part has no suffix.
bool namesFolder(const std::string& path);

} // namespace mlac
