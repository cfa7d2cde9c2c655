// Abi: what a kernel compiled for the CPU calls in the executor. Plain C types, because both sides
// include it: the executor, and the kernel's own shared object.
#pragma once

namespace mlac::simt {

/// Kinds of MatrixProduct. All are m16n8k16 with f32 sums.
enum : unsigned { kMmaBf16 = 0, kMmaF16 = 1 };

/// How a lane finds the lane it reads from.
enum : unsigned { kShuffleXor = 0, kShuffleFrom = 1, kShuffleUp = 2, kShuffleDown = 3 };

enum : unsigned { kVoteBallot = 0, kVoteAny = 1, kVoteAll = 2 };

enum : unsigned { kReduceAdd = 0, kReduceMin = 1, kReduceMax = 2 };

enum : unsigned { kAtomicLoad = 0, kAtomicStore = 1, kAtomicAdd = 2 };

enum : unsigned { kRelaxed = 0, kAcquire = 1, kRelease = 2, kAcquireRelease = 3 };

/// Flags of Abi::access.
enum : unsigned { kRead = 0, kWrite = 1, kUnaligned = 2 };

struct Coordinates {
  unsigned x, y, z;
};

/// What CUDA calls threadIdx, blockIdx, blockDim and gridDim.
struct ThreadPlace {
  Coordinates thread;
  Coordinates cta;
  Coordinates ctaSize;
  Coordinates gridSize;
};

/// What the executor and the kernel share for the GPU thread that now runs on this OS thread. It
/// lives in the kernel's shared object, so that callbacks reach it in one instruction.
struct Running {
  const char* stackLow;         ///< of the running GPU thread; accesses there are nobody else's
  unsigned long long stackSize; ///< bytes
  long long stepsLeft;          ///< basic blocks until Abi::step is called
  ThreadPlace place;
};

/// Every entry acts for the GPU thread that runs on the calling OS thread; it may suspend that
/// thread, and never returns to it when a finding ended the launch. Addresses in the shared window
/// are 32-bit, as on the device.
struct Abi {
  // Accesses of the kernel's own code.
  void (*access)(const void* at, unsigned bytes, unsigned flags, const void* site);
  void (*step)(const void* site);
  unsigned (*sharedAddress)(const void* object);
  void (*sharedLoad)(unsigned address, void* to, unsigned bytes);
  void (*sharedStore)(unsigned address, const void* from, unsigned bytes);
  // CTAs and warps.
  void (*syncWarp)(unsigned mask);
  void (*syncCta)();
  void (*syncNamed)(unsigned barrier, unsigned threads);
  void (*arriveNamed)(unsigned barrier, unsigned threads);
  unsigned long long (*shuffle)(unsigned kind, unsigned mask, unsigned long long value, int lane);
  unsigned (*vote)(unsigned kind, unsigned mask, unsigned predicate);
  int (*reduce)(unsigned kind, unsigned mask, int value);
  // Matrices.
  void (*loadMatrices)(unsigned* to, unsigned count, unsigned transposed, unsigned address);
  void (*storeMatrices)(const unsigned* from,
                        unsigned count,
                        unsigned transposed,
                        unsigned address);
  unsigned (*transposeMatrix)(unsigned fragment);
  void (*matrixProduct)(unsigned kind, float* d, const unsigned* a, const unsigned* b);
  // Barriers in shared memory.
  void (*initBarrier)(unsigned barrier, unsigned arrivals);
  void (*arriveBarrier)(unsigned barrier);
  void (*arriveExpectingBytes)(unsigned barrier, unsigned bytes);
  void (*waitBarrier)(unsigned barrier, unsigned parity);
  // Asynchronous copies and fences.
  void (*copyAsync)(unsigned destination, const void* source, unsigned bytes, unsigned present);
  void (*arriveWhenCopied)(unsigned barrier);
  void (*commitCopies)();
  void (*waitCopies)(unsigned groupsLeft);
  void (*copyBulk)(unsigned destination, const void* source, unsigned bytes, unsigned barrier);
  void (*fenceProxy)();
  void (*fenceBarrierInit)();
  // Atomics, on generic addresses.
  unsigned long long (*atomic)(
      unsigned operation, void* at, unsigned bytes, unsigned long long value, unsigned order);
  // Programmatic dependent launch.
  void (*waitForPreviousGrid)();
  void (*allowNextGrid)();
};

} // namespace mlac::simt
