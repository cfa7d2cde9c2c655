#include "runtime/cache/MemoryCache.h"

#include <utility>

namespace mlac {

Result<MemoryCache::Found> MemoryCache::findOrMake(const KernelKey& key, const Maker& make) {
  const std::string text = key.toolchain + key.identity;
  std::promise<Result<Entry>> promise;
  Slot slot;
  bool isMaker = false;
  {
    std::lock_guard lock(mutex);
    const auto [at, inserted] = slots.try_emplace(text);
    if (inserted)
      at->second = promise.get_future().share();
    slot = at->second;
    isMaker = inserted;
  }
  if (!isMaker) {
    const Result<Entry>& result = slot.get();
    if (!result)
      return result.error();
    return Found{*result, false};
  }
  Result<Entry> made = make();
  if (!made) {
    std::lock_guard lock(mutex);
    slots.erase(text);
  }
  promise.set_value(made);
  if (!made)
    return made.error();
  return Found{*made, true};
}

} // namespace mlac
