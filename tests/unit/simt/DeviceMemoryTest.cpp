// Allocations: bounds, distances, and ranges too large to be written byte by byte.
#include "simt/memory/DeviceMemory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <fstream>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

namespace mlac::simt {
namespace {

constexpr std::uint64_t kMiB = 1 << 20;

unsigned char byteAt(std::uint64_t address) {
  return *std::bit_cast<const unsigned char*>(address);
}

/// Bytes of this process that are in memory.
std::uint64_t residentBytes() {
  std::ifstream statm("/proc/self/statm");
  std::uint64_t all = 0;
  std::uint64_t resident = 0;
  statm >> all >> resident;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

bool isMapped(std::uint64_t address) {
  const auto page = address / 4096 * 4096;
  return msync(std::bit_cast<void*>(page), 4096, MS_ASYNC) == 0 || errno != ENOMEM;
}

class DeviceMemoryTest : public testing::Test {
protected:
  DeviceMemory memory;
};

TEST_F(DeviceMemoryTest, AnAllocationHoldsItsBytesAndNoOther) {
  const std::uint64_t base = memory.allocate(1000);
  ASSERT_NE(base, 0U);
  EXPECT_EQ(base % 256, 0U);
  const Allocation* const whole = memory.find(base, 1000);
  ASSERT_NE(whole, nullptr);
  EXPECT_EQ(whole->base, base);
  EXPECT_EQ(whole->bytes, 1000U);
  EXPECT_EQ(memory.find(base + 999, 1), whole);
  EXPECT_EQ(memory.find(base + 999, 2), nullptr) << "across its end";
  EXPECT_EQ(memory.find(base + 1000, 1), nullptr);
  EXPECT_EQ(memory.find(base - 1, 1), nullptr);
  EXPECT_EQ(memory.find(base - 1, 4), nullptr) << "across its start";
  EXPECT_EQ(memory.find(base, ~std::uint64_t{0}), nullptr) << "base + bytes wraps around";
}

TEST_F(DeviceMemoryTest, AllocationsAreAMegabyteApartAtLeast) {
  std::vector<std::uint64_t> bases;
  for (int i = 0; i < 8; ++i)
    bases.push_back(memory.allocate(4096));
  std::sort(bases.begin(), bases.end());
  for (std::size_t i = 1; i < bases.size(); ++i)
    EXPECT_GE(bases[i] - bases[i - 1], 4096 + kMiB);
}

TEST_F(DeviceMemoryTest, TheNearestAllocationIsThatOfTheNearerEnd) {
  EXPECT_EQ(memory.nearest(4096), nullptr);
  const std::uint64_t one = memory.allocate(kMiB);
  const std::uint64_t other = memory.allocate(kMiB);
  const std::uint64_t low = std::min(one, other);
  const std::uint64_t high = std::max(one, other);
  EXPECT_EQ(memory.nearest(low - 1)->base, low);
  EXPECT_EQ(memory.nearest(low + 7)->base, low);
  EXPECT_EQ(memory.nearest(low + kMiB + 16)->base, low) << "just past its end";
  EXPECT_EQ(memory.nearest(high - 16)->base, high) << "just before its start";
  EXPECT_EQ(memory.nearest(high + 5 * kMiB)->base, high);
}

TEST_F(DeviceMemoryTest, AllocationsAreNumberedForReports) {
  const std::uint64_t first = memory.allocate(16);
  EXPECT_TRUE(memory.free(first));
  const std::uint64_t second = memory.allocate(16);
  EXPECT_EQ(memory.find(second, 16)->number, 2);
}

TEST_F(DeviceMemoryTest, OnlyWhatBeginsAnAllocationIsFreedAndOnce) {
  const std::uint64_t base = memory.allocate(100);
  EXPECT_EQ(memory.bytesHeld(), 100U);
  EXPECT_FALSE(memory.free(base + 16));
  EXPECT_TRUE(memory.free(base));
  EXPECT_FALSE(memory.free(base));
  EXPECT_EQ(memory.bytesHeld(), 0U);
  EXPECT_EQ(memory.find(base, 1), nullptr);
  EXPECT_FALSE(isMapped(base));
}

TEST_F(DeviceMemoryTest, WhatIsLeftIsFreedInTheEnd) {
  std::uint64_t base = 0;
  {
    DeviceMemory brief;
    base = brief.allocate(kMiB);
    EXPECT_TRUE(isMapped(base));
  }
  EXPECT_FALSE(isMapped(base));
}

TEST_F(DeviceMemoryTest, MoreThanTheAddressSpaceIsRefused) {
  EXPECT_EQ(memory.allocate(std::uint64_t{1} << 60), 0U);
  EXPECT_EQ(memory.bytesHeld(), 0U);
}

TEST_F(DeviceMemoryTest, AFillSetsItsRangeToTheByte) {
  const std::uint64_t base = memory.allocate(64);
  EXPECT_TRUE(memory.fill(base, 0x11, 64));
  EXPECT_TRUE(memory.fill(base + 3, 0xee, 7));
  EXPECT_EQ(byteAt(base + 2), 0x11);
  EXPECT_EQ(byteAt(base + 3), 0xee);
  EXPECT_EQ(byteAt(base + 9), 0xee);
  EXPECT_EQ(byteAt(base + 10), 0x11);
  EXPECT_FALSE(memory.fill(base + 60, 0, 5)) << "past the end";
  EXPECT_EQ(byteAt(base + 63), 0x11);
}

TEST_F(DeviceMemoryTest, AFillOfGigabytesTakesLittleMemory) {
  constexpr std::uint64_t kBytes = 4096 * kMiB + 12345;
  const std::uint64_t base = memory.allocate(kBytes);
  ASSERT_NE(base, 0U);
  const std::uint64_t before = residentBytes();
  ASSERT_TRUE(memory.fill(base + 100, 0xab, kBytes - 200));
  EXPECT_EQ(byteAt(base + 99), 0);
  EXPECT_EQ(byteAt(base + 100), 0xab);
  for (std::uint64_t at = 4000; at + 200 < kBytes; at += 64 * kMiB + 4097)
    EXPECT_EQ(byteAt(base + at), 0xab) << at;
  EXPECT_EQ(byteAt(base + kBytes - 101), 0xab);
  EXPECT_EQ(byteAt(base + kBytes - 100), 0);
  EXPECT_LT(residentBytes() - before, 128 * kMiB);
}

TEST_F(DeviceMemoryTest, FilledPagesAreSharedOnlyUntilTheyAreWritten) {
  constexpr std::uint64_t kBlock = 16 * kMiB; // what DeviceMemory maps again and again
  const std::uint64_t base = memory.allocate(8 * kBlock);
  ASSERT_TRUE(memory.fill(base, 0xab, 8 * kBlock));
  *std::bit_cast<unsigned char*>(base + kBlock) = 1;
  EXPECT_EQ(byteAt(base + kBlock), 1);
  for (const std::uint64_t block : {0, 2, 3, 7})
    EXPECT_EQ(byteAt(base + block * kBlock), 0xab) << block;
  ASSERT_TRUE(memory.fill(base, 0xcd, 8 * kBlock));
  EXPECT_EQ(byteAt(base + kBlock), 0xcd);
}

} // namespace
} // namespace mlac::simt
