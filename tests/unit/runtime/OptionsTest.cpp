// Where the cache lies, by the environment.
#include "common/Options.h"

#include <gtest/gtest.h>

namespace mlac {
namespace {

TEST(Options, TheCacheFolderFollowsTheDocumentedOrder) {
  Options options;
  EXPECT_EQ(options.kernelCacheDir(), "");
  options.home = "/home/me";
  EXPECT_EQ(options.kernelCacheDir(), "/home/me/.cache/mlac");
  options.xdgCacheHome = "/xdg";
  EXPECT_EQ(options.kernelCacheDir(), "/xdg/mlac");
  options.cacheDir = "/mine";
  EXPECT_EQ(options.kernelCacheDir(), "/mine");
}

TEST(Options, ReadsTheEnvironmentItIsGiven) {
  setenv("MLAC_NVRTC", "/opt/nvrtc", 1);
  unsetenv("MLAC_DRIVER");
  const Options read = readOptions();
  EXPECT_EQ(read.nvrtc, "/opt/nvrtc");
  EXPECT_EQ(read.driver, "");
  unsetenv("MLAC_NVRTC");
}

} // namespace
} // namespace mlac
