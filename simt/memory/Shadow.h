// Shadow: who accessed each byte of a piece of memory last, and whether a new access is ordered
// after them. The rule is FastTrack's (Flanagan and Freund, 2009), with epochs of agents.
#pragma once

#include "simt/memory/VectorClock.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace mlac::simt {

/// One access. CTAs are numbered over all launches of a machine, from 1; 0: no access.
struct Stamp {
  std::uint32_t cta = 0;
  std::uint16_t agent = 0; ///< below the CTA's thread count a thread, else an asynchronous copy
  std::uint16_t owner : 15 = 0; ///< the thread, or the thread that issued the copy
  std::uint16_t atomic : 1 = 0;
  std::uint32_t tick = 0;
  std::uint32_t site = 0; ///< return address in the kernel's image
};

/// What is ordered before a new access.
struct Observer {
  std::uint32_t firstCta = 1; ///< of this launch; earlier launches are over
  std::uint32_t threads = 0;  ///< in the CTA
  const VectorClock* ofThreads = nullptr;
  const VectorClock* ofCopies = nullptr;
  const ForeignKnowledge* ofOtherCtas = nullptr;
  bool waitsForPreviousGrid = false; ///< a dependent launch that has not waited yet
  std::uint32_t firstCtaBefore = 1;  ///< of the launch before, which may still run then

  bool ordered(const Stamp& earlier, const Stamp& now) const;
};

enum class AccessKind { Read, Write, Atomic };

/// The earlier access that a new one is not ordered after.
struct Conflict {
  Stamp earlier;
  bool earlierWrites = false;
  bool uninitialised = false; ///< no conflict, but a read of what nobody wrote
  std::uint64_t offset = 0;   ///< first byte concerned
};

/// An access that is to be judged.
struct NewAccess {
  AccessKind kind = AccessKind::Read;
  Stamp stamp;
  Observer observer;

  bool isAfter(const Stamp& earlier) const { return observer.ordered(earlier, stamp); }
};

class Shadow {
public:
  /// Of `bytes` bytes. `initialised`: reads need no earlier write. `concurrent`: several OS threads
  /// access it at a time.
  /// std::bad_alloc where there is no address space.
  Shadow(std::uint64_t bytes, bool initialised, bool concurrent);
  Shadow(const Shadow&) = delete;
  Shadow& operator=(const Shadow&) = delete;
  ~Shadow();

  /// Checks an access of [offset, offset + bytes) and remembers it. After a conflict the state is
  /// unspecified.
  std::optional<Conflict>
  access(std::uint64_t offset, std::uint64_t bytes, const NewAccess& access);

private:
  struct Cell {
    Stamp write;
    Stamp read;
    std::unique_ptr<std::vector<Stamp>> moreReads;
    std::unique_ptr<std::array<Cell, 4>> bytes; ///< where single bytes were accessed
  };

  static constexpr std::uint64_t kPageWords = 512;

  struct Page {
    std::mutex mutex;
    std::array<Cell, kPageWords> cells;
  };

  Page& page(std::uint64_t index);
  bool accessWord(Cell& cell,
                  std::uint32_t firstByte,
                  std::uint32_t bytes,
                  const NewAccess& access,
                  Conflict& conflict) const;
  bool accessCell(Cell& cell, const NewAccess& access, Conflict& conflict) const;
  static bool checkReads(const Cell& cell, const NewAccess& access, Conflict& conflict);
  static void rememberRead(Cell& cell, const NewAccess& access);

  bool initialised;
  bool concurrent;
  std::size_t tableBytes() const;

  std::uint64_t pageCount;
  std::atomic<Page*>* pages = nullptr; ///< [pageCount], null where nothing was accessed
  std::vector<std::unique_ptr<Page>> owned;
  std::mutex ownedMutex;
};

} // namespace mlac::simt
