#include "runtime/cache/DiskCache.h"

#include "common/Log.h"
#include "runtime/FileIo.h"
#include "runtime/cache/EntryFile.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

namespace mlac {
namespace {

constexpr std::string_view kSuffix = ".kernel";

} // namespace

DiskCache::DiskCache(std::string folder) : root(std::move(folder)), writable(!root.empty()) {}

std::string DiskCache::pathOf(const KernelKey& key) const {
  return fmt::format("{}/{}-{}{}", root, key.identityDigest(), key.toolchainDigest(), kSuffix);
}

std::optional<CompileOutput> DiskCache::find(const KernelKey& key) {
  if (root.empty())
    return std::nullopt;
  return key.toolchain.empty() ? findAnyToolchain(key) : findInFile(pathOf(key), key);
}

std::optional<CompileOutput> DiskCache::findInFile(const std::string& path, const KernelKey& key) {
  auto bytes = readFile(path);
  // Absent and unreadable are alike here: a file that cannot be read cannot be used.
  if (!bytes)
    return std::nullopt;
  auto entry = decodeEntry(*bytes);
  if (!entry) {
    quarantine(path);
    return std::nullopt;
  }
  const bool sameToolchain = key.toolchain.empty() || entry->key.toolchain == key.toolchain;
  if (entry->key.identity != key.identity || !sameToolchain)
    return std::nullopt;
  return std::move(entry->output);
}

std::optional<CompileOutput> DiskCache::findAnyToolchain(const KernelKey& key) {
  const std::string prefix = key.identityDigest() + "-";
  std::vector<std::string> files;
  std::error_code error;
  std::filesystem::directory_iterator at(root, error);
  for (; !error && at != std::filesystem::directory_iterator(); at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (name.starts_with(prefix) && name.ends_with(kSuffix))
      files.push_back(at->path().string());
  }
  // In the order of names, so that two runs take the same one.
  std::sort(files.begin(), files.end());
  for (const std::string& file : files)
    if (auto found = findInFile(file, key))
      return found;
  return std::nullopt;
}

void DiskCache::store(const KernelKey& key, const CompileOutput& output) {
  if (!writable)
    return;
  Status status = makeFolders(root);
  if (status)
    status = replaceFile(pathOf(key), encodeEntry({key, output}));
  if (!status && writable.exchange(false))
    logMessage(LogLevel::Warning,
               fmt::format("kernels are kept in memory only: {}", status.error().message));
}

void DiskCache::quarantine(const std::string& path) {
  const std::string aside = path.substr(0, path.size() - kSuffix.size()) + ".corrupt";
  const Status moved = renamePath(path, aside);
  if (!saidCorrupt.exchange(true))
    logMessage(LogLevel::Warning,
               fmt::format("damaged cache entry {} {}; it will be rebuilt",
                           path,
                           moved ? "was moved to " + aside : "could not be moved aside"));
}

} // namespace mlac
