// Options: every environment variable mlac reads, read in one place.
#pragma once

#include <string>

namespace mlac {

/// Values as the environment gives them; empty where a variable is unset.
struct Options {
  std::string cacheDir;     ///< MLAC_CACHE_DIR: folder of the kernel cache
  std::string nvrtc;        ///< MLAC_NVRTC: file or folder of libnvrtc
  std::string nvdisasm;     ///< MLAC_NVDISASM: file of nvdisasm
  std::string driver;       ///< MLAC_DRIVER: file of libcuda
  std::string cxx;          ///< MLAC_CXX: C++ compiler for the SIMT executor
  std::string python;       ///< MLAC_PYTHON: Python with PyTorch, for comparisons
  std::string library;      ///< MLAC_LIBRARY: file of libmlac that comparisons load
  std::string log;          ///< MLAC_LOG: quiet, warn (default), info or debug
  std::string xdgCacheHome; ///< XDG_CACHE_HOME
  std::string home;         ///< HOME
  std::string cudaHome;     ///< CUDA_HOME
  std::string cudaPath;     ///< CUDA_PATH

  /// Folder of the kernel cache by these values: MLAC_CACHE_DIR, XDG_CACHE_HOME/mlac,
  /// ~/.cache/mlac; empty: none.
  std::string kernelCacheDir() const;
};

/// Reads the environment now. For tests; everything else uses `options()`.
Options readOptions();

/// The options of this process, read on first use.
const Options& options();

} // namespace mlac
