#include "simt/exec/AsyncCopies.h"

namespace mlac::simt {

CopyAgents::Made CopyAgents::make(const VectorClock& issuer) {
  for (std::uint32_t i = 0; i < slots.size(); ++i) {
    Slot& slot = slots[i];
    if (slot.busy || !issuer.covers(threads + i, slot.tick))
      continue;
    slot.busy = true;
    return {threads + i, ++slot.tick};
  }
  slots.push_back({1, true});
  return {threads + static_cast<std::uint32_t>(slots.size()) - 1, 1};
}

} // namespace mlac::simt
