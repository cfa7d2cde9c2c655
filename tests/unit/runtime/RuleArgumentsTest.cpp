// Parameters and sinks of a launch: bound by name, checked before the driver hears of them, and
// carried by bundles.
#include "TestFamily.h"
#include "runtime/bundle/FamilyJson.h"
#include "runtime/launch/Arguments.h"
#include "runtime/launch/Params.h"

#include <array>
#include <limits>
#include <vector>

namespace mlac::test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// gain (f32), n (i32), cap (a default), slope (per head), w (per token), and sinks.
Variant ruledVariant() {
  Variant variant = denseVariant();
  variant.params = {{.name = "gain"},
                    {.name = "n", .type = ExprType::I32},
                    {.name = "cap", .value = 50},
                    {.name = "slope", .kind = ParamKind::PerHead},
                    {.name = "w", .type = ExprType::I32, .kind = ParamKind::PerToken}};
  variant.score = {{.op = ExprOp::Score, .type = ExprType::F32},
                   {.op = ExprOp::Param, .type = ExprType::F32, .integer = 2},
                   {.op = ExprOp::Softcap, .type = ExprType::F32, .operands = {0, 1, -1, -1}}};
  variant.mask = {{.op = ExprOp::Query, .type = ExprType::I32},
                  {.op = ExprOp::Key, .type = ExprType::I32},
                  {.op = ExprOp::Causal, .type = ExprType::Bool, .operands = {0, 1, -1, -1}}};
  variant.sink = true;
  return variant;
}

std::vector<ParamArg> goodParams() {
  return {{.name = "w", .data = at<void>(0x100)},
          {.name = "gain", .value = 0.5},
          {.name = "slope", .data = at<void>(0x200)},
          {.name = "n", .value = -3}};
}

Result<CollectedArgs> collect(const std::vector<ParamArg>& params,
                              const float* sinks = at<float>(0x300),
                              const Variant& variant = ruledVariant()) {
  CollectedArgs collected;
  MLAC_CHECK(collectRules(variant, 4, params, sinks, collected));
  return collected;
}

TEST(RuleArguments, GoodOnesReachTheirPlaces) {
  auto collected = collect(goodParams());
  ASSERT_TRUE(collected) << collected.error().message;
  const ParamValues& values = collected->values;
  EXPECT_EQ(values.get(ruleParam(0)), std::bit_cast<std::uint32_t>(0.5F));
  EXPECT_EQ(static_cast<std::int32_t>(values.get(ruleParam(1))), -3);
  EXPECT_EQ(values.get(ruleParam(3)), 0x200u);
  EXPECT_EQ(values.get(ruleParam(4)), 0x100u);
  EXPECT_EQ(values.get(Param::sinks), 0x300u);
}

TEST(RuleArguments, EachMistakeNamesTheParameter) {
  const auto refuse = [](std::size_t index, const ParamArg& by, const char* words) {
    std::vector<ParamArg> params = goodParams();
    params[index] = by;
    expectError(collect(params), ErrorCode::InvalidArgument, words);
  };
  refuse(1, {.name = "gains", .value = 1}, "'gains' is no parameter of");
  refuse(1, {.name = "cap", .value = 1}, "'cap' was given, but");
  refuse(1, {.name = "n", .value = 1}, "'n' was given twice");
  refuse(1, {.name = "gain", .data = at<void>(64)}, "'gain' is a device array");
  refuse(1, {.name = "gain", .value = kInfinity}, "'gain' is inf; it must be a finite f32");
  refuse(1, {.name = "gain", .value = 1e39}, "'gain' is 1e+39; it must be a finite f32");
  refuse(1, {.name = "gain", .value = -kInfinity + kInfinity}, "it must be a finite f32");
  refuse(3, {.name = "n", .value = 0.5}, "'n' is 0.5; it must be a whole number");
  refuse(3, {.name = "n", .value = 2147483648.0}, "it must be a whole number");
  refuse(2, {.name = "slope", .value = 1}, "'slope' is one number; the spec declares a number per");
  refuse(2, {.name = "slope", .data = at<void>(0x202)}, "'slope' is 0x202");
  std::vector<ParamArg> params = goodParams();
  params.pop_back();
  expectError(collect(params), ErrorCode::InvalidArgument, "'n' is missing");
}

TEST(RuleArguments, SinksAreThereExactlyWhereTheSpecHasThem) {
  expectError(collect(goodParams(), nullptr), ErrorCode::InvalidArgument, "'sinks' is null");
  expectError(collect({}, at<float>(64), denseVariant()),
              ErrorCode::InvalidArgument,
              "'sinks' was given, but");
}

TEST(RuleArguments, AQuerysPositionCannotComeFromTokenRequest) {
  Variant variant = ruledVariant();
  variant.maxQueries = 0;
  CollectedArgs collected;
  const RequestArgs args{.tokens = 4,
                         .requests = 2,
                         .blockTable = {},
                         .tokenRequest = at<std::int32_t>(64),
                         .seqLens = at<std::int32_t>(128),
                         .keyEnd = at<std::int32_t>(256)};
  expectError(collectLengths(variant, args, collected),
              ErrorCode::InvalidArgument,
              "which score or mask of");
  variant.mask.clear();
  EXPECT_TRUE(collectLengths(variant, args, collected));
}

TEST(BindParams, FindsParametersByNameTypeAndRole) {
  const Variant variant = ruledVariant();
  Kernel kernel;
  kernel.entry = "k";
  kernel.params = {{"param_w", ParamType::Pointer, 0}, {"param_n", ParamType::I32, 8}};
  kernel.paramBytes = 16;
  const auto list = bindParams(kernel, variant.params);
  ASSERT_TRUE(list) << list.error().message;
  EXPECT_EQ(list->fields[0].param, ruleParam(4));
  EXPECT_EQ(list->fields[1].param, ruleParam(1));
  EXPECT_FALSE(bindParams(kernel));
  kernel.params[1].type = ParamType::F32;
  EXPECT_FALSE(bindParams(kernel, variant.params));
  kernel.params[1] = {"param_cap", ParamType::F32, 8};
  EXPECT_FALSE(bindParams(kernel, variant.params)) << "a default is no argument";
  kernel.params.pop_back();
  kernel.role = KernelRole::Combine;
  EXPECT_FALSE(bindParams(kernel, variant.params));
}

TEST(RuleJson, RulesSurviveABundle) {
  const KernelFamily family = familyOf(ruledVariant());
  const auto read = familyFromJson(familyToJson(family), "t");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->variant, family.variant);
}

TEST(RuleJson, DamagedRulesAreRefused) {
  const std::string good = familyToJson(familyOf(ruledVariant()));
  const auto refused = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    const std::size_t place = text.find(from);
    ASSERT_NE(place, text.npos) << from;
    EXPECT_FALSE(familyFromJson(text.replace(place, from.size(), to), "t")) << to;
  };
  refused("\"value\": 50.0", "\"value\": \"many\"");
  refused("\"value\": 50.0", "\"value\": 1e300");
  refused("\"kind\": 1", "\"kind\": 7");
  refused("\"sink\": true", "\"sink\": 3");
  refused("\"score\": [", "\"score\": [[99, 1, [-1, -1, -1, -1], 0, 0.0],");
  refused("\"mask\": [", "\"mask\": [[5, 2, [-1, -1, -1, -1], 9, 0.0],");
  refused("\"mask\": [", "\"mask\": [7,");
}

} // namespace
} // namespace mlac::test
