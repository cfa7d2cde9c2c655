// Cta: one CTA while it runs. Its threads are fibers of one OS thread; every operation that the
// executor offers to kernels (device/Abi.h) acts on it.
#pragma once

#include "simt/count/AccessLog.h"
#include "simt/exec/GpuThread.h"
#include "simt/exec/Launch.h"
#include "simt/exec/Mbarriers.h"
#include "simt/exec/StackPool.h"
#include "simt/memory/Shadow.h"

#include <deque>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace mlac::simt {

/// Address of the first byte of dynamic shared memory in the shared window, as on the GPU, whose
/// system keeps what is below.
constexpr std::uint32_t kSharedWindowBase = 1024;

constexpr std::uint32_t kWarpLanes = 32;

/// An atomic operation on shared or device memory, as device/Abi.h counts operations and orders.
struct AtomicCall {
  std::uint32_t operation = 0;
  void* at = nullptr;
  std::uint32_t bytes = 0;
  std::uint64_t value = 0;
  std::uint32_t order = 0;
  std::uint32_t site = 0;
};

class Cta {
public:
  Cta(const LaunchConfig& config, const LaunchRules& rules, std::uint32_t index, StackPool& stacks);
  Cta(const Cta&) = delete;
  Cta& operator=(const Cta&) = delete;
  ~Cta();

  /// The CTA whose thread runs on this OS thread.
  static Cta& running();

  /// Runs all threads to their end, or to the first finding. std::bad_alloc where the host's memory
  /// ends.
  void run();

  const std::optional<Finding>& finding() const { return found; }

  const Counters& counters() const { return counts; }

  // What kernels call, each for the running thread; `site` is the caller's return address.

  void access(const void* at, std::uint32_t bytes, std::uint32_t flags, std::uint32_t site);
  void step(std::uint32_t site);
  std::uint32_t sharedAddress(const void* object, std::uint32_t site);
  void sharedLoad(std::uint32_t address, void* to, std::uint32_t bytes, std::uint32_t site);
  void
  sharedStore(std::uint32_t address, const void* from, std::uint32_t bytes, std::uint32_t site);
  std::uint64_t atomic(const AtomicCall& call);

  void requireStoreMatrices(std::uint32_t site);

  /// Waits for the other lanes of the mask; the last one carries the operation out for all.
  void collective(const Collective& call);

  void syncBarrier(std::uint32_t number, std::uint32_t threads, bool waits, std::uint32_t site);

  void initBarrier(std::uint32_t address, std::uint32_t arrivals, std::uint32_t site);
  void arriveBarrier(std::uint32_t address, std::uint32_t bytes, std::uint32_t site);
  void arriveExpecting(std::uint32_t address, std::uint32_t bytes, std::uint32_t site);
  void waitBarrier(std::uint32_t address, std::uint32_t parity, std::uint32_t site);

  void copyAsync(std::uint32_t destination,
                 const void* source,
                 std::uint32_t bytes,
                 bool present,
                 std::uint32_t site);
  void arriveWhenCopied(std::uint32_t barrier, std::uint32_t site);
  void commitCopies();
  void waitCopies(std::uint32_t groupsLeft, std::uint32_t site);
  void copyBulk(std::uint32_t destination,
                const void* source,
                std::uint32_t bytes,
                std::uint32_t barrier,
                std::uint32_t site);
  void fenceProxy(std::uint32_t site);
  void fenceBarrierInit(std::uint32_t site);

  void waitForPreviousGrid(std::uint32_t site);
  void allowNextGrid(std::uint32_t site);

  const KernelImage& image() const { return *config.kernel; }

private:
  struct CtaBarrier {
    std::uint32_t expected = 0; ///< 0: nobody has come in this phase
    std::uint32_t arrived = 0;
    Knowledge gathering;
    std::vector<std::uint32_t> waiters;
    std::vector<std::uint32_t> warpSites; ///< by warp; 0: no lane has come
  };

  // Schedule.cpp
  GpuThread& current() { return *active; }

  void start(GpuThread& thread);
  void resume(GpuThread& thread);
  void suspend();
  void block(Waiting::For what, std::uint32_t number, std::uint32_t phase, std::uint32_t site);
  void wake(std::uint32_t thread);
  bool stepOnce();
  std::optional<std::uint32_t> nextInOrder();
  std::optional<std::uint32_t> nextAtRandom();
  void setQuantum();
  void spendQuantum();
  void threadEnded(GpuThread& thread);
  void checkEnd();

  // Findings.cpp
  [[noreturn]] void fail(FindingKind kind, std::string summary, std::vector<Place> places);
  void report(FindingKind kind, std::string summary, std::vector<Place> places);
  Place placeOf(const GpuThread& thread, std::string what, std::uint32_t site) const;
  Place placeOf(const Stamp& stamp, std::string what) const;
  void reportDeadlock();
  std::string describeWaiting(const Waiting& waiting) const;
  std::string describeGlobal(std::uint64_t address) const;

