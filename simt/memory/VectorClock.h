// VectorClock: how far an agent knows of every other agent of its CTA. Agents are the CTA's threads
// and its asynchronous copies.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace mlac::simt {

class VectorClock {
public:
  /// Ticks start at 1; 0 means that nothing of the agent is known.
  std::uint32_t at(std::uint32_t agent) const { return agent < ticks.size() ? ticks[agent] : 0; }

  bool covers(std::uint32_t agent, std::uint32_t tick) const { return at(agent) >= tick; }

  bool covers(const VectorClock& other) const {
    for (std::uint32_t agent = 0; agent < other.ticks.size(); ++agent)
      if (at(agent) < other.ticks[agent])
        return false;
    return true;
  }

  void raise(std::uint32_t agent, std::uint32_t tick) {
    if (agent >= ticks.size())
      ticks.resize(agent + 1, 0);
    ticks[agent] = std::max(ticks[agent], tick);
  }

  void join(const VectorClock& other) {
    if (ticks.size() < other.ticks.size())
      ticks.resize(other.ticks.size(), 0);
    for (std::size_t agent = 0; agent < other.ticks.size(); ++agent)
      ticks[agent] = std::max(ticks[agent], other.ticks[agent]);
  }

private:
  std::vector<std::uint32_t> ticks;
};

/// What was handed over from other CTAs, by acquire and release: their clocks, by CTA number.
using ForeignKnowledge = std::vector<std::pair<std::uint32_t, VectorClock>>;

/// Joins `clock` into what is known of `cta`.
inline void joinForeign(ForeignKnowledge& into, std::uint32_t cta, const VectorClock& clock) {
  for (auto& [known, ticks] : into)
    if (known == cta) {
      ticks.join(clock);
      return;
    }
  into.emplace_back(cta, clock);
}

/// What is ordered before an agent's next access, and what of it is ordered before the next
/// access of the asynchronous proxy (PTX ISA, "Proxies"): only what a proxy fence came after.
struct Knowledge {
  VectorClock seen;
  VectorClock proxied;
  ForeignKnowledge foreign;
  /// What has certainly happened, though its memory accesses need not be visible: a copy that
  /// landed was issued, after all that its issuer had done. Decides which phase an operation meets.
  VectorClock happened;

  void join(const Knowledge& other) {
    seen.join(other.seen);
    proxied.join(other.proxied);
    happened.join(other.happened);
    for (const auto& [cta, clock] : other.foreign)
      joinForeign(foreign, cta, clock);
  }
};

} // namespace mlac::simt
