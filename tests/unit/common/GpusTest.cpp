// The table of GPUs: what its entries must agree with, and how they are named.
#include "common/Gpus.h"

#include "common/Target.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace mlac {
namespace {

TEST(Gpus, EveryGpuBelongsToATargetAndHasARoof) {
  for (const Gpu& gpu : allGpus()) {
    EXPECT_TRUE(findTarget(gpu.target)) << gpu.name;
    EXPECT_GT(gpu.sms, 0) << gpu.name;
    EXPECT_GT(gpu.attainedBytesPerNs, 0) << gpu.name;
    EXPECT_LE(gpu.attainedBytesPerNs, gpu.peakBytesPerNs) << gpu.name;
    EXPECT_GT(gpu.l2Bytes, 0) << gpu.name;
  }
}

TEST(Gpus, TensorPeaksAreWholePowersOfTwoAClockAndSm) {
  for (const Gpu& gpu : allGpus()) {
    const double flopPerClock = gpu.tensorTflops * 1e3 / (gpu.sms * gpu.boostClockGhz);
    double nearest = 512;
    while (nearest * 1.42 < flopPerClock)
      nearest *= 2;
    // The H200's data sheet counts at 1.83 GHz, below its boost clock.
    EXPECT_NEAR(flopPerClock / nearest, 1, 0.08) << gpu.name;
  }
}

TEST(Gpus, FiguresOfAGpuThatATargetIsNamedAfterAgreeWithIt) {
  int pairs = 0;
  for (const Gpu& gpu : allGpus())
    for (const Target& target : allTargets())
      if (gpu.name.starts_with(target.gpu)) {
        ++pairs;
        EXPECT_EQ(target.name, gpu.target);
        EXPECT_EQ(target.nominalSms, gpu.sms);
        EXPECT_EQ(target.dramBytesPerNs, gpu.attainedBytesPerNs);
      }
  EXPECT_EQ(pairs, 3); // H200, RTX PRO 6000, GB10
}

TEST(Gpus, NamesMatchWhateverTheCaseAndTheSpaces) {
  for (const char* name : {"RTX PRO 6000 Blackwell", "pro6000", "Pro 6000", "RTX-PRO-6000"})
    EXPECT_EQ((*findGpu(name))->sms, 188) << name;
  for (const char* name : {"5090", "rtx 5090", "RTX_5090"})
    EXPECT_EQ((*findGpu(name))->sms, 170) << name;
  EXPECT_EQ((*findGpu("dgx spark"))->target, "sm_121");
  EXPECT_TRUE((*findGpu("h200"))->wasMeasured);
}

TEST(Gpus, AnUnknownNameIsAnsweredWithTheKnownOnes) {
  for (const char* name : {"b300x", "", " "}) {
    const auto found = findGpu(name);
    ASSERT_FALSE(found) << name;
    EXPECT_EQ(found.error().code, ErrorCode::InvalidInput);
    EXPECT_NE(found.error().message.find("'RTX 5090' or '5090', "), std::string::npos);
    EXPECT_NE(found.error().message.find("'H200'"), std::string::npos);
  }
}

TEST(Gpus, AllStandsForTheTableAndNothingComesTwice) {
  const std::vector<std::string> names = {"H200", "all", "5090"};
  const auto found = findGpus(names);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->size(), allGpus().size());
  EXPECT_EQ(found->front()->name, "H200");
  const std::vector<std::string> wrong = {"all", "gtx"};
  EXPECT_FALSE(findGpus(wrong));
}

} // namespace
} // namespace mlac
