// Every launch argument that can be wrong, each with its typed error, before the driver hears of
// the launch.
#include "runtime/launch/Arguments.h"

#include "TestFamily.h"
#include "runtime/plan/Planner.h"

#include <functional>
#include <limits>

namespace mlac::test {
namespace {

struct Case {
  std::string name;
  std::function<void(Variant&, PlanShape&, LaunchArgs&)> change;
  std::string words; ///< of the error
};

void PrintTo(const Case& one, std::ostream* out) {
  *out << one.name;
}

Result<CheckedLaunch> checkWith(const Case& one) {
  Variant variant = logicalVariant();
  PlanShape shape{.tokens = 8, .requests = 4, .maxSeqLen = 4096, .splits = 4};
  Variant changed = variant;
  LaunchArgs unused;
  PlanShape unusedShape;
  one.change(changed, unusedShape, unused);
  LaunchArgs args = goodArgs(changed);
  Variant again = variant;
  one.change(again, shape, args);
  const auto plan = planLaunch(familyOf(again), 132, shape);
  if (!plan)
    return plan.error();
  return checkLaunch(again, *plan, args);
}

class RefusedArgument : public testing::TestWithParam<Case> {};

TEST_P(RefusedArgument, NamesTheArgumentTheValueAndTheRule) {
  expectError(checkWith(GetParam()), ErrorCode::InvalidArgument, GetParam().words);
}

template <typename T>
T* moved(T* pointer, std::intptr_t bytes) {
  return reinterpret_cast<T*>(reinterpret_cast<std::intptr_t>(pointer) + bytes);
}

using V = Variant&;
using S = PlanShape&;
using A = LaunchArgs&;

const std::vector<Case> kPointers = {
    {"QueryNull", [](V, S, A a) { a.q.data = nullptr; }, "'q' is null, and so is qLatent"},
    {"QueryTwice", [](V, S, A a) { a.qLatent.data = at<void>(64); }, "'q' was given along with"},
    {"QueryOdd", [](V, S, A a) { a.q.data = moved(a.q.data, 2); }, "'q' is 0x40000002"},
    {"RopeMissing",
     [](V, S, A a) { std::swap(a.q.data, a.qLatent.data); },
     "'qRope' is null, and this variant needs it"},
    {"RopeForNoRope",
     [](V v, S, A a) {
       v.rope = 0;
       std::swap(a.q.data, a.qLatent.data);
       a.qRope.data = at<void>(64);
     },
     "'qRope' was given, but 'glm5_decode' has rope 0"},
    {"CacheNull", [](V, S, A a) { a.cache.base = nullptr; }, "'cache.base' is null"},
    {"CacheMisaligned",
     [](V, S, A a) { a.cache.base = moved(a.cache.base, 8); },
     "not a multiple of 16"},
    {"BlockTableNull", [](V, S, A a) { a.blockTable.data = nullptr; }, "'blockTable' is null"},
    {"SeqLensNull", [](V, S, A a) { a.seqLens = nullptr; }, "'seqLens' is null"},
    {"SeqLensMisaligned",
     [](V, S, A a) { a.seqLens = moved(a.seqLens, 1); },
     "'seqLens' is 0xc0000001"},
    {"IndicesNull", [](V, S, A a) { a.indices.data = nullptr; }, "'indices' is null"},
    {"OutNull", [](V, S, A a) { a.out.data = nullptr; }, "'out' is null"},
    {"OutMisaligned",
     [](V, S, A a) { a.out.data = moved(a.out.data, 4); },
     "'out' is 0x140000004, which is not a multiple of 8 bytes"},
    {"LseNull", [](V, S, A a) { a.lse.data = nullptr; }, "'lse' is null"},
    {"LseMisaligned", [](V, S, A a) { a.lse.data = moved(a.lse.data, 2); }, "not a multiple of 4"},
    {"LseUnwanted",
     [](V v, S, A a) {
       v.lse = LseMode::None;
       a.lse.data = at<void>(64);
     },
     "has no 'lse' output"},
    {"MaxLogitNull",
     [](V v, S, A a) {
       v.maxLogit = true;
       a.maxLogit.data = nullptr;
     },
     "'maxLogit' is null"},
    {"MaxLogitUnwanted",
     [](V, S, A a) { a.maxLogit.data = at<void>(64); },
     "has no 'max_logit' output"},
    {"WorkspaceNull", [](V, S, A a) { a.workspace.data = nullptr; }, "'workspace' is null"},
    {"WorkspaceMisaligned",
     [](V, S, A a) { a.workspace.data = moved(a.workspace.data, 128); },
     "not a multiple of 256"},
    {"WorkspaceTooSmall",
     [](V, S, A a) { a.workspace.bytes = 1000; },
     "'workspace' has 1000 bytes; this launch needs 525312"},
};

const std::vector<Case> kStrides = {
    {"QueryHeadStrideSmall",
     [](V, S, A a) { a.q.headStride = 574; },
     "[8, 8, 576] has token stride 4592 and head stride 574: rows overlap"},
    {"QueryTokenStrideSmall", [](V, S, A a) { a.q.tokenStride = 600; }, "rows overlap"},
    {"QueryStrideOdd",
     [](V, S, A a) { a.q.headStride = 577; },
     "rows must begin at multiples of 4 bytes, so strides must be even"},
    {"QueryStrideNegative", [](V, S, A a) { a.q.tokenStride = -4608; }, "must not be negative"},
    {"OutHeadStrideSmall", [](V, S, A a) { a.out.headStride = 511; }, "'out' [8, 8, 512]"},
    {"OutTokenStrideSmall", [](V, S, A a) { a.out.tokenStride = 4095; }, "rows overlap"},
    {"OutHeadStrideNotAligned",
     [](V, S, A a) { a.out.headStride = 514; },
     "'out' has token stride 4112 and head stride 514; they must be multiples of 4"},
    {"OutTokenStrideNotAligned",
     [](V, S, A a) { a.out.tokenStride = 4098; },
     "they must be multiples of 4"},
    {"StrideBeyondMemory",
     [](V, S, A a) { a.out.tokenStride = std::numeric_limits<std::int64_t>::max() / 2; },
     "reach beyond any memory"},
    {"TokenStrideNotAligned",
     [](V, S, A a) { a.cache.tokenStrideBytes = 1160; },
     "'cache.tokenStrideBytes' is 1160, which is not a multiple of 16"},
    {"TokenStrideSmall", [](V, S, A a) { a.cache.tokenStrideBytes = 1136; }, "rows overlap"},
    {"PageStrideNotAligned",
     [](V, S, A a) { a.cache.pageStrideBytes = 64 * 1152 + 8; },
     "'cache.pageStrideBytes' is 73736"},
    {"PageStrideSmall", [](V, S, A a) { a.cache.pageStrideBytes = 1136; }, "rows overlap"},
    {"OnePageStrideSmall",
     [](V v, S, A a) {
       v.page = 1;
       a.cache.slots = 1;
       a.cache.pageStrideBytes = 1136;
     },
     "less than one record of 1152 bytes"},
    {"BlockTableStrideSmall", [](V, S, A a) { a.blockTable.stride = 4095; }, "'blockTable'"},
    {"BlockTableEmpty", [](V, S, A a) { a.blockTable.columns = 0; }, "'blockTable.columns' is 0"},
    {"BlockTableColumnsNegative",
     [](V, S, A a) { a.blockTable.columns = -1; },
     "'blockTable.columns' is -1"},
    {"IndicesStrideSmall", [](V, S, A a) { a.indices.stride = 2047; }, "'indices'"},
    {"IndicesColumnsWrong",
     [](V, S, A a) { a.indices.columns = 1024; },
     "'indices.columns' is 1024; 'glm5_decode' reads 2048"},
    {"SlotsNegative", [](V, S, A a) { a.cache.slots = -1; }, "'cache.slots' is -1"},
};

const std::vector<Case> kCounts = {
    {"TokensNegative", [](V, S, A a) { a.tokens = -2; }, "'tokens' is -2"},
    {"RequestsNegative", [](V, S, A a) { a.requests = -2; }, "'requests' is -2"},
    {"TokensBeyondPlan",
     [](V, S, A a) { a.tokens = 9; },
     "'tokens' is 9, but the plan was made for 8"},
    {"RequestsZero", [](V, S, A a) { a.requests = 0; }, "'requests' is 0 for 8 tokens"},
    {"NotUniform", [](V, S, A a) { a.requests = 3; }, "tokens must be a multiple of requests"},
    {"TooManyQueries",
     [](V, S, A a) { a.requests = 1; },
     "is 1 for 8 tokens, 8 a request; the spec's queries allow 1 to 4"},
    {"TooFewQueries",
     [](V v, S, A) { v.minQueries = 3; },
     "2 a request; the spec's queries allow 3 to 4"},
    {"BothRequestTables",
     [](V, S, A a) {
       a.queryStart = at<std::int32_t>(64);
       a.tokenRequest = at<std::int32_t>(128);
     },
     "'tokenRequest' and 'queryStart' were both given"},
    {"TokenRequestCausal",
     [](V, S, A a) { a.tokenRequest = at<std::int32_t>(64); },
     "does not say where in its request a token stands, which 'glm5_decode' needs (causal)"},
    {"TokenRequestWindow",
     [](V v, S, A a) {
       v.iterate = IterateKind::Window;
       v.window = 128;
       v.causal = false;
       a.tokenRequest = at<std::int32_t>(64);
     },
     "needs (window)"},
    {"ScaleFixed", [](V, S, A a) { a.scale = 1.0F; }, "fixes it at 0.0625"},
    {"ScaleMissing",
     [](V v, S, A a) {
       v.scale.reset();
       a.scale.reset();
     },
     "'scale' is missing"},
    {"ScaleTwice",
     [](V v, S, A a) {
       v.scale.reset();
       a.scaleDevice = at<float>(64);
     },
     "'scale' and 'scaleDevice' were both given"},
    {"ScaleNotFinite",
     [](V v, S, A a) {
       v.scale.reset();
       a.scale = std::numeric_limits<float>::infinity();
     },
     "'scale' is inf"},
    {"IndicesForDense",
     [](V v, S, A a) {
       v.iterate = IterateKind::Dense;
       a.indices.data = at<std::int32_t>(64);
     },
     "'indices' was given, but 'glm5_decode' is not top-k"},
    {"KeyEndForPhysical",
     [](V v, S, A a) {
       v.iterate = IterateKind::TopkPhysical;
       v.causal = false;
       a.keyEnd = at<std::int32_t>(64);
     },
     "takes physical indices and would not read it"},
};

const std::vector<Case> kOverlaps = {
    {"OutOnQuery",
     [](V, S, A a) { a.out.data = moved(const_cast<void*>(a.q.data), 128); },
     "overlaps 'q'"},
    {"OutOnCacheEnd",
     [](V, S, A a) {
       a.out.data = moved(const_cast<void*>(a.cache.base), (std::intptr_t{1} << 20) * 1152 - 8);
     },
     "overlaps 'cache'"},
    {"OutOnIndices",
     [](V, S, A a) { a.out.data = const_cast<std::int32_t*>(a.indices.data); },
     "'out' covers bytes 0x100000000 to 0x100010000 and overlaps 'indices'"},
    {"LseOnOut",
     [](V, S, A a) { a.lse.data = moved(a.out.data, 8 * 8 * 512 * 2 - 4); },
     "overlaps 'lse'"},
    {"LseOnSeqLens",
     [](V, S, A a) { a.lse.data = const_cast<std::int32_t*>(a.seqLens); },
     "overlaps 'seqLens'"},
    {"WorkspaceOnOut", [](V, S, A a) { a.workspace.data = a.out.data; }, "overlaps 'workspace'"},
    {"WorkspaceOnBlockTable",
     [](V, S, A a) { a.workspace.data = const_cast<std::int32_t*>(a.blockTable.data); },
     "overlaps 'blockTable'"},
    {"OutOnQueryStart",
     [](V, S, A a) { a.queryStart = static_cast<std::int32_t*>(a.out.data); },
     "overlaps 'queryStart'"},
};

std::string caseName(const testing::TestParamInfo<Case>& info) {
  return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(Pointers, RefusedArgument, testing::ValuesIn(kPointers), caseName);
INSTANTIATE_TEST_SUITE_P(Strides, RefusedArgument, testing::ValuesIn(kStrides), caseName);
INSTANTIATE_TEST_SUITE_P(Counts, RefusedArgument, testing::ValuesIn(kCounts), caseName);
INSTANTIATE_TEST_SUITE_P(Overlaps, RefusedArgument, testing::ValuesIn(kOverlaps), caseName);

class AcceptedArgument : public testing::TestWithParam<Case> {};

TEST_P(AcceptedArgument, Passes) {
  const auto checked = checkWith(GetParam());
  EXPECT_TRUE(checked) << checked.error().message;
}

const std::vector<Case> kAccepted = {
    {"Plain", [](V, S, A) {}, ""},
    {"OutRightBehindCache",
     [](V, S, A a) {
       a.out.data = moved(const_cast<void*>(a.cache.base), (std::intptr_t{1} << 20) * 1152);
     },
     ""},
    {"OutRightBehindCutPage",
     [](V, S, A a) {
       a.cache.slots = 65;
       a.out.data = moved(const_cast<void*>(a.cache.base), 65 * 1152);
     },
     ""},
    {"TransposedLatentView",
     [](V, S, A a) {
       a.qRope = {.data = moved(a.q.data, 1 << 20)};
       a.qLatent = {.data = a.q.data, .tokenStride = 512, .headStride = 8 * 512};
       a.q.data = nullptr;
     },
     ""},
    {"PaddedStrides",
     [](V, S, A a) {
       a.out.headStride = 520;
       a.cache.tokenStrideBytes = 1168;
       a.cache.pageStrideBytes = 65 * 1168;
       a.indices.stride = 2100;
     },
     ""},
    {"FewerTokensThanPlanned", [](V, S, A a) { a.tokens = 4; }, ""},
    {"TokenRequestWithKeyEnd",
     [](V, S, A a) {
       a.tokenRequest = at<std::int32_t>(64);
       a.keyEnd = at<std::int32_t>(128);
     },
     ""},
    {"TokenRequestOneQuery",
     [](V v, S, A a) {
       v.maxQueries = 1;
       a.tokenRequest = at<std::int32_t>(64);
     },
     ""},
    {"QueryStartNotUniform",
     [](V, S, A a) {
       a.requests = 3;
       a.queryStart = at<std::int32_t>(64);
     },
     ""},
    {"NoWorkspaceForOneSplit",
     [](V, S s, A a) {
       s.splits = 1;
       a.workspace = {};
     },
     ""},
    {"EmptyCache", [](V, S, A a) { a.cache.slots = 0; }, ""},
    {"ScaleOnDevice",
     [](V v, S, A a) {
       v.scale.reset();
       a.scale.reset();
       a.scaleDevice = at<float>(64);
     },
     ""},
    {"PhysicalWithoutRequests",
     [](V v, S s, A) {
       v.iterate = IterateKind::TopkPhysical;
       v.causal = false;
       s.requests = 0;
     },
     ""},
    {"HeadMajorLse", [](V, S, A a) { a.lse = {a.lse.data, 1, 8}; }, ""},
};

INSTANTIATE_TEST_SUITE_P(All, AcceptedArgument, testing::ValuesIn(kAccepted), caseName);

TEST(Arguments, ContiguousStridesAreFilledIn) {
  const auto checked = checkWith({"", [](V, S, A) {}, ""});
  ASSERT_TRUE(checked) << checked.error().message;
  const auto value = [&](Param param) {
    return static_cast<std::int64_t>(checked->values.get(param));
  };
  EXPECT_EQ(value(Param::qLatentHeadStride), 576);
  EXPECT_EQ(value(Param::qLatentTokenStride), 8 * 576);
  EXPECT_EQ(value(Param::qRope) - value(Param::qLatent), 512 * 2);
  EXPECT_EQ(value(Param::qRopeHeadStride), 576);
  EXPECT_EQ(value(Param::tokenStrideBytes), 1152);
  EXPECT_EQ(value(Param::pageStrideBytes), 64 * 1152);
  EXPECT_EQ(value(Param::blockTableStride), 4096);
  EXPECT_EQ(value(Param::maxPages), 4096);
  EXPECT_EQ(value(Param::indicesStride), 2048);
  EXPECT_EQ(value(Param::outTokenStride), 8 * 512);
  EXPECT_EQ(value(Param::lseHeadStride), 1);
  EXPECT_EQ(value(Param::lseTokenStride), 8);
  EXPECT_EQ(value(Param::partialLse) - value(Param::partialOut), 8 * 8 * 4 * 512 * 4);
}

ConvertArgs goodConvert() {
  const LaunchArgs args = goodArgs(logicalVariant());
  return {.tokens = 8,
          .requests = 4,
          .indices = args.indices,
          .blockTable = args.blockTable,
          .seqLens = args.seqLens,
          .slots = 1 << 20,
          .slotsOut = at<std::int32_t>(std::uintptr_t{1} << 40)};
}

TEST(ConvertArguments, GoodOnesPass) {
  const auto checked = checkConvert(logicalVariant(), goodConvert());
  ASSERT_TRUE(checked) << checked.error().message;
  EXPECT_EQ(checked->values.get(Param::slotsPerBlock), 64U);
  EXPECT_EQ(checked->values.get(Param::slotsOutStride), 2048U);
}

TEST(ConvertArguments, WrongOnesAreRefused) {
  const auto refused = [](const std::function<void(ConvertArgs&)>& change,
                          const std::string& words) {
    ConvertArgs args = goodConvert();
    change(args);
    expectError(checkConvert(logicalVariant(), args), ErrorCode::InvalidArgument, words);
  };
  refused([](ConvertArgs& a) { a.slotsOut = nullptr; }, "'slotsOut' is null");
  refused([](ConvertArgs& a) { a.slotsOutStride = 2047; }, "'slotsOut'");
  refused([](ConvertArgs& a) { a.slotsOut = const_cast<std::int32_t*>(a.indices.data); },
          "overlaps 'indices'");
  refused([](ConvertArgs& a) { a.validCounts = a.slotsOut; }, "overlaps 'validCounts'");
  refused([](ConvertArgs& a) { a.slotsPerBlock = 63; }, "'slotsPerBlock' is 63");
  refused([](ConvertArgs& a) { a.slots = 0; }, "'slots' is 0");
  refused([](ConvertArgs& a) { a.tokens = -1; }, "'tokens' is -1");
}

TEST(ConvertArguments, SlotsThatDoNotFitI32AreRefusedAtTheEdge) {
  ConvertArgs args = goodConvert();
  args.slots = std::int64_t{1} << 31;
  EXPECT_TRUE(checkConvert(logicalVariant(), args));
  args.slots += 1;
  expectError(checkConvert(logicalVariant(), args), ErrorCode::InvalidArgument, "2^31 - 1");
  args.slots = std::int64_t{1} << 30;
  args.slotsPerBlock = 192;
  expectError(checkConvert(logicalVariant(), args), ErrorCode::InvalidArgument, "192 apart");
}

TEST(ConvertArguments, OnlyRequestLocalIndicesCanBeConverted) {
  Variant variant = logicalVariant();
  variant.iterate = IterateKind::Dense;
  expectError(
      checkConvert(variant, goodConvert()), ErrorCode::Unsupported, "no request-local indices");
}

} // namespace
} // namespace mlac::test
