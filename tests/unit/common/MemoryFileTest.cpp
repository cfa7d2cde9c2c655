// Files in memory: that they hold what they were given, and that other processes can open them.
#include "common/MemoryFile.h"

#include "common/Process.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>

namespace mlac {
namespace {

TEST(MemoryFile, HoldsEveryByte) {
  const std::string bytes = std::string("a\0b", 3) + std::string(100000, 'c');
  const auto file = MemoryFile::holding(bytes);
  ASSERT_TRUE(file);
  EXPECT_EQ(file->text(), bytes);
}

TEST(MemoryFile, IsOpenedByAChildUnderItsPath) {
  const auto file = MemoryFile::holding("cubin");
  ASSERT_TRUE(file);
  const auto output = runProcess({"cat", file->path()});
  ASSERT_TRUE(output);
  EXPECT_EQ(output->standardOutput, "cubin");
}

TEST(MemoryFile, OutlivesWhatItWasMovedFrom) {
  const auto moved = [] {
    auto file = MemoryFile::holding("text");
    EXPECT_TRUE(file);
    return std::make_unique<MemoryFile>(std::move(*file));
  }();
  EXPECT_EQ(moved->text(), "text");
}

} // namespace
} // namespace mlac
