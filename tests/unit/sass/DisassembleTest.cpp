// Finding nvdisasm and running it; programs made here stand in for it.
#include "tools/sass/Disassemble.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace mlac::sass {
namespace {

/// A shell script in the test's own folder.
std::string script(const std::string& name, const std::string& text) {
  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / name;
  std::ofstream(path) << "#!/bin/sh\n" << text;
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  return path.string();
}

constexpr const char* kSays = "if [ \"$1\" = --version ]; then\n"
                              "  echo 'Cuda compilation tools, release 13.5, V13.5.37'; exit 0\n"
                              "fi\n";

TEST(Disassemble, TakesTheFirstProgramThatSaysItsRelease) {
  const std::string fails = script("fails", "exit 1\n");
  const std::string other = script("other", "echo something else\n");
  const std::string good = script("good", kSays);
  const auto found = findDisassembler({"/nonexistent/nvdisasm", fails, other, good});
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->program, good);
  EXPECT_EQ(found->version, "13.5");
}

TEST(Disassemble, NoProgramIsAnErrorThatSaysWhatWasTried) {
  const auto found = findDisassembler({"/nonexistent/nvdisasm"});
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::MissingDependency);
  EXPECT_NE(found.error().message.find("/nonexistent/nvdisasm"), std::string::npos);
  EXPECT_NE(found.error().message.find("MLAC_NVDISASM"), std::string::npos);
}

TEST(Disassemble, TheProgramIsGivenEveryByteOfTheCubin) {
  const std::string echoes =
      script("echoes", std::string(kSays) + "[ \"$1\" = -c ] && cat \"$2\"\n");
  const auto found = findDisassembler({echoes});
  ASSERT_TRUE(found);
  std::string cubin = "\x7f"
                      "ELF";
  cubin.append(100000, '\0');
  cubin += "end";
  const auto text = found->disassemble(cubin);
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_EQ(*text, cubin);
}

TEST(Disassemble, ARefusalCarriesTheProgramsWords) {
  const std::string refuses =
      script("refuses", std::string(kSays) + "echo 'sm_120 unknown' >&2; exit 1\n");
  const auto text = findDisassembler({refuses})->disassemble("x");
  ASSERT_FALSE(text);
  EXPECT_NE(text.error().message.find("sm_120 unknown"), std::string::npos);
}

TEST(Disassemble, TheEnvironmentsChoiceIsTheOnlyCandidate) {
  setenv("MLAC_NVDISASM", "/mine/nvdisasm", 1); // read once, by the first use in this process
  EXPECT_EQ(disassemblerCandidates(), std::vector<std::string>{"/mine/nvdisasm"});
}

} // namespace
} // namespace mlac::sass
