// A report as text, JSON and CSV.
#include "tools/bench/BenchTable.h"

#include "SampleReport.h"
#include "tools/bench/BenchRecords.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace mlac {
namespace {

using test::sampleReport;

TEST(BenchTable, HasAColumnACaseAndARowAContestant) {
  EXPECT_EQ(tableOf(sampleReport()),
            "sample on Some GPU, big for sm_90: 8 heads, top-k 2048, context 4096, 1 query token a "
            "request, seed 7\n"
            "median of 20 replays, us a launch, over cold inputs\n"
            "\n"
            "                  b=1      b=10\n"
            "floor             2.0      20.0\n"
            "  GB/s           1000      1000\n"
            "mlac              4.0      25.0\n"
            "  x floor        2.00      1.25\n"
            "  predicted       5.0      30.0\n"
            "peer              8.0         -\n"
            "  x floor        4.00         -\n"
            "\n"
            "peer, b=10: RuntimeError: no such size\n");
}

TEST(BenchTable, SaysWhoWasLeftOut) {
  BenchReport report = sampleReport();
  report.notes = {"flashmla: cannot be imported"};
  EXPECT_TRUE(tableOf(report).ends_with("no such size\nflashmla: cannot be imported\n"));
}

TEST(BenchTable, GoesWithoutAFloor) {
  BenchReport report = sampleReport();
  for (BenchCase& one : report.cases)
    one.floor.reset();
  EXPECT_NE(tableOf(report).find("floor               -         -\n"), std::string::npos)
      << tableOf(report);
}

TEST(BenchRecord, HoldsEveryCaseWithItsFloorAndRows) {
  const auto json = recordOf(sampleReport());
  EXPECT_EQ(json.at("device"), "Some GPU, big");
  EXPECT_EQ(json.at("passed"), true);
  ASSERT_EQ(json.at("cases").size(), 2U);
  const auto& one = json.at("cases")[1];
  EXPECT_EQ(one.at("batch"), 10);
  EXPECT_EQ(one.at("floor").at("medianUs"), 20.0);
  EXPECT_EQ(one.at("floor").at("ctasPerSm"), 8);
  EXPECT_EQ(one.at("rows")[0].at("contestant"), "mlac");
  EXPECT_EQ(one.at("rows")[0].at("medianUs"), 25.0);
  EXPECT_EQ(one.at("rows")[0].at("gigabytesPerSecond"), 800.0);
  EXPECT_EQ(one.at("rows")[0].at("predictedUs"), 30.0);
  EXPECT_TRUE(one.at("rows")[1].at("medianUs").is_null());
  EXPECT_EQ(one.at("rows")[1].at("problem"), "RuntimeError: no such size");
}

TEST(BenchRecord, OfWrongOutputsHasNotPassed) {
  BenchReport report = sampleReport();
  report.errors = {{ErrorCode::DriverFailed, "first"}, {ErrorCode::VerificationFailed, "second"}};
  EXPECT_EQ(recordOf(report).at("passed"), false);
  EXPECT_EQ(report.verdict().error().message, "second");
}

TEST(BenchCsv, HasALineAContestantAndCase) {
  const std::string csv = csvOf(sampleReport());
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1 + 2 * 3);
  EXPECT_NE(csv.find("\"Some GPU, big\",sample,sm_90,mlac,10,10,4096,7,3,25.00,25.00,25.00,800.0,"
                     "30.00,20000000,2,sample_few,\n"),
            std::string::npos)
      << csv;
  EXPECT_NE(csv.find(",peer,10,10,4096,7,3,,,,,,20000000,,,RuntimeError: no such size\n"),
            std::string::npos)
      << csv;
  EXPECT_NE(csv.find(",floor,1,1,4096,7,3,2.00,"), std::string::npos) << csv;
}

TEST(BenchCsv, QuotesWhatHoldsItsOwnMarks) {
  BenchReport report = sampleReport();
  report.cases[0].rows[0].config = "a \"b\", c";
  EXPECT_NE(csvOf(report).find(",\"a \"\"b\"\", c\","), std::string::npos);
}

} // namespace
} // namespace mlac
