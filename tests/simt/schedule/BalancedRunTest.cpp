// Batches cut by their lengths, from schedule to outputs: rows in pieces give what whole ones do.
#include "tests/simt/schedule/CutLists.h"
#include "tools/gpu/DeviceProblem.h"
#include "verify/Reference.h"
#include "verify/Tolerance.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace mlac {

/// For GoogleTest's messages.
static void PrintTo(const Variant& variant, std::ostream* out) {
  *out << variant.name;
}

namespace cuts {
namespace {

constexpr int kSeeds = 3; // random orders beside the fixed one

/// Three tiles of 8 heads, the last with three.
Variant denseVariant() {
  Variant variant;
  variant.name = "dense";
  variant.heads = 19;
  variant.latent = 64;
  variant.rope = 32;
  variant.page = 16;
  variant.scale = 0.7F;
  variant.lse = LseMode::Natural;
  variant.maxLogit = true;
  variant.maxQueries = 0;
  variant.causal = true;
  return variant;
}

Variant windowVariant() {
  Variant variant = denseVariant();
  variant.name = "window";
  variant.causal = false;
  variant.maxQueries = 1;
  variant.iterate = IterateKind::Window;
  variant.window = 150;
  return variant;
}

Variant topkVariant() {
  Variant variant = denseVariant();
  variant.name = "topk";
  variant.iterate = IterateKind::TopkLogical;
  variant.topk = 250;
  return variant;
}

/// Requests of all lengths up to 300 keys, and every difficulty that does not empty their rows.
Result<verify::Problem> problemOf(const Variant& variant) {
  verify::ProblemOptions options = verify::stressOptions(variant, 9, 300, 3);
  options.requests = 5;
  options.explicitKeyEnd = options.emptyRows = false;
  return verify::makeProblem(variant, options);
}

struct BalancedRun {
  verify::Outputs outputs;
  CutList list;
};

ScheduleArgs
scheduleArgs(const Variant& variant, const LaunchArgs& launch, const DeviceBuffer& memory) {
  ScheduleArgs args;
  args.schedule = {memory.at(), memory.size()};
  if (variant.isTopk()) {
    args.topkLength = launch.topkLength;
    return args;
  }
  args.queryStart = launch.queryStart;
  args.tokenRequest = launch.tokenRequest;
  args.seqLens = launch.seqLens;
  args.keyEnd = launch.keyEnd;
  return args;
}

/// Schedules in each of the plans' ways in turn, into the same memory, then launches the last plan.
Result<BalancedRun>
runPlans(const SimtSession& session, const verify::Problem& problem, std::span<const Plan> plans) {
  MLAC_TRY(uploaded, DeviceProblem::upload(session.device, problem));
  LaunchArgs args = uploaded.launchArgs();
  std::size_t bytes = 0;
  for (const Plan& plan : plans)
    bytes = std::max(bytes, plan.scheduleBytes);
  MLAC_TRY(schedule, DeviceBuffer::allocate(session.device, bytes));
  MLAC_CHECK(schedule.fill(verify::kFillByte));
  for (const Plan& plan : plans)
    MLAC_CHECK(
        session.family.schedule(plan, scheduleArgs(problem.variant, args, schedule), nullptr));
  const Plan& last = plans.back();
  MLAC_TRY(workspace, DeviceBuffer::allocate(session.device, last.workspaceBytes));
  MLAC_CHECK(workspace.fill(verify::kFillByte));
  args.workspace = {workspace.at(), workspace.size()};
  args.schedule = schedule.at();
  MLAC_CHECK(session.family.launch(last, args, nullptr));
  MLAC_TRY(outputs, uploaded.download());
  MLAC_TRY(list, readList(schedule, problem.tokens));
  return BalancedRun{std::move(outputs), std::move(list)};
}

int cutRows(const CutList& list) {
  return static_cast<int>(std::count_if(
      list.cuts.begin(), list.cuts.end(), [](const Cut& cut) { return cut.splits > 1; }));
}

int mostPieces(const CutList& list) {
  int most = 0;
  for (const Cut& cut : list.cuts)
    most = std::max(most, cut.splits);
  return most;
}

class BalancedRuns : public testing::TestWithParam<Variant> {
protected:
  void SetUp() override {
    auto opened = openVariant(GetParam());
    ASSERT_TRUE(opened) << opened.error().message;
    session.emplace(std::move(*opened));
    auto drawn = problemOf(GetParam());
    ASSERT_TRUE(drawn) << drawn.error().message;
    problem = std::move(*drawn);
    reference = verify::referenceAttention(problem);
  }

