// Finding: what the executor says of a kernel that does something wrong. The first one ends the
// launch.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mlac::simt {

enum class FindingKind {
  OutOfBounds,       ///< an access outside every allocation, or across the end of one
  ReadOnlyWrite,     ///< a store into the kernel's own constants
  Uninitialised,     ///< shared memory read before anyone wrote it
  DataRace,          ///< two accesses that nothing orders, one of them a store
  AsyncRead,         ///< target of an asynchronous copy, read before the copy was waited for
  AsyncOverwrite,    ///< memory an asynchronous copy writes or reads while another access to it is
                     ///< under way
  MissingProxyFence, ///< as AsyncOverwrite, but a fence.proxy.async would order the two
  DivergentWarp,     ///< lanes of a warp in different collectives, or with different arguments
  Misaligned,        ///< address or size against the width of the access
  BarrierMisuse, ///< uninitialised or overwritten barrier, an initialisation the copy engine cannot
                 ///< see
  PhaseOverrun, ///< an arrival whose phase depends on timing: too many arrivals, or a barrier taken
                ///< too early
  PhaseLost,    ///< a phase that a waiting thread can miss because the next one completes
  PhaseAliased, ///< a wait whose parity can stand for an older phase than the one it got
  UnbalancedBytes, ///< a copy that lands after its phase, or outlives its CTA
  Deadlock,        ///< nobody can go on
  StepLimit,       ///< the kernel does not end
  WrongTarget,     ///< an instruction the target does not have
  BadLaunch        ///< sizes no grid, CTA or SM takes
};

/// The kind in one or two words: "data race".
const char* kindName(FindingKind kind);

/// One access or operation that a finding is about.
struct Place {
  std::string
      who; ///< "CTA 3, thread 37 (warp 1, lane 5)", or "a bulk copy issued by CTA 3, thread 0"
  std::string what; ///< "reads 16 bytes of shared memory at 4672"
  std::vector<std::string>
      lines; ///< source, innermost first: "mlac/tile/ring.cuh:88: fenceBeforeBulkCopy();"
};

struct Finding {
  FindingKind kind = FindingKind::OutOfBounds;
  std::string kernel;        ///< entry
  std::string summary;       ///< one line
  std::vector<Place> places; ///< the access that was noticed first, then the one it conflicts with
  std::uint64_t seed = 0;    ///< order in which it was found; 0: the fixed one
};

/// For people: several lines, ends with a newline.
std::string describe(const Finding& finding);

} // namespace mlac::simt
