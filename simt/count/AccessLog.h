// AccessLog: the plain accesses of a warp's lanes, put together to the warp instructions they
// belong to, and what those cost.
#pragma once

#include "simt/count/Counters.h"

#include <array>
#include <cstdint>
#include <vector>

namespace mlac::simt {

/// Async: device memory that 16-byte asynchronous copies read; their bytes are counted elsewhere.
enum class AccessSpace : std::uint8_t { Shared, Global, Async };

struct LoggedAccess {
  std::uint32_t site = 0;
  std::uint8_t bytes = 0;
  AccessSpace space = AccessSpace::Shared;
  bool write = false;
  std::uint64_t address = 0;
};

/// Addresses that the lanes of one warp instruction access.
struct LaneAddresses {
  std::uint32_t lanes = 0; ///< bit l: lane l takes part
  std::array<std::uint64_t, 32> at{};
};

/// Wavefronts that shared memory needs for one warp instruction beyond those that its width needs.
/// It has 32 banks of 4 bytes; lanes that ask for the same word are served together; 8- and 16-byte
/// accesses are served half a warp and a quarter of a warp at a time.
int bankConflicts(const LaneAddresses& addresses, int bytesEach);

/// Distinct 32-byte sectors that one warp instruction touches.
int sectorsTouched(const LaneAddresses& addresses, int bytesEach);

class AccessLog {
public:
  /// False where a lane has run so far ahead of its warp that the log wants a flush.
  bool add(std::uint32_t lane, const LoggedAccess& access);

  /// Counts what was logged. Called where the lanes have come together: the n-th access of a
  /// site by one lane since the last call belongs to the n-th of the others.
  void flush(Counters& counters);

private:
  static constexpr std::size_t kMostLogged = 4096; ///< a lane

  std::array<std::vector<LoggedAccess>, 32> lanes;
};

} // namespace mlac::simt
