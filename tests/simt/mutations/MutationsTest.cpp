// The mutation suite: whole kernels pass without a report, every seeded fault is caught by the
// check that is to catch it.
#include "tests/simt/mutations/Mutations.h"

#include "templates/Embedded.h"
#include "tests/simt/mutations/Check.h"
#include "tests/simt/mutations/Problems.h"
#include "tests/simt/mutations/Table.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>
#include <string_view>

namespace mlac::mutations {

// How gtest prints the rows.
std::ostream& operator<<(std::ostream& out, const SmallProblem& problem) {
  return out << problem.name;
}

std::ostream& operator<<(std::ostream& out, const Mutation& mutation) {
  return out << mutation.name;
}

namespace {

constexpr const char* kPage = MLAC_SOURCE_DIR "/docs/simt-mutations.md";
// Random orders that whole kernels must survive beside the fixed one.
constexpr int kSeedsOfWholeKernels = 3;

std::string talkOf(const Verdict& verdict) {
  return fmt::format("order {}: {}{}",
                     verdict.seed,
                     verdict.finding ? simt::describe(*verdict.finding) : "",
                     verdict.wrongOutput);
}

template <class Row>
std::string nameOf(const testing::TestParamInfo<Row>& info) {
  return info.param.name;
}

class WholeKernels : public testing::TestWithParam<SmallProblem> {};

TEST_P(WholeKernels, PassWithoutAReport) {
  const auto& bench = Bench::of(problemNamed(GetParam().name));
  ASSERT_TRUE(bench) << bench.error().message;
  for (const KernelRole role : {KernelRole::Attention, KernelRole::Convert, KernelRole::Merge}) {
    if (role == KernelRole::Convert && GetParam().variant.iterate != IterateKind::TopkLogical)
      continue;
    if (role == KernelRole::Merge && GetParam().name != "merge")
      continue;
    const Result<Verdict> verdict = (*bench)->run(role, {}, kSeedsOfWholeKernels);
    ASSERT_TRUE(verdict) << verdict.error().message;
    EXPECT_TRUE(verdict->clean()) << talkOf(*verdict);
  }
}

// PTX does not promise which lane elect.sync takes.
TEST_P(WholeKernels, DoNotRelyOnWhichLaneIsElected) {
  const auto& bench = Bench::of(problemNamed(GetParam().name));
  ASSERT_TRUE(bench) << bench.error().message;
  const std::vector<Edit> lastLane = {{"nothing is ordered\n  return threadIdx.x % 32 == 0;",
                                       "nothing is ordered\n  return threadIdx.x % 32 == 31;"}};
  const Result<Verdict> verdict = (*bench)->run(KernelRole::Attention, lastLane, 0);
  ASSERT_TRUE(verdict) << verdict.error().message;
  EXPECT_TRUE(verdict->clean()) << talkOf(*verdict);
}

INSTANTIATE_TEST_SUITE_P(Problems,
                         WholeKernels,
                         testing::ValuesIn(smallProblems()),
                         nameOf<SmallProblem>);

class Faults : public testing::TestWithParam<Mutation> {};

TEST_P(Faults, AreCaught) {
  const Mutation& mutation = GetParam();
  const auto& bench = Bench::of(problemNamed(mutation.problem));
  ASSERT_TRUE(bench) << bench.error().message;
  const Result<Verdict> verdict = (*bench)->run(mutation.kernel, mutation.edits, mutation.orders);
  ASSERT_TRUE(verdict) << mutation.name << ": " << verdict.error().message;
  ASSERT_FALSE(verdict->clean()) << mutation.name << " was not noticed";
  RecordProperty("caughtBy", verdict->finding ? simt::kindName(verdict->finding->kind) : "output");
  if (mutation.expected.empty()) {
    EXPECT_FALSE(verdict->finding) << "better than expected: " << talkOf(*verdict);
    return;
  }
  ASSERT_TRUE(verdict->finding) << "only the output is wrong: " << talkOf(*verdict);
  EXPECT_TRUE(
      std::count(mutation.expected.begin(), mutation.expected.end(), verdict->finding->kind) == 1)
      << "noticed as " << simt::kindName(verdict->finding->kind) << ": " << talkOf(*verdict);
  EXPECT_FALSE(verdict->finding->places.empty()) << talkOf(*verdict);
}

INSTANTIATE_TEST_SUITE_P(Suite, Faults, testing::ValuesIn(allMutations()), nameOf<Mutation>);

TEST(MutationTable, FaultsAreWhereTheySayTheyAre) {
  for (const Mutation& mutation : allMutations()) {
    const std::string file = "mlac/" + mutation.where;
    const auto templates = templateFiles();
    const auto found = std::find_if(
        templates.begin(), templates.end(), [&](const auto& text) { return text.name == file; });
    if (mutation.where == kEmitted) {
      for (const TemplateFile& text : templates)
        EXPECT_EQ(text.text.find(mutation.edits.front().pattern), std::string_view::npos)
            << mutation.name << " breaks " << text.name;
      continue;
    }
    ASSERT_NE(found, templates.end()) << mutation.name << " names " << file;
    for (const Edit& edit : mutation.edits)
      EXPECT_NE(found->text.find(edit.pattern), std::string_view::npos)
          << mutation.name << " is not in " << file;
  }
}

TEST(MutationTable, NamesDiffer) {
  std::set<std::string> names;
  for (const Mutation& mutation : allMutations())
    EXPECT_TRUE(names.insert(mutation.name).second) << mutation.name;
}

TEST(MutationTable, ThePageSaysWhatTheSuiteDoes) {
  std::ifstream file(kPage);
  ASSERT_TRUE(file) << kPage << " is missing; simt_mutations --write-table " << kPage;
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_EQ(text.str(), mutationPage()) << "simt_mutations --write-table " << kPage;
}

} // namespace
} // namespace mlac::mutations

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc == 3 && std::string_view(argv[1]) == "--write-table") {
    std::ofstream file(argv[2]);
    file << mlac::mutations::mutationPage();
    file.close();
    if (!file)
      std::cerr << "simt_mutations: cannot write " << argv[2] << "\n";
    return file ? 0 : 1;
  }
  return RUN_ALL_TESTS();
}
