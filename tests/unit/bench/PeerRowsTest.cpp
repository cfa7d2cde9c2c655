// JSON lines of the peers, and their place in a report.
#include "tools/bench/PeerRows.h"

#include "SampleReport.h"

#include <gtest/gtest.h>

namespace mlac {
namespace {

constexpr const char* kLines =
    "{\"event\": \"machine\", \"device\": \"Some GPU\"}\n"
    "{\"event\": \"skipped\", \"contestant\": \"flashmla\", \"reason\": \"cannot be imported\"}\n"
    "{\"event\": \"row\", \"contestant\": \"torch graph\", \"ours\": false, \"batch\": 10, "
    "\"median_us\": 90.5, \"min_us\": 90, \"max_us\": 91, \"config\": \"eager\"}\n"
    "{\"event\": \"row\", \"contestant\": \"odd\", \"batch\": 1, \"problem\": \"no\"}\n"
    "{\"event\": \"done\"}\n";

TEST(PeerLines, BecomeRowsAndNotes) {
  const auto outcome = readPeerLines(kLines);
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_TRUE(outcome->finished);
  EXPECT_EQ(outcome->notes, (std::vector<std::string>{"flashmla: cannot be imported"}));
  ASSERT_EQ(outcome->rows.size(), 2U);
  EXPECT_EQ(outcome->rows[0].batch, 10);
  EXPECT_EQ(outcome->rows[0].row.timing->medianUs, 90.5);
  EXPECT_EQ(outcome->rows[0].row.config, "eager");
  EXPECT_FALSE(outcome->rows[1].row.timing);
  EXPECT_EQ(outcome->rows[1].row.problem, "no");
}

TEST(PeerLines, ThatEndEarlyAreNotFinished) {
  EXPECT_FALSE(readPeerLines("{\"event\": \"machine\"}\n")->finished);
  EXPECT_FALSE(readPeerLines("")->finished);
}

TEST(PeerLines, ThatAreNoneAreNamed) {
  for (const char* text : {"{\"event\": \"done\"}\nTraceback\n",
                           "{\"event\": \"done\"}\n{\"event\": \"row\", \"batch\": 1}\n",
                           "{\"event\": \"done\"}\n[]\n"}) {
    const auto outcome = readPeerLines(text);
    ASSERT_FALSE(outcome) << text;
    EXPECT_EQ(outcome.error().code, ErrorCode::CorruptData);
    EXPECT_NE(outcome.error().message.find("line 2"), std::string::npos);
  }
}

TEST(MergePeers, PutsEachRowIntoTheCaseOfItsBatch) {
  BenchReport report = test::sampleReport();
  mergePeers(*readPeerLines(kLines), report);
  EXPECT_EQ(rowOf(report.cases[0], "torch graph"), nullptr);
  ASSERT_NE(rowOf(report.cases[1], "torch graph"), nullptr);
  EXPECT_EQ(rowOf(report.cases[1], "torch graph")->timing->maxUs, 91);
  EXPECT_EQ(report.contestants(), (std::vector<std::string>{"mlac", "peer", "odd", "torch graph"}));
  EXPECT_EQ(report.notes, (std::vector<std::string>{"flashmla: cannot be imported"}));
  EXPECT_TRUE(report.verdict());
}

TEST(MergePeers, SaysSoOfABatchThatIsNoCase) {
  BenchReport report = test::sampleReport();
  PeerOutcome outcome;
  outcome.rows = {{99, test::timedRow("lost", 1)}};
  mergePeers(outcome, report);
  ASSERT_EQ(report.notes.size(), 1U);
  EXPECT_NE(report.notes[0].find("b=99"), std::string::npos);
}

TEST(MergePeers, FailsForWrongOutputsOfOursOnly) {
  PeerOutcome outcome;
  outcome.rows = {{1, {}}};
  BenchRow& row = outcome.rows[0].row;
  row.contestant = "someone";
  row.problem = "outputs differ";
  row.isWrong = true;
  BenchReport report = test::sampleReport();
  mergePeers(outcome, report);
  EXPECT_TRUE(report.verdict());
  row.isOurs = true;
  mergePeers(outcome, report);
  ASSERT_FALSE(report.verdict());
  EXPECT_EQ(report.verdict().error().code, ErrorCode::VerificationFailed);
}

} // namespace
} // namespace mlac
