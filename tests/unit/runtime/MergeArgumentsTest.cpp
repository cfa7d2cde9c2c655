// Everything a merge can be given that is wrong, each refused before the driver hears of it, and
// what a right one hands to the kernel.
#include "TestFamily.h"
#include "runtime/launch/Arguments.h"

#include <functional>

namespace mlac::test {
namespace {

constexpr std::int64_t kRow = 512;           // elements of a row, two bytes each
constexpr std::int64_t kPart = 8 * 8 * kRow; // elements of a part: 8 tokens of 8 heads

template <typename T>
T* moved(T* pointer, std::intptr_t bytes) {
  return reinterpret_cast<T*>(reinterpret_cast<std::intptr_t>(pointer) + bytes);
}

void* outOf(const void* data, std::intptr_t bytes) {
  return const_cast<void*>(moved(data, bytes));
}

Variant maxLogitVariant() {
  Variant variant = logicalVariant();
  variant.maxLogit = true;
  return variant;
}

struct Case {
  std::string name;
  std::function<void(MergeArgs&)> change;
  std::string words = ""; ///< of the error
  Variant variant = logicalVariant();
};

void PrintTo(const Case& one, std::ostream* out) {
  *out << one.name;
}

Result<CheckedLaunch> checkWith(const Case& one) {
  MergeArgs args = goodMerge(one.variant);
  one.change(args);
  return checkMerge(one.variant, args);
}

std::string caseName(const testing::TestParamInfo<Case>& info) {
  return info.param.name;
}

using A = MergeArgs&;

class RefusedMerge : public testing::TestWithParam<Case> {};

TEST_P(RefusedMerge, NamesTheArgumentTheValueAndTheRule) {
  expectError(checkWith(GetParam()), ErrorCode::InvalidArgument, GetParam().words);
}

std::vector<Case> countAndPointerCases() {
  return {
      {"TokensNegative", [](A a) { a.tokens = -1; }, "'tokens' is -1; it must lie between 0"},
      {"NoParts", [](A a) { a.parts = 0; }, "'parts' is 0; a merge takes 1 to 1048576"},
      {"PartsNegative", [](A a) { a.parts = -3; }, "'parts' is -3; a merge takes 1 to 1048576"},
      {"TooManyParts", [](A a) { a.parts = (1 << 20) + 1; }, "'parts' is 1048577"},
      {"PartOutNull", [](A a) { a.partOut.data = nullptr; }, "'partOut' is null"},
      {"PartLseNull", [](A a) { a.partLse.data = nullptr; }, "'partLse' is null"},
      {"OutNull", [](A a) { a.out.data = nullptr; }, "'out' is null"},
      {"PartOutMisaligned",
       [](A a) { a.partOut.data = moved(a.partOut.data, 4); },
       "'partOut' is 0x40000004, which is not a multiple of 8 bytes"},
      {"PartOutMisalignedForF32",
       [](A a) {
         a.f32Parts = true;
         a.partOut.data = moved(a.partOut.data, 8);
       },
       "'partOut' is 0x40000008, which is not a multiple of 16 bytes"},
      {"PartLseMisaligned",
       [](A a) { a.partLse.data = moved(a.partLse.data, 2); },
       "'partLse' is 0x80000002, which is not a multiple of 4 bytes"},
      {"OutMisaligned", [](A a) { a.out.data = moved(a.out.data, 2); }, "'out' is 0x140000002"},
      {"LseMisaligned", [](A a) { a.lse.data = moved(a.lse.data, 1); }, "'lse' is 0x180000001"},
      {"SinksMisaligned", [](A a) { a.sinks = at<float>(0x1002); }, "'sinks' is 0x1002"},
  };
}

std::vector<Case> strideCases() {
  return {
      {"PartStrideNegative",
       [](A a) { a.partOut.partStride = -1; },
       "'partOut' has part stride -1; strides must not be negative"},
      {"PartStrideUnaligned",
       [](A a) { a.partOut.partStride = kPart + 2; },
       "'partOut' has part stride 32770; it must be a multiple of 4"},
      {"PartsOverlap",
       [](A a) { a.partOut.partStride = kPart - 4; },
       "'partOut' [4, 8, 8, 512] has part stride 32764, token stride 4096 and head stride 512: "
       "rows overlap"},
      {"PartsWithinTokensOverlap",
       [](A a) {
         a.partOut.partStride = 8 * kRow;
         a.partOut.tokenStride = 3 * 8 * kRow;
       },
       "rows overlap"},
      {"PartsAreOne", [](A a) { a.partLse.partStride = 1; }, "'partLse' [4, 8, 8, 1]"},
      {"PartStrideHuge",
       [](A a) { a.partOut.partStride = std::int64_t{1} << 60; },
       "'partOut' has part stride 1152921504606846976, which reaches beyond any memory"},
      {"TokenStrideUnaligned",
       [](A a) { a.partOut.tokenStride = 8 * kRow + 2; },
       "'partOut' has token stride 4098"},
      {"HeadsOverlap", [](A a) { a.partOut.headStride = kRow - 4; }, "'partOut' [8, 8, 512]"},
      {"OutHeadsOverlap", [](A a) { a.out.headStride = kRow - 4; }, "'out' [8, 8, 512]"},
      {"LseRowsOverlap", [](A a) { a.lse.tokenStride = 1; }, "'lse' [8, 8, 1]"},
  };
}

std::vector<Case> overlapCases() {
  return {
      {"OutOnPartOne",
       [](A a) { a.out.data = outOf(a.partOut.data, 2 * kPart); },
       "'out' covers bytes 0x40010000 to 0x40020000 and overlaps 'partOut'"},
      {"OutOnPartZeroMoved",
       [](A a) { a.out.data = outOf(a.partOut.data, 8); },
       "overlaps 'partOut'"},
      {"OutOnPartZeroWithOtherStrides",
       [](A a) {
         a.out.data = outOf(a.partOut.data, 0);
         a.out.tokenStride = kRow;
         a.out.headStride = 8 * kRow;
       },
       "overlaps 'partOut'"},
      {"OutOnF32Parts",
       [](A a) {
         a.f32Parts = true;
         a.out.data = outOf(a.partOut.data, 0);
       },
       "overlaps 'partOut'"},
      {"LseOnPartLseMoved",
       [](A a) { a.lse.data = outOf(a.partLse.data, 4); },
       "overlaps 'partLse'"},
      {"LseOnPartOut",
       [](A a) { a.lse.data = outOf(a.partOut.data, 2 * 3 * kPart); },
       "overlaps 'partOut'"},
      {"LseOnPartOutWhichOutIsOnToo",
       [](A a) {
         a.out.data = outOf(a.partOut.data, 0);
         a.lse.data = outOf(a.partOut.data, 2 * 3 * kPart);
       },
       "'partOut' covers"},
      {"LseOnOut", [](A a) { a.lse.data = a.out.data; }, "overlaps 'lse'"},
      {"SinksOnOut", [](A a) { a.sinks = static_cast<float*>(a.out.data); }, "overlaps 'sinks'"},
      {"SinksOnLsesLastRow",
       [](A a) { a.sinks = static_cast<float*>(moved(a.lse.data, 8 * 8 * 4 - 4)); },
       "overlaps 'sinks'"},
      {"MaxLogitOnPartLse",
       [](A a) { a.maxLogit.data = outOf(a.partLse.data, 0); },
       "overlaps 'partLse'",
       maxLogitVariant()},
  };
}

std::vector<Case> maxLogitCases() {
  const Variant variant = maxLogitVariant();
  return {
      {"Unasked",
       [](A a) { a.maxLogit.data = at<void>(0x1000); },
       "'maxLogit' was given, but 'glm5_decode' has no 'max_logit' output"},
      {"PartsUnasked",
       [](A a) { a.partMaxLogit.data = at<void>(0x1000); },
       "'partMaxLogit' was given, but 'glm5_decode' has no 'max_logit' output"},
      {"WithoutParts",
       [](A a) { a.partMaxLogit.data = nullptr; },
       "'partMaxLogit' is null, but maxLogit was given; give both or neither",
       variant},
      {"PartsWithoutIt",
       [](A a) { a.maxLogit.data = nullptr; },
       "'maxLogit' is null, but partMaxLogit was given; give both or neither",
       variant},
  };
}

INSTANTIATE_TEST_SUITE_P(Counts, RefusedMerge, testing::ValuesIn(countAndPointerCases()), caseName);
INSTANTIATE_TEST_SUITE_P(Strides, RefusedMerge, testing::ValuesIn(strideCases()), caseName);
INSTANTIATE_TEST_SUITE_P(Overlaps, RefusedMerge, testing::ValuesIn(overlapCases()), caseName);
INSTANTIATE_TEST_SUITE_P(MaxLogits, RefusedMerge, testing::ValuesIn(maxLogitCases()), caseName);

class AcceptedMerge : public testing::TestWithParam<Case> {};

TEST_P(AcceptedMerge, Passes) {
  const auto checked = checkWith(GetParam());
  EXPECT_TRUE(checked) << checked.error().message;
}

std::vector<Case> acceptedCases() {
  return {
      {"Plain", [](A) {}},
      {"WithoutLse", [](A a) { a.lse = {}; }},
      {"Sinks", [](A a) { a.sinks = at<float>(0x1000); }},
      {"ManyParts", [](A a) { a.parts = 1000; }},
      {"OnePart", [](A a) { a.parts = 1; }},
      {"F32Parts", [](A a) { a.f32Parts = true; }},
      {"PartsBetweenTokens",
       [](A a) {
         a.partOut.partStride = 8 * kRow;
         a.partOut.tokenStride = 4 * 8 * kRow;
       }},
      {"PartsBetweenHeads",
       [](A a) {
         a.partOut.partStride = kRow;
         a.partOut.headStride = 4 * kRow;
       }},
      {"TransposedLse",
       [](A a) {
         a.partLse.tokenStride = 1;
         a.partLse.headStride = 8;
       }},
      {"InPlace",
       [](A a) {
         a.out.data = outOf(a.partOut.data, 0);
         a.lse.data = outOf(a.partLse.data, 0);
       }},
      {"InPlaceBetweenTokens",
       [](A a) {
         a.partOut.partStride = 8 * kRow;
         a.partOut.tokenStride = a.out.tokenStride = 4 * 8 * kRow;
         a.out.data = outOf(a.partOut.data, 0);
       }},
      {"RightBehindTheParts", [](A a) { a.out.data = outOf(a.partOut.data, 2 * 4 * kPart); }},
      {"MaxLogit", [](A) {}, "", maxLogitVariant()},
      {"NoMaxLogit",
       [](A a) {
         a.partMaxLogit = {};
         a.maxLogit = {};
       },
       "",
       maxLogitVariant()},
  };
}

INSTANTIATE_TEST_SUITE_P(All, AcceptedMerge, testing::ValuesIn(acceptedCases()), caseName);

TEST(MergeArguments, StridesThatAreNotGivenAreContiguous) {
  const auto checked = checkMerge(logicalVariant(), goodMerge(logicalVariant()));
  ASSERT_TRUE(checked) << checked.error().message;
  const ParamValues& values = checked->values;
  EXPECT_EQ(values.get(Param::partOutHeadStride), std::uint64_t{kRow});
  EXPECT_EQ(values.get(Param::partOutTokenStride), std::uint64_t{8 * kRow});
  EXPECT_EQ(values.get(Param::partOutPartStride), std::uint64_t{kPart});
  EXPECT_EQ(values.get(Param::partLseHeadStride), 1U);
  EXPECT_EQ(values.get(Param::partLseTokenStride), 8U);
  EXPECT_EQ(values.get(Param::partLsePartStride), 64U);
  EXPECT_EQ(values.get(Param::outTokenStride), std::uint64_t{8 * kRow});
  EXPECT_EQ(values.get(Param::lseTokenStride), 8U);
  EXPECT_EQ(values.get(Param::parts), 4U);
  EXPECT_EQ(values.get(Param::f32Parts), 0U);
  EXPECT_EQ(values.get(Param::sinks), 0U);
}

TEST(MergeArguments, PartsOfTransposedRowsLieEndToEnd) {
  MergeArgs args = goodMerge(logicalVariant());
  args.partLse.tokenStride = 1;
  args.partLse.headStride = 10;
  const auto checked = checkMerge(logicalVariant(), args);
  ASSERT_TRUE(checked) << checked.error().message;
  EXPECT_EQ(checked->values.get(Param::partLsePartStride), 80U);
}

TEST(MergeArguments, WithoutAnLseThereIsNoMerge) {
  Variant variant = logicalVariant();
  variant.lse = LseMode::None;
  expectError(checkMerge(variant, goodMerge(variant)),
              ErrorCode::Unsupported,
              "'glm5_decode' has no LSE to merge by; write 'lse natural' or 'lse base2'");
}

} // namespace
} // namespace mlac::test
