// AsyncCopies: copies to shared memory that are under way, and the agents that stand for them.
#pragma once

#include "simt/memory/VectorClock.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace mlac::simt {

/// One copy that has been started and has not landed.
struct Transfer {
  std::uint32_t destination = 0; ///< in the shared window
  const void* source = nullptr;  ///< null: zeros
  std::uint32_t bytes = 0;
  std::uint32_t thread = 0; ///< that issued it
  std::uint32_t site = 0;
  std::uint32_t agent = 0;
  std::uint32_t tick = 0;
  std::optional<std::uint32_t> barrier; ///< a bulk copy's
  std::uint32_t phase = 0;              ///< of that barrier when it was issued
  std::uint64_t batch = 0;              ///< of a 16-byte copy
  VectorClock happened;                 ///< before a bulk copy was issued
};

/// The 16-byte copies of one thread between two commits or arrivals: one agent.
struct CopyBatch {
  std::uint64_t number = 0;
  std::uint32_t agent = 0;
  std::uint32_t tick = 0;
  int underWay = 0;
  bool closed = false;
  std::optional<std::uint32_t> barrier; ///< on which it arrives when all up to it have landed
  VectorClock happened;                 ///< before that arrival was asked for
};

/// Numbers for agents beyond the CTA's threads. A number is used again only for a copy whose issuer
/// knows that the former one landed, so that knowing a tick still means knowing all before it.
class CopyAgents {
public:
  explicit CopyAgents(std::uint32_t threads) : threads(threads) {}

  struct Made {
    std::uint32_t agent;
    std::uint32_t tick;
  };

  Made make(const VectorClock& issuer);

  void landed(std::uint32_t agent) { slots[agent - threads].busy = false; }

private:
  struct Slot {
    std::uint32_t tick = 0;
    bool busy = false;
  };

  std::uint32_t threads;
  std::vector<Slot> slots;
};

} // namespace mlac::simt
