// Target: what a GPU architecture offers, in one table.
#pragma once

#include "common/Result.h"

#include <span>
#include <string>
#include <string_view>

namespace mlac {

/// One GPU architecture. Sizes in bytes; rates are the nominal ones the cost model starts from.
struct Target {
  std::string_view name; ///< as NVRTC spells it, such as "sm_120"
  int sm = 0;            ///< 120 for compute capability 12.0
  int smemPerCtaBytes = 0;
  int smemPerSmBytes = 0;
  int reservedSmemPerCtaBytes = 0;
  int registersPerSm = 0;
  int threadsPerSm = 0;
  bool hasBulkCopy = false; ///< cp.async.bulk, mbarrier.try_wait, griddepcontrol: sm_90 and up
  int nominalSms = 0;       ///< of the GPU the rates below belong to
  double clockGhz = 0;
  double dramBytesPerNs = 0;
  std::string_view gpu; ///< the GPU those figures belong to
};

/// Every target mlac generates for, oldest first.
std::span<const Target> allTargets();

/// The target of that name; an error that lists the known ones otherwise. Accepts "sm_90a" and the
/// like: the suffix is dropped.
Result<const Target*> findTarget(std::string_view name);

/// The newest target a GPU of compute capability major.minor runs; an error below 8.0.
Result<const Target*> targetForCapability(int major, int minor);

} // namespace mlac
