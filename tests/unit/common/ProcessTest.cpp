// Programs that are run to their end: what they read, what they said, and how they ended.
#include "common/Process.h"

#include <gtest/gtest.h>

#include <csignal>

namespace mlac {
namespace {

ProcessOutput shell(const std::string& script) {
  const auto output = runProcess({"sh", "-c", script});
  EXPECT_TRUE(output);
  return output ? *output : ProcessOutput{-1, "", ""};
}

TEST(Process, KeepsStatusAndBothOutputsApart) {
  const ProcessOutput output = shell("echo product; echo talk >&2; exit 3");
  EXPECT_EQ(output.status, 3);
  EXPECT_EQ(output.standardOutput, "product\n");
  EXPECT_EQ(output.standardError, "talk\n");
}

TEST(Process, ASignalIsAStatusAbove128) {
  EXPECT_EQ(shell("kill -KILL $$").status, 128 + SIGKILL);
}

TEST(Process, GetsNoInputUnlessItIsGivenSome) {
  EXPECT_EQ(shell("read line && echo got $line; echo end").standardOutput, "end\n");
}

TEST(Process, ReadsItsInputToTheEnd) {
  const std::string input = std::string(300000, 'x') + "end";
  const auto output = runProcess({"tail", "-c", "4"}, {.input = input});
  ASSERT_TRUE(output);
  EXPECT_EQ(output->standardOutput, "xend");
}

TEST(Process, TalkThatIsSharedIsNotKept) {
  testing::internal::CaptureStderr();
  const auto output =
      runProcess({"sh", "-c", "echo product; echo talk >&2"}, {.sharesStandardError = true});
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "talk\n");
  ASSERT_TRUE(output);
  EXPECT_EQ(output->standardOutput, "product\n");
  EXPECT_EQ(output->standardError, "");
}

TEST(Process, MayWriteMoreThanAPipeHolds) {
  const ProcessOutput output = shell("head -c 300000 /dev/zero; head -c 200000 /dev/zero >&2");
  EXPECT_EQ(output.standardOutput.size(), 300000U);
  EXPECT_EQ(output.standardError.size(), 200000U);
}

TEST(Process, WordsAreNoShellText) {
  const auto output = runProcess({"echo", "a b;", "$HOME", "*"});
  ASSERT_TRUE(output);
  EXPECT_EQ(output->standardOutput, "a b; $HOME *\n");
}

TEST(Process, AProgramThatIsNotThereIsAMissingDependencyByName) {
  const auto output = runProcess({"/no/such/program", "--version"});
  ASSERT_FALSE(output);
  EXPECT_EQ(output.error().code, ErrorCode::MissingDependency);
  EXPECT_NE(output.error().message.find("/no/such/program"), std::string::npos);
}

} // namespace
} // namespace mlac
