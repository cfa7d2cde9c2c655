#include "common/Options.h"

#include <cstdlib>

namespace mlac {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

} // namespace

std::string Options::kernelCacheDir() const {
  if (!cacheDir.empty())
    return cacheDir;
  if (!xdgCacheHome.empty())
    return xdgCacheHome + "/mlac";
  return home.empty() ? "" : home + "/.cache/mlac";
}

Options readOptions() {
  Options read;
  read.cacheDir = variable("MLAC_CACHE_DIR");
  read.nvrtc = variable("MLAC_NVRTC");
  read.nvdisasm = variable("MLAC_NVDISASM");
  read.driver = variable("MLAC_DRIVER");
  read.cxx = variable("MLAC_CXX");
  read.python = variable("MLAC_PYTHON");
  read.library = variable("MLAC_LIBRARY");
  read.log = variable("MLAC_LOG");
  read.xdgCacheHome = variable("XDG_CACHE_HOME");
  read.home = variable("HOME");
  read.cudaHome = variable("CUDA_HOME");
  read.cudaPath = variable("CUDA_PATH");
  return read;
}

const Options& options() {
  static const Options processOptions = readOptions();
  return processOptions;
}

} // namespace mlac
