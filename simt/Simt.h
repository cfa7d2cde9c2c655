// Simt: generated CUDA on the CPU. The executor stands in for the CUDA driver, so that everything
// above the driver (plan, launch, tools) runs unchanged.
#pragma once

#include "common/Result.h"
#include "runtime/Family.h"
#include "simt/count/Counters.h"
#include "simt/report/Finding.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace mlac::simt {

struct Options {
  std::string target = "sm_90"; ///< whose limits and instructions hold
  std::uint64_t seed = 0;       ///< 0: the fixed order; else a random order drawn from it
  int osThreads = 0; ///< CTAs at a time; 0: one a core. Orders, not results, depend on nothing else
  std::int64_t maxSteps = 200000000; ///< basic blocks of one CTA before it counts as endless
};

/// What one launch came to.
struct LaunchRecord {
  std::string kernel;
  Counters counters;
  double seconds = 0;
};

/// The process's driver while it lives: one device, whose memory is the process's own. Launches are
/// done when they return. Not to be made or destroyed while other calls into the runtime run.
class Machine {
public:
  /// InvalidInput for an unknown target.
  static Result<std::unique_ptr<Machine>> install(const Options& options);

  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;
  ~Machine();

  /// The order of the launches from now on.
  void setSeed(std::uint64_t seed);

  /// The launches since the last call.
  std::vector<LaunchRecord> takeLaunches();

  /// What the launches since the last call were found to do wrong; at most one finding a launch.
  /// The driver reports a failed launch (CUDA_ERROR_LAUNCH_FAILED) with the finding's text.
  std::vector<Finding> takeFindings();

private:
  struct Impl;
  explicit Machine(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

/// Kernels compiled by the host's C++ compiler for the executor, kept in the disk cache.
/// MissingDependency where no compiler is found (MLAC_CXX, else c++, g++, clang++ on PATH).
CubinSource hostCompiler();

/// A launch that bypasses the runtime: for kernels of tests that belong to no family.
struct RawKernel {
  std::string source; ///< CUDA C++ without includes
  std::string entry;
  std::string target = "sm_90";
};

/// Compiles one source for the executor; an ELF image that cuModuleLoadData of the machine takes.
Result<std::string> compileForHost(const RawKernel& kernel);

} // namespace mlac::simt
