// GpuThread: one thread of a CTA as the executor keeps it.
#pragma once

#include "simt/exec/AsyncCopies.h"
#include "simt/memory/Shadow.h"

#include <boost/context/fiber.hpp>
#include <cstdint>
#include <deque>

namespace mlac::simt {

/// An operation that the lanes of a warp carry out together.
struct Collective {
  enum class Op {
    SyncWarp,
    Shuffle,
    Vote,
    Reduce,
    LoadMatrices,
    StoreMatrices,
    TransposeMatrix,
    MatrixProduct
  };

  Op op = Op::SyncWarp;
  std::uint32_t variant = 0; ///< which one; all lanes must say the same
  std::uint32_t mask = 0;
  std::uint32_t site = 0;
  void* operands = nullptr; ///< on the lane's stack, in the op's own layout
};

/// Why a thread does not go on.
struct Waiting {
  enum class For { Nothing, Collective, CtaBarrier, Phase, Copies };

  For what = For::Nothing;
  std::uint32_t number = 0; ///< of a CTA barrier, or a barrier's address
  std::uint32_t phase = 0;
  std::uint32_t site = 0;
};

struct GpuThread {
  std::uint32_t index = 0;
  boost::context::fiber fiber;
  boost::context::fiber scheduler; ///< valid while the thread runs
  const char* stackLow = nullptr;
  bool done = false;
  Waiting waiting;
  Collective call;               ///< while it waits for a collective
  Knowledge knows;               ///< knows.seen of itself is its current tick
  std::deque<CopyBatch> batches; ///< not landed, oldest first; only the last may be open
  std::vector<CopyAgents::Made> landedBatches; ///< not yet waited for
  bool waitedForPreviousGrid = true;

  std::uint32_t warp() const { return index / 32; }

  std::uint32_t lane() const { return index % 32; }

  std::uint32_t tick() const { return knows.seen.at(index); }

  void advance() {
    knows.seen.raise(index, tick() + 1);
    knows.happened.raise(index, tick());
  }
};

} // namespace mlac::simt
