// DiskCache: a folder of `*.kernel` files. Whatever goes wrong with it is a miss and at most one
// warning.
#pragma once

#include "runtime/cache/KernelKey.h"

#include <atomic>
#include <optional>
#include <string>

namespace mlac {

/// Safe to use from any thread, and by any number of processes on one folder: entries are
/// immutable, and published by rename.
class DiskCache {
public:
  /// An empty folder name means no disk cache. Nothing is touched until the first use.
  explicit DiskCache(std::string folder);

  /// The entry of exactly that key; of any toolchain where the key names none. A damaged file is
  /// moved aside to
  /// `*.corrupt`, said once, and counts as absent.
  std::optional<CompileOutput> find(const KernelKey& key);

  /// Publishes an entry. Trouble of any kind is said once, and from then on nothing more is
  /// written.
  void store(const KernelKey& key, const CompileOutput& output);

  /// The file an entry of that key lies in.
  std::string pathOf(const KernelKey& key) const;

  const std::string& folder() const { return root; }

private:
  std::optional<CompileOutput> findInFile(const std::string& path, const KernelKey& key);
  std::optional<CompileOutput> findAnyToolchain(const KernelKey& key);
  void quarantine(const std::string& path);

  std::string root;
  std::atomic<bool> writable;
  std::atomic<bool> saidCorrupt = false;
};

} // namespace mlac