  Plan planOf(Division division, int kernel = -1) const {
    const auto plan =
        planDivided(session->family, problem.tokens, problem.requests, division, kernel);
    EXPECT_TRUE(plan) << plan.error().message;
    return *plan;
  }

  void expectRight(const verify::Outputs& outputs) const {
    const verify::Report report = verify::checkOutputs(
        problem, outputs, reference, verify::tolerancesOf(verify::operationOf(problem)));
    EXPECT_TRUE(report.passed()) << verify::describe(report);
  }

  /// Runs in the fixed order and in random ones; the last list.
  void expectRightInAllOrders(std::span<const Plan> plans, CutList& list) {
    for (std::uint64_t seed = 0; seed <= kSeeds; ++seed) {
      SCOPED_TRACE(fmt::format("seed {}", seed));
      session->machine->setSeed(seed);
      const auto run = runPlans(*session, problem, plans);
      ASSERT_TRUE(run) << run.error().message;
      expectRight(run->outputs);
      list = run->list;
    }
  }

  std::optional<SimtSession> session;
  verify::Problem problem;
  verify::Reference reference;
};

TEST_P(BalancedRuns, CutRowsAgreeWithTheReferenceWhicheverKernelRuns) {
  const KernelFamily& family = kernelFamilyOf(session->family);
  for (const PlanRow& row : family.table) {
    if (family.kernels[static_cast<std::size_t>(row.kernel)].queryGroup > 1)
      continue; // of tokens one by one
    SCOPED_TRACE(fmt::format("kernel {}", row.kernel));
    CutList list;
    expectRightInAllOrders(std::vector{planOf({4, 1}, row.kernel)}, list);
    EXPECT_GE(cutRows(list), 1);
  }
}

TEST_P(BalancedRuns, RowsInManyPiecesAgreeWithTheReference) {
  CutList list;
  expectRightInAllOrders(std::vector{planOf({1000, 1})}, list);
  EXPECT_GE(cutRows(list), 3);
  EXPECT_GE(mostPieces(list), 5);
}

TEST_P(BalancedRuns, ABatchInOnePartCutsNothingAndAgreesWithTheReference) {
  CutList list;
  expectRightInAllOrders(std::vector{planOf({1, 1})}, list);
  EXPECT_EQ(cutRows(list), 0);
}

// As when a captured step is replayed with other lengths: the memory holds the pieces of the last.
TEST_P(BalancedRuns, NothingIsLeftOfALongerListInTheSameMemory) {
  CutList list;
  expectRightInAllOrders(std::vector{planOf({1000, 1}), planOf({4, 1})}, list);
  EXPECT_GE(cutRows(list), 1);
}

TEST_P(BalancedRuns, ThePlannersOwnDivisionAgreesWithTheReference) {
  KernelFamily family = kernelFamilyOf(session->family);
  for (PlanRow& row : family.table)
    row.fixedNs = 2 * row.tileNs; // cheap pieces, so that rows this short are cut
  session.reset();
  auto opened = openSimt(family);
  ASSERT_TRUE(opened) << opened.error().message;
  session.emplace(std::move(*opened));
  const auto plan = planFor(session->family, problem, {.balance = true});
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(plan->pieceTiles, 2);
  const auto cut = runPlans(*session, problem, std::vector{*plan});
  ASSERT_TRUE(cut) << cut.error().message;
  EXPECT_GE(cutRows(cut->list), 3);
  for (std::uint64_t seed = 0; seed <= kSeeds; ++seed) {
    session->machine->setSeed(seed);
    const auto run = runOnGpu(session->device, session->family, problem, {.balance = true});
    ASSERT_TRUE(run) << run.error().message;
    expectRight(run->outputs);
  }
}

INSTANTIATE_TEST_SUITE_P(All,
                         BalancedRuns,
                         testing::Values(denseVariant(), windowVariant(), topkVariant()),
                         [](const auto& info) { return info.param.name; });

} // namespace
} // namespace cuts
} // namespace mlac
