// Nvrtc: the loaded NVRTC library, found by dlopen; where it came from and what it can compile for.
#pragma once

#include "common/Result.h"
#include "runtime/nvrtc/NvrtcApi.h"

#include <string>
#include <string_view>
#include <vector>

namespace mlac {

/// One NVRTC library. Loaded once, never unloaded; safe to use from any thread.
struct Nvrtc {
  NvrtcApi api;
  std::string path;    ///< the file the loader took
  std::string foundBy; ///< "MLAC_NVRTC", "the loader's path", "CUDA_HOME", ...
  int major = 0;
  int minor = 0;
  std::string buildId;        ///< ELF build id in hex, or a digest of the file where it has none
  std::vector<int> supported; ///< architectures, such as 120

  bool atLeast(int wantMajor, int wantMinor) const {
    return major > wantMajor || (major == wantMajor && minor >= wantMinor);
  }

  /// "sm_75 sm_80 ..."
  std::string supportedNames() const;

  /// True for "sm_90" or "sm_90a" where architecture 90 is among the supported.
  bool supports(std::string_view target) const;
};

/// Where to look, in this order.
struct NvrtcSearch {
  std::string explicitPath; ///< file or folder; nothing else is tried when it is set
  bool useLoaderPath = true;
  std::vector<std::string> folders; ///< tried after the loader's own path
};

/// The search the environment asks for: MLAC_NVRTC, the loader's path, CUDA_HOME, CUDA_PATH,
/// /usr/local/cuda/lib64, and the folder known when mlac was built.
NvrtcSearch nvrtcSearchFromEnvironment();

/// Loads the first library of at least version 12.8. MissingDependency names every place that was
/// tried.
Result<Nvrtc> loadNvrtc(const NvrtcSearch& search);

/// The process's NVRTC: searched for on first use, then always the same answer.
Result<const Nvrtc*> processNvrtc();

} // namespace mlac
