// Everything a schedule can be given that is wrong, each refused before the driver hears of it, and
// what a right one hands to the kernel; the same of the schedule that a launch is given.
#include "TestFamily.h"
#include "runtime/launch/Arguments.h"
#include "runtime/plan/Planner.h"

#include <functional>

namespace mlac::test {
namespace {

constexpr int kTokens = 8;
constexpr int kParts = 132;
constexpr std::size_t kBytes = 16 + kTokens * 16 + (kTokens + kParts) * 32;

Plan planOf(const Variant& variant, bool balance) {
  const auto plan = planLaunch(
      balancedFamilyOf(variant),
      132,
      {.tokens = kTokens, .requests = 4, .maxSeqLen = 4096, .kernel = 0, .balance = balance});
  EXPECT_TRUE(plan) << plan.error().message;
  return *plan;
}

template <typename T>
T* moved(T* pointer, std::intptr_t bytes) {
  return reinterpret_cast<T*>(reinterpret_cast<std::intptr_t>(pointer) + bytes);
}

struct Case {
  std::string name;
  Variant variant;
  std::function<void(ScheduleArgs&)> change;
  std::string words; ///< of the error
};

void PrintTo(const Case& one, std::ostream* out) {
  *out << one.name;
}

Result<CheckedLaunch> checkWith(const Case& one) {
  ScheduleArgs args = goodSchedule(one.variant);
  one.change(args);
  return checkSchedule(one.variant, planOf(one.variant, true), args);
}

std::string caseName(const testing::TestParamInfo<Case>& info) {
  return info.param.name;
}

class RefusedSchedule : public testing::TestWithParam<Case> {};

TEST_P(RefusedSchedule, NamesTheArgumentTheValueAndTheRule) {
  expectError(checkWith(GetParam()), ErrorCode::InvalidArgument, GetParam().words);
}

using A = ScheduleArgs&;

std::vector<Case> memoryCases() {
  const Variant dense = denseVariant();
  return {
      {"Null", dense, [](A a) { a.schedule.data = nullptr; }, "'schedule' is null"},
      {"Misaligned",
       dense,
       [](A a) { a.schedule.data = moved(a.schedule.data, 8); },
       "'schedule' is 0x340000008, which is not a multiple of 16"},
      {"TooSmall",
       dense,
       [](A a) { a.schedule.bytes = kBytes - 1; },
       "'schedule' has 4623 bytes; this plan needs 4624 (see Plan::scheduleBytes)"},
      {"OnSeqLens",
       dense,
       [](A a) { a.schedule.data = moved(const_cast<std::int32_t*>(a.seqLens), -16); },
       "overlaps 'seqLens'"},
      {"OnQueryStart",
       dense,
       [](A a) { a.queryStart = static_cast<std::int32_t*>(a.schedule.data); },
       "overlaps 'queryStart'"},
      {"OnTokenRequestsEnd",
       dense,
       [](A a) {
         a.keyEnd = at<std::int32_t>(64);
         a.tokenRequest = static_cast<std::int32_t*>(moved(a.schedule.data, kBytes - 4));
       },
       "overlaps 'tokenRequest'"},
      {"OnKeyEnd",
       dense,
       [](A a) { a.keyEnd = static_cast<std::int32_t*>(a.schedule.data); },
       "overlaps 'keyEnd'"},
      {"OnTopkLength",
       logicalVariant(),
       [](A a) { a.schedule.data = const_cast<std::int32_t*>(a.topkLength); },
       "overlaps 'topkLength'"},
  };
}

std::vector<Case> countCases() {
  const Variant dense = denseVariant();
  return {
      {"TokensNegative", dense, [](A a) { a.tokens = -2; }, "'tokens' is -2; it must lie between"},
      {"RequestsNegative",
       dense,
       [](A a) { a.requests = -2; },
       "'requests' is -2; it must lie between"},
      {"TokensBeyondPlan",
       dense,
       [](A a) { a.tokens = 9; },
       "'tokens' is 9, but the plan was made for 8; plan again"},
      {"RequestsZero", dense, [](A a) { a.requests = 0; }, "'requests' is 0 for 8 tokens"},
      {"NotUniform", dense, [](A a) { a.requests = 3; }, "tokens must be a multiple of requests"},
      {"TooManyQueries", dense, [](A a) { a.requests = 1; }, "the spec's queries allow 1 to 4"},
  };
}

std::vector<Case> lengthCases() {
  const Variant dense = denseVariant();
  const Variant topk = logicalVariant();
  const std::string topkWords = "' was given, but a top-k row is as long as topkLength says";
  return {
      {"SeqLensNull", dense, [](A a) { a.seqLens = nullptr; }, "'seqLens' is null"},
      {"SeqLensMisaligned",
       dense,
       [](A a) { a.seqLens = moved(a.seqLens, 2); },
       "'seqLens' is 0xc0000002"},
      {"BothRequestTables",
       dense,
       [](A a) {
         a.queryStart = at<std::int32_t>(64);
         a.tokenRequest = at<std::int32_t>(128);
       },
       "'tokenRequest' and 'queryStart' were both given"},
      {"TokenRequestWithoutKeyEnd",
       dense,
       [](A a) { a.tokenRequest = at<std::int32_t>(64); },
       "does not say where in its request a token stands"},
      {"TopkLengthForDense",
       dense,
       [](A a) { a.topkLength = at<std::int32_t>(64); },
       "'topkLength' was given, but the variant is not top-k"},
      {"TopkLengthMisaligned",
       topk,
       [](A a) { a.topkLength = moved(a.topkLength, 1); },
       "'topkLength' is 0x380000001"},
      {"SeqLensForTopk",
       topk,
       [](A a) { a.seqLens = at<std::int32_t>(64); },
       "'seqLens" + topkWords},
      {"KeyEndForTopk", topk, [](A a) { a.keyEnd = at<std::int32_t>(64); }, "'keyEnd" + topkWords},
      {"QueryStartForTopk",
       topk,
       [](A a) { a.queryStart = at<std::int32_t>(64); },
       "'queryStart" + topkWords},
      {"TokenRequestForTopk",
       topk,
       [](A a) { a.tokenRequest = at<std::int32_t>(64); },
       "'tokenRequest" + topkWords},
  };
}

INSTANTIATE_TEST_SUITE_P(Memory, RefusedSchedule, testing::ValuesIn(memoryCases()), caseName);
INSTANTIATE_TEST_SUITE_P(Counts, RefusedSchedule, testing::ValuesIn(countCases()), caseName);
INSTANTIATE_TEST_SUITE_P(Lengths, RefusedSchedule, testing::ValuesIn(lengthCases()), caseName);

class AcceptedSchedule : public testing::TestWithParam<Case> {};

TEST_P(AcceptedSchedule, Passes) {
  const auto checked = checkWith(GetParam());
  EXPECT_TRUE(checked) << checked.error().message;
}

std::vector<Case> acceptedCases() {
  const Variant dense = denseVariant();
  Variant physical = logicalVariant();
  physical.iterate = IterateKind::TopkPhysical;
  return {
      {"Plain", dense, [](A) {}, ""},
      {"ExactlyLargeEnough", dense, [](A a) { a.schedule.bytes = kBytes; }, ""},
      {"RightBehindSeqLens",
       dense,
       [](A a) { a.schedule.data = moved(const_cast<std::int32_t*>(a.seqLens), 16); },
       ""},
      {"QueryStart", dense, [](A a) { a.queryStart = at<std::int32_t>(64); }, ""},
      {"TokenRequestWithKeyEnd",
       dense,
       [](A a) {
         a.tokenRequest = at<std::int32_t>(64);
         a.keyEnd = at<std::int32_t>(128);
       },
       ""},
      {"TopkWithLengths", logicalVariant(), [](A) {}, ""},
      {"TopkOfFullRows", logicalVariant(), [](A a) { a.topkLength = nullptr; }, ""},
      {"TopkOfSlots", physical, [](A a) { a.requests = 0; }, ""},
  };
}

INSTANTIATE_TEST_SUITE_P(All, AcceptedSchedule, testing::ValuesIn(acceptedCases()), caseName);

TEST(ScheduleArguments, ValuesAreThePlansAndTheCallers) {
  const Plan plan = planOf(denseVariant(), true);
  ScheduleArgs args = goodSchedule(denseVariant());
  args.queryStart = at<std::int32_t>(64);
  args.keyEnd = at<std::int32_t>(128);
  args.tokens = 4;
  args.requests = 2;
  const auto checked = checkSchedule(denseVariant(), plan, args);
  ASSERT_TRUE(checked) << checked.error().message;
  const auto address = [](const void* data) { return reinterpret_cast<std::uintptr_t>(data); };
  EXPECT_EQ(checked->values.get(Param::tokens), 4U);
  EXPECT_EQ(checked->values.get(Param::requests), 2U);
  EXPECT_EQ(checked->values.get(Param::parts), std::uint64_t{kParts});
  EXPECT_EQ(checked->values.get(Param::pieceTiles), 13U);
  EXPECT_EQ(checked->values.get(Param::schedule), address(args.schedule.data));
  EXPECT_EQ(checked->values.get(Param::seqLens), address(args.seqLens));
  EXPECT_EQ(checked->values.get(Param::queryStart), 64U);
  EXPECT_EQ(checked->values.get(Param::keyEnd), 128U);
  EXPECT_EQ(checked->values.get(Param::tokenRequest), 0U);
}

TEST(ScheduleArguments, TokensAndRequestsAreThePlansUnlessSaid) {
  const auto checked =
      checkSchedule(denseVariant(), planOf(denseVariant(), true), goodSchedule(denseVariant()));
  ASSERT_TRUE(checked) << checked.error().message;
  EXPECT_EQ(checked->values.get(Param::tokens), std::uint64_t{kTokens});
  EXPECT_EQ(checked->values.get(Param::requests), 4U);
}

LaunchArgs launchWith(const void* schedule) {
  LaunchArgs args = goodArgs(denseVariant());
  args.schedule = schedule;
  return args;
}

TEST(ScheduleOfALaunch, WrongOnesAreRefused) {
  const Plan plan = planOf(denseVariant(), true);
  const LaunchArgs good = launchWith(goodSchedule(denseVariant()).schedule.data);
  const auto refused = [&](const void* schedule, const std::string& words) {
    expectError(
        checkLaunch(denseVariant(), plan, launchWith(schedule)), ErrorCode::InvalidArgument, words);
  };
  refused(nullptr, "'schedule' is null");
  refused(moved(good.schedule, 4), "'schedule' is 0x340000004, which is not a multiple of 16");
  refused(moved(good.out.data, -16), "overlaps 'schedule'");
  refused(moved(good.workspace.data, 1024), "overlaps 'schedule'");
  refused(moved(good.out.data, 16 - static_cast<std::intptr_t>(kBytes)), "overlaps 'schedule'");
  expectError(checkLaunch(denseVariant(), planOf(denseVariant(), false), good),
              ErrorCode::InvalidArgument,
              "'schedule' was given, but the plan does not balance; plan with PlanShape::balance");
}

TEST(ScheduleOfALaunch, ARightOneIsPassedOnWithTheSlotsOfItsParts) {
  LaunchArgs args = launchWith(goodSchedule(denseVariant()).schedule.data);
  args.workspace.bytes = workspaceLayout(denseVariant(), 262).bytes;
  const Plan plan = planOf(denseVariant(), true);
  const auto checked = checkLaunch(denseVariant(), plan, args);
  ASSERT_TRUE(checked) << checked.error().message;
  EXPECT_EQ(checked->values.get(Param::schedule), reinterpret_cast<std::uintptr_t>(args.schedule));
  EXPECT_EQ(checked->values.get(Param::splits), 1U);
  args.workspace.bytes -= 1;
  expectError(checkLaunch(denseVariant(), plan, args),
              ErrorCode::InvalidArgument,
              "'workspace' has 4301055 bytes; this launch needs 4301056");
}

} // namespace
} // namespace mlac::test
