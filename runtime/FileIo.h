// FileIo: whole files in and out, without exceptions; writes are staged, synced and renamed.
#pragma once

#include "common/Result.h"

#include <string>
#include <string_view>

namespace mlac {

/// The file's bytes. IoFailed names the path and the system's reason.
Result<std::string> readFile(const std::string& path);

/// Writes `bytes` to a new file and syncs it to the disk. IoFailed leaves no file behind.
Status writeFileSynced(const std::string& path, std::string_view bytes);

/// Publishes `bytes` under `path` in one step: readers see the former file, none, or the whole new
/// one.
Status replaceFile(const std::string& path, std::string_view bytes);

/// Makes a folder and those above it.
Status makeFolders(const std::string& path);

/// Renames `from` to `to`.
Status renamePath(const std::string& from, const std::string& to);

/// A name beside `path` that no other thread or process uses: path + ".tmp-" + process and counter.
std::string temporaryPathFor(const std::string& path);

} // namespace mlac
