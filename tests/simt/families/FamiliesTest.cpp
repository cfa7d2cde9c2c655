// Every point of the compile matrix for sm_90 and sm_120: the generated kernels run thread by
// thread, nothing is found wrong, and outputs agree with the float64 reference.
#include "compiler/Compiler.h"
#include "runtime/CheckFamily.h"
#include "runtime/Family.h"
#include "simt/Simt.h"
#include "tests/nvrtc/Matrix.h"
#include "tools/gpu/DeviceProblem.h"
#include "tools/gpu/MergeOnGpu.h"
#include "tools/gpu/RunOnGpu.h"
#include "verify/Reference.h"
#include "verify/Tolerance.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace mlac {

/// A point, and whether it is also run on a batch cut by its lengths and has its merge run. Every
/// fifth is, which meets both targets and ropes: those kernels differ in little,
/// tests/simt/schedule and tests/simt/merge look at what they do, and two cores have minutes for
/// all of this.
struct Point : MatrixCase {
  bool balances = false;
};

/// For GoogleTest's messages.
static void PrintTo(const Point& point, std::ostream* out) {
  *out << point.variant.name << " for " << point.target->name;
}

namespace {

/// One launch of a family: which attention kernel, how rows are cut, in which order.
struct Launch {
  int kernel;
  int splits;
  bool balance;
  std::uint64_t seed;
};

void dropScheduleAndMerge(KernelFamily& family) {
  std::erase_if(family.kernels, [](const Kernel& kernel) {
    return kernel.role == KernelRole::Schedule || kernel.role == KernelRole::Merge;
  });
}

/// Each attention kernel on whole rows in the fixed order; the first on split ones in a random
/// order, and on a batch cut by its lengths where the family can.
std::vector<Launch> launchesOf(const KernelFamily& family) {
  constexpr int kSplits = 3;
  std::vector<Launch> launches;
  for (std::size_t i = 0; i < family.kernels.size(); ++i) {
    if (family.kernels[i].role != KernelRole::Attention)
      continue;
    const auto kernel = static_cast<int>(i);
    launches.push_back({kernel, 1, false, 0});
    if (launches.size() == 1) {
      launches.push_back({kernel, kSplits, false, 7});
      if (indexOfRole(family, KernelRole::Schedule) >= 0)
        launches.push_back({kernel, 0, true, 8});
    }
  }
  return launches;
}

/// Two tokens over a context that ends inside a tile and inside a page.
verify::ProblemOptions reduced(const Variant& variant) {
  constexpr int kTokens = 2;
  constexpr int kContext = 150;
  return verify::stressOptions(variant, kTokens, kContext, 5);
}

/// A variant whose top-k is cut to what two cores run in a second; the kernels differ in that
/// number only.
Variant reducedVariant(Variant variant) {
  constexpr int kMostEntries = 200;
  if (variant.topk > kMostEntries)
    variant.topk = kMostEntries - variant.topk % 16;
  return variant;
}

class Families : public testing::TestWithParam<Point> {};

std::string findingsOf(simt::Machine& machine) {
  std::string text;
  for (const simt::Finding& finding : machine.takeFindings())
    text += simt::describe(finding);
  return text;
}

TEST_P(Families, RunCleanAndAgreeWithTheReference) {
  const Variant variant = reducedVariant(GetParam().variant);
  CompileRequest request;
  request.variant = variant;
  request.target = GetParam().target;
  auto compiled = compileFamily(request);
  ASSERT_TRUE(compiled) << compiled.error().message;
  if (!GetParam().balances)
    dropScheduleAndMerge(compiled->family);
  const auto machine = simt::Machine::install({.target = std::string(request.target->name)});
  ASSERT_TRUE(machine) << machine.error().message;
  const auto device = Device::open(0);
  ASSERT_TRUE(device) << device.error().message;
  const auto family = loadFamily(compiled->family, *device, simt::hostCompiler());
  ASSERT_TRUE(family) << family.error().message;
  const auto problem = verify::makeProblem(variant, reduced(variant));
  ASSERT_TRUE(problem) << problem.error().message;
  const verify::Reference reference = verify::referenceAttention(*problem);

  for (const Launch& launch : launchesOf(compiled->family)) {
    SCOPED_TRACE(fmt::format("kernel {}, splits {}{}, seed {}",
                             launch.kernel,
                             launch.splits,
                             launch.balance ? ", balanced" : "",
                             launch.seed));
    (*machine)->setSeed(launch.seed);
    const GpuRunOptions options{
        .kernel = launch.kernel, .splits = launch.splits, .balance = launch.balance};
    const auto run = runOnGpu(*device, *family, *problem, options);
    ASSERT_EQ(findingsOf(**machine), "");
    ASSERT_TRUE(run) << run.error().message;
    const verify::Report report = verify::checkOutputs(
        *problem, run->outputs, reference, verify::tolerancesOf(verify::operationOf(*problem)));
    EXPECT_TRUE(report.passed()) << verify::describe(report);
  }
  if (family->variant().hasMerge) {
    const auto merged = checkDrawnMerges(*device, *family);
    ASSERT_EQ(findingsOf(**machine), "");
    ASSERT_TRUE(merged) << merged.error().message;
    EXPECT_TRUE(merged->passed()) << merged->firstWrong;
  }
  if (!family->variant().hasConvert)
    return;
  const auto uploaded = DeviceProblem::upload(*device, *problem);
  ASSERT_TRUE(uploaded) << uploaded.error().message;
  const auto converted = checkConvertOnGpu(*device, *family, *uploaded);
  ASSERT_EQ(findingsOf(**machine), "");
  ASSERT_TRUE(converted) << converted.error().message;
  EXPECT_TRUE(converted->passed()) << converted->firstWrong;
}

std::vector<Point> promisedPoints() {
  constexpr std::size_t kEvery = 5;
  std::vector<Point> points;
  for (const MatrixCase& point : compileMatrix(false))
    if (point.target->name == "sm_90" || point.target->name == "sm_120")
      points.push_back({point, points.size() % kEvery == 0});
  return points;
}

INSTANTIATE_TEST_SUITE_P(
    Matrix, Families, testing::ValuesIn(promisedPoints()), [](const auto& info) {
      return fmt::format("{}_{}_{}", info.index, info.param.variant.name, info.param.target->name);
    });

} // namespace
} // namespace mlac
