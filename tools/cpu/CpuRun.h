// CpuRun: one launch of a verification problem on a CPU kernel.
#pragma once

#include "common/Result.h"
#include "compiler/cpu/CpuKernel.h"
#include "verify/Outputs.h"
#include "verify/Problem.h"

#include <memory>
#include <vector>

namespace mlac {

/// The whole paged cache of a problem as the kernel sees it. Pages below the problem's bias are
/// reserved but never touched, so that slots far out cost no memory.
class HostCache {
public:
  explicit HostCache(const verify::Problem& problem);
  ~HostCache();
  HostCache(const HostCache&) = delete;
  HostCache& operator=(const HostCache&) = delete;

  /// Null where the address space could not be reserved.
  const void* data() const { return base; }

private:
  std::size_t bytes;
  void* base;
};

/// The values of the parameters that a launch of `problem` passes; points into it.
std::vector<CpuParam> cpuParamsOf(const verify::Problem& problem);

/// The arguments of a launch of `problem` that writes to `outputs`, but for its parameters; points
/// into all three, owns nothing.
CpuArgs
bindCpuArgs(const verify::Problem& problem, const HostCache& cache, verify::Outputs& outputs);

/// Compiles nothing: binds, runs and hands back the outputs.
Result<verify::Outputs>
runOnCpu(const CpuKernel& kernel, const verify::Problem& problem, int threads);

} // namespace mlac