  // Memory.cpp
  Stamp stampOf(const GpuThread& thread, std::uint32_t site) const;
  Observer observerOf(const GpuThread& thread) const;
  void accessShared(std::uint32_t offset, std::uint32_t bytes, AccessKind kind, std::uint32_t site);
  void
  accessGlobal(std::uint64_t address, std::uint32_t bytes, AccessKind kind, std::uint32_t site);
  void checkAligned(std::uint64_t address, std::uint32_t to, const char* what, std::uint32_t site);
  void checkSharedBounds(std::uint64_t offset,
                         std::uint64_t bytes,
                         const char* verb,
                         std::uint32_t site);
  void
  checkNoBarrier(std::uint32_t offset, std::uint32_t bytes, const char* verb, std::uint32_t site);
  void log(AccessSpace space,
           std::uint64_t address,
           std::uint32_t bytes,
           bool write,
           std::uint32_t site);
  [[noreturn]] void failConflict(const Conflict& conflict,
                                 AccessKind kind,
                                 std::string where,
                                 std::uint32_t bytes,
                                 std::uint32_t site);

  unsigned char* sharedByte(std::uint32_t offset) { return shared + offset; }

  void requireTarget(bool has, const char* instruction, std::uint32_t site);

  // Atomics.cpp
  void accessAtomically(void* at, std::uint32_t bytes, std::uint32_t site);
  void acquireForeign(const ForeignKnowledge& released);
  void releaseForeign(ForeignKnowledge& released);

  // Collectives.cpp
  void perform(const Collective& call);
  void performSync(const Collective& call);
  void performShuffle(const Collective& call);
  void performVote(const Collective& call);
  void performReduce(const Collective& call);
  void performTranspose();
  void performProduct(const Collective& call);
  void shuffleLane(GpuThread* lanes, std::uint32_t lane);
  void moveRow(GpuThread& lane, std::uint32_t address, unsigned char* row, bool write);
  int matrixConflicts(std::uint32_t matrix);

  std::uint32_t firstOfWarp() { return current().warp() * kWarpLanes; }

  [[noreturn]] void failDivergent(const GpuThread& other, const char* why);
  void performLoadMatrices(const Collective& call);
  void performStoreMatrices(const Collective& call);

  // Barriers.cpp
  Mbarrier& barrierAt(std::uint32_t address, const char* verb, std::uint32_t site);
  void checkArrival(const Mbarrier& barrier, std::uint32_t address, std::uint32_t site);
  void checkWait(const Mbarrier& barrier,
                 std::uint32_t address,
                 std::uint32_t phase,
                 std::uint32_t site);
  void completeIfDone(std::uint32_t address, Mbarrier& barrier);
  void completePhase(std::uint32_t address, Mbarrier& barrier);
  void release(GpuThread& thread, Knowledge& into);

  // Copies.cpp
  void checkCopyTarget(const Transfer& transfer, bool bulk);
  void checkCopySource(const Transfer& transfer, bool bulk);
  void checkCopyAccess(
      Shadow& shadow, std::uint64_t offset, const Transfer& transfer, bool bulk, bool write);
  CopyBatch& openBatch();
  void land(const Transfer& transfer);
  void landBatches(GpuThread& thread);
  void finishBatch(GpuThread& thread, const CopyBatch& batch);

  const LaunchConfig& config;
  const LaunchRules& rules;
  std::uint32_t index;  ///< in the grid
  std::uint32_t number; ///< among all CTAs of the machine
  StackPool& stacks;
  Running& onThisOsThread;
  unsigned char* shared;
  std::unique_ptr<Shadow> sharedShadow;
  std::vector<GpuThread> threads;
  std::vector<std::uint64_t> runnable; ///< bits
  std::uint32_t live = 0;
  std::uint32_t cursor = 0;
  GpuThread* active = nullptr;  ///< whom accesses and findings belong to
  GpuThread* onFiber = nullptr; ///< who runs; another than `active` while a lane acts for its warp
  std::mt19937_64 random;
  bool copiesLandLate = true; ///< only when no thread can run
  std::int64_t stepsSpent = 0;
  std::int64_t quantum = 0;
  std::uint32_t spins = 0; ///< atomic operations since anything else went on
  std::deque<Transfer> transfers;
  CopyAgents copyAgents;
  std::uint64_t batches = 0;
  Mbarriers barriers;
  std::vector<CtaBarrier> ctaBarriers;
  std::vector<AccessLog> logs; ///< by warp
  Counters counts;
  std::optional<Finding> found;
  bool outOfMemory = false; ///< the host's, met by a kernel's thread
  const Allocation* lastAllocation = nullptr;
};

} // namespace mlac::simt
