// Lists of cases, and options that contradict each other.
#include "tools/bench/BenchRequest.h"

#include "tools/bench/BenchCommand.h"

#include <gtest/gtest.h>

namespace mlac {
namespace {

using Counts = std::vector<int>;

void expectRefused(const std::string& text, const std::string& word) {
  const auto counts = parseCounts("--batch", text);
  ASSERT_FALSE(counts) << text;
  EXPECT_EQ(counts.error().code, ErrorCode::InvalidInput);
  EXPECT_NE(counts.error().message.find("'" + word + "' is no whole number from 1 to 1048576"),
            std::string::npos)
      << counts.error().message;
}

TEST(Counts, StandInTheOrderWritten) {
  EXPECT_EQ(*parseCounts("--batch", "16,1,4"), (Counts{16, 1, 4}));
  EXPECT_EQ(*parseCounts("--batch", "1048576"), (Counts{1048576}));
}

TEST(Counts, AreCasesOnce) {
  EXPECT_EQ(*parseCounts("--batch", "4,1,4"), (Counts{4, 1}));
}

TEST(Counts, ThatAreNoneAreNamed) {
  expectRefused("0", "0");
  expectRefused("x", "x");
  expectRefused("1,-2", "-2");
  expectRefused("1,4x", "4x");
  expectRefused("1048577", "1048577");
  expectRefused("99999999999999999999", "99999999999999999999");
}

TEST(Counts, MayNotBeLeftOut) {
  expectRefused("", "");
  expectRefused("1,,4", "");
  expectRefused("1,", "");
}

TEST(BenchRequest, HasTheDefaultBatches) {
  BenchRequest request;
  ASSERT_TRUE(settleRequest(request));
  EXPECT_EQ(request.batches, (Counts{1, 4, 16, 64, 128}));
}

TEST(BenchRequest, ComparesOnlyWithPeersThatAreThere) {
  BenchRequest request;
  request.compare = true;
  EXPECT_FALSE(settleRequest(request));
  request.peers = "/no/such/folder";
  EXPECT_FALSE(settleRequest(request));
  request.peers = "/";
  EXPECT_TRUE(settleRequest(request));
  request.library = "/no/such/library.so";
  EXPECT_FALSE(settleRequest(request));
}

TEST(BenchRequest, RefusesPeersThatNobodyAskedFor) {
  BenchRequest request;
  request.peers = "/";
  EXPECT_FALSE(settleRequest(request));
}

TEST(BundleReference, NamesAnAttentionBehindAColon) {
  EXPECT_EQ(splitBundleReference("some/bundle:decode").folder, "some/bundle");
  EXPECT_EQ(splitBundleReference("some/bundle:decode").name, "decode");
  EXPECT_EQ(splitBundleReference("some/bundle").name, "");
}

} // namespace
} // namespace mlac
