// Ceiling: what a gather of a launch's rows takes when nothing is done with them. No kernel that
// reads these rows from memory can be faster: the floor of its time.
#pragma once

#include "common/Result.h"
#include "mlac/mlac.hpp"
#include "runtime/cuda/Module.h"
#include "tools/bench/GraphTimer.h"
#include "tools/bench/InputSets.h"

#include <cstdint>

namespace mlac {

struct CeilingResult {
  Timing timing;
  int ctasPerSm = 0;      ///< with which it was fastest
  std::int64_t bytes = 0; ///< that one launch reads

  double gigabytesPerSecond() const { return static_cast<double>(bytes) / timing.medianUs / 1e3; }
};

/// The gather kernel for one size of records, compiled through the process's NVRTC and its cache.
class GatherCeiling {
public:
  /// The device's context must be current. MissingDependency where there is no NVRTC; Unsupported
  /// where records are no whole number of 16-byte pieces.
  static Result<GatherCeiling> load(const Device& device, int recordBytes);

  /// Times the gather over `sets`, cold as the launches that it is the floor of, for each of a few
  /// grid sizes, and returns the fastest. The kernel's own checksum is compared with the rows
  /// first: DriverFailed where it read anything else.
  Result<CeilingResult> measure(const InputSets& sets, int iterations) const;

private:
  GatherCeiling(const Device& device, Module module, CUfunction function, int piecesPerRow)
      : device(device), module(std::move(module)), function(function), piecesPerRow(piecesPerRow) {}

  Device device;
  Module module;
  CUfunction function;
  int piecesPerRow;
};

} // namespace mlac
