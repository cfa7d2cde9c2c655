// MemoryCache: results by key for the life of the process, each made once however many threads ask.
#pragma once

#include "runtime/cache/KernelKey.h"

#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace mlac {

class MemoryCache {
public:
  using Entry = std::shared_ptr<const CompileOutput>;
  using Maker = std::function<Result<Entry>()>;

  struct Found {
    Entry entry;
    bool made = false; ///< this call ran the maker
  };

  /// The entry of `key`; the first to ask runs `make` while others wait for it. A failure goes to
  /// all who waited and is then forgotten, so that a later call tries again.
  Result<Found> findOrMake(const KernelKey& key, const Maker& make);

private:
  using Slot = std::shared_future<Result<Entry>>;

  std::mutex mutex;
  std::map<std::string, Slot> slots; ///< by the key's whole text
};

} // namespace mlac
