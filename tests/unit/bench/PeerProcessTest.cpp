// A script that is given a request and answers on standard output.
#include "tools/bench/PeerProcess.h"

#include "runtime/FileIo.h"
#include "tools/bench/BenchRequest.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <unistd.h>

namespace mlac {
namespace {

class PeerProcess : public testing::Test {
protected:
  void SetUp() override {
    script = testing::TempDir() + "peers_" + std::to_string(getpid()) + ".sh";
  }

  void TearDown() override { std::remove(script.c_str()); }

  /// The script's answer, were it `text`.
  PeerOutput answerOf(const std::string& text, const std::string& request) {
    EXPECT_TRUE(replaceFile(script, text));
    const auto output = runPeers({"sh", script, "unused"}, request);
    EXPECT_TRUE(output) << output.error().message;
    return *output;
  }

  std::string script;
};

TEST_F(PeerProcess, ReadsTheRequestFromItsInput) {
  const PeerOutput output = answerOf("echo \"$1 $2\"; cat", "{\"batch\": [1]}");
  EXPECT_EQ(output.lines, "--request -\n{\"batch\": [1]}");
  EXPECT_EQ(output.status, 0);
}

TEST_F(PeerProcess, GivesItsExitCodeAndItsSignal) {
  EXPECT_EQ(answerOf("exit 2", "").status, 2);
  EXPECT_EQ(answerOf("kill -9 $$", "").status, 128 + 9);
}

TEST_F(PeerProcess, MayAnswerMoreThanAPipeHolds) {
  const PeerOutput output = answerOf("head -c 300000 /dev/zero | tr '\\0' x", "");
  EXPECT_EQ(output.lines.size(), 300000U);
}

TEST_F(PeerProcess, ThatIsNotThereIsMissing) {
  const auto output = runPeers({"/no/such/python", script, ""}, "");
  ASSERT_FALSE(output);
  EXPECT_EQ(output.error().code, ErrorCode::MissingDependency);
  EXPECT_NE(output.error().message.find("MLAC_PYTHON"), std::string::npos);
}

TEST_F(PeerProcess, TakesTheFilesTheRequestNames) {
  BenchRequest request;
  request.script = "some/compare.py";
  request.library = "some/libmlac.so";
  const auto files = findPeerFiles(request);
  ASSERT_TRUE(files) << files.error().message;
  EXPECT_EQ(files->script, "some/compare.py");
  EXPECT_EQ(files->library, "some/libmlac.so");
}

} // namespace
} // namespace mlac
