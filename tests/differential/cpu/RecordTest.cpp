// The CPU kernel over records of every kind, against the float64 reference.
#include "compiler/cpu/CpuKernel.h"
#include "compiler/spec/Load.h"
#include "tools/cpu/CpuRun.h"
#include "verify/NarrowTypes.h"
#include "verify/RecordCodec.h"
#include "verify/Reference.h"
#include "verify/Tolerance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>

namespace mlac {
namespace {

struct RecordCase {
  const char* name;
  std::string record; ///< lines of a record `mine`, or the name of one of the library's
  int latent = 512;
  int rope = 64;
  bool valueIsRecord = false;
};

void PrintTo(const RecordCase& one, std::ostream* out) {
  *out << one.name;
}

Variant variantOf(const RecordCase& one, const std::string& iterate) {
  const bool isLibrary = one.record.find(' ') == std::string::npos;
  const std::string text = (isLibrary ? std::string() : "record mine { " + one.record + " }\n") +
                           "attention decode { heads 5; latent " + std::to_string(one.latent) +
                           "; rope " + std::to_string(one.rope) + "; value " +
                           (one.valueIsRecord ? "record" : "latent") + "; cache " +
                           (isLibrary ? one.record : "mine") + " page 16; iterate " + iterate +
                           "; scale 0.0721688; queries 1..4; output bf16 lse natural max_logit }";
  const auto loaded = loadVariants(SourceText("test.mlac", text));
  if (!loaded) {
    ADD_FAILURE() << loaded.error().message;
    return {};
  }
  return loaded->front();
}

std::vector<RecordCase> libraryCases() {
  return {
      {"fp8_per_tensor", "fp8_per_tensor"},
      {"fp8_ds_mla", "fp8_ds_mla"},
      {"fp8_ds_mla_without_rope", "fp8_ds_mla", 512, 0},
      {"fp8_ds_mla_value_record", "fp8_ds_mla", 512, 64, true},
      {"nope_528", "nope_528", 512, 0},
      {"dsv4", "dsv4", 448},
      {"dsv4_value_record", "dsv4", 448, 64, true},
      {"dsv4_without_rope", "dsv4", 448, 0},
      {"nvfp4", "nvfp4"},
      {"nvfp4_without_rope", "nvfp4", 512, 0},
  };
}

std::vector<RecordCase> userCases() {
  return {
      {"f32", "latent f32; rope f32", 128, 32},
      {"mixed_halves", "latent f16; rope bf16", 128, 32, true},
      {"rope_first", "pad 2; rope bf16; pad 4; latent e5m2; scale f16 per 32 of latent", 128},
      {"scaled_rope",
       "latent e4m3; rope e4m3; scale f32 per 32 of rope; scale bf16 per 64 of latent; pad 4",
       128,
       64,
       true},
      {"everything_in_the_tail",
       "latent e2m1; rope e5m2; page_tail { scale e8m0 per 32 of latent; pad 4; "
       "scale f32 per 16 of rope }; page_align 96",
       128,
       64,
       true},
      {"two_tensor_scales", "latent e2m1; rope e5m2; scale f32 per tensor", 64, 16, true},
      {"scaled_bf16", "latent bf16; rope bf16; scale f32 per 64 of latent", 128, 32},
      {"one_scale_each", "latent e4m3; scale f32 per 1 of latent", 16, 0},
  };
}

class Records : public testing::TestWithParam<RecordCase> {};

verify::Report reportOf(const verify::Problem& problem, const verify::Reference& reference) {
  const auto kernel = compileForCpu(problem.variant);
  EXPECT_TRUE(kernel) << kernel.error().message;
  const auto outputs = runOnCpu(*kernel, problem, 2);
  EXPECT_TRUE(outputs) << outputs.error().message;
  return verify::checkOutputs(
      problem, *outputs, reference, verify::tolerancesOf(verify::operationOf(problem)));
}

void expectReference(const Variant& variant, const verify::ProblemOptions& options) {
  const auto problem = verify::makeProblem(variant, options);
  ASSERT_TRUE(problem) << problem.error().message;
  const verify::Report report = reportOf(*problem, verify::referenceAttention(*problem));
  EXPECT_TRUE(report.passed()) << verify::describe(report);
}

TEST_P(Records, AgreeWithTheReference) {
  for (const char* iterate : {"dense", "topk 70 logical", "topk 70 physical"}) {
    SCOPED_TRACE(iterate);
    const Variant variant = variantOf(GetParam(), iterate);
    ASSERT_EQ(variant.name, "decode");
    expectReference(variant, {.tokens = 4, .context = 90});
    verify::ProblemOptions stress = verify::stressOptions(variant, 6, 150, 7);
    stress.powerOfTwoScales = true;
    expectReference(variant, stress);
  }
}

INSTANTIATE_TEST_SUITE_P(Library, Records, testing::ValuesIn(libraryCases()), [](const auto& i) {
  return std::string(i.param.name);
});
INSTANTIATE_TEST_SUITE_P(User, Records, testing::ValuesIn(userCases()), [](const auto& info) {
  return std::string(info.param.name);
});

TEST(FarRecords, SlotsPast31BitsOfBytesAreReached) {
  const Variant variant = variantOf({"far", "dsv4", 448}, "topk 70 physical");
  verify::ProblemOptions options{.tokens = 4, .context = 90};
  options.pageBias = (std::int64_t{1} << 31) / (std::int64_t{16} * 584) + 1;
  expectReference(variant, options);
}

/// The f32 of a whole latent row for one key, of which the test writes the bytes; queries are 0.
std::vector<float> rowOf(const Variant& variant, const std::vector<std::byte>& bytes) {
  auto problem = verify::makeProblem(variant, {.tokens = 1, .context = 1, .queryFactor = 0});
  EXPECT_TRUE(problem);
  problem->cacheScale = 1;
  EXPECT_EQ(problem->cache.rows.size(), bytes.size());
  problem->cache.rows = bytes;
  const auto kernel = compileForCpu(variant);
  EXPECT_TRUE(kernel) << kernel.error().message;
  const auto outputs = runOnCpu(*kernel, *problem, 1);
  EXPECT_TRUE(outputs) << outputs.error().message;
  std::vector<float> row(variant.latent);
  std::memcpy(row.data(), outputs->out.data() + problem->out.byteAt(0, 0, 0), row.size() * 4);
  return row;
}

Variant rawVariant(const char* record, int latent) {
  Variant variant = variantOf({"raw", record, latent, 0}, "dense");
  variant.output = ElementType::F32;
  variant.heads = 1;
  return variant;
}

void expectCodes(const char* record, FieldType type, int codes) {
  std::vector<std::byte> bytes(codes * fieldBits(type) / 8);
  std::vector<float> numbers(codes);
  for (int code = 0; code < codes; ++code) {
    const float number = verify::decodeField(type, code);
    numbers[code] = std::isfinite(number) ? number : 0;
    verify::storeField(type, numbers[code], bytes.data(), code);
  }
  EXPECT_EQ(rowOf(rawVariant(record, codes), bytes), numbers) << record;
}

TEST(RecordCodes, EveryFiniteCodeIsReadExactly) {
  expectCodes("latent e4m3; scale f32 per tensor", FieldType::E4M3, 256);
  expectCodes("latent e5m2; scale f32 per tensor", FieldType::E5M2, 256);
  expectCodes("latent e2m1; scale f32 per tensor", FieldType::E2M1, 16);
}

TEST(RecordCodes, EveryPowerOfTwoIsReadExactly) {
  constexpr int kPowers = 255;
  std::vector<std::byte> bytes(17 * kPowers, std::byte{0x38}); // e4m3's 1
  std::vector<float> numbers;
  for (int power = 0; power < kPowers; ++power) {
    bytes[16 * kPowers + power] = static_cast<std::byte>(power);
    numbers.insert(numbers.end(), 16, verify::decodeField(FieldType::E8M0, power));
  }
  EXPECT_EQ(rowOf(rawVariant("latent e4m3; scale e8m0 per 16 of latent", 16 * kPowers), bytes),
            numbers);
}

TEST(RecordCodes, NanAndInfinityAreNotLost) {
  struct Special {
    const char* record;
    int code;
  };

  for (const auto& [record, code] : {Special{"latent e4m3; scale f32 per tensor", 0x7f},
                                     Special{"latent e4m3; scale f32 per tensor", 0xff},
                                     Special{"latent e5m2; scale f32 per tensor", 0x7d},
                                     Special{"latent e5m2; scale f32 per tensor", 0x7c}}) {
    std::vector<std::byte> bytes(16, std::byte{0});
    bytes[3] = static_cast<std::byte>(code);
    EXPECT_TRUE(std::isnan(rowOf(rawVariant(record, 16), bytes)[3])) << record << " " << code;
  }
  std::vector<std::byte> bytes(17, std::byte{0x38});
  bytes[16] = std::byte{0xff};
  EXPECT_TRUE(
      std::isnan(rowOf(rawVariant("latent e4m3; scale e8m0 per 16 of latent", 16), bytes)[0]));
}

/// Every f32 scale of a cache becomes the power of two below it.
void keepExponentsOnly(verify::Problem& problem) {
  constexpr int kScalesAt = 512;
  for (std::size_t row = 0; row < problem.cache.rows.size(); row += problem.cache.rowBytes)
    for (int group = 0; group < 4; ++group) {
      std::byte* const at = problem.cache.rows.data() + row + kScalesAt + 4 * group;
      std::uint32_t bits = 0;
      std::memcpy(&bits, at, sizeof bits);
      bits &= 0xff800000U;
      std::memcpy(at, &bits, sizeof bits);
    }
}

// flashinfer#54563 as vllm has it: a tile of amax 300 has the scale 300 / 448 = 0.6696. A reader
// that takes scales for powers of two must not pass.
TEST(PublicRecordCases, AScaleIsMoreThanItsExponent) {
  const Variant variant = variantOf({"case7", "fp8_ds_mla"}, "topk 70 logical");
  auto problem = verify::makeProblem(variant, {.tokens = 4, .context = 90, .queryFactor = 1e-3F});
  ASSERT_TRUE(problem);
  const verify::RecordCodec codec(variant.record());
  std::vector<float> latent(512);
  for (std::size_t row = 0; row < problem->cache.rows.size(); row += problem->cache.rowBytes) {
    for (std::size_t d = 0; d < latent.size(); ++d)
      latent[d] = d % 128 == 0 ? 300.0F : static_cast<float>((d * 37 + row) % 601) - 300;
    std::byte* const token = problem->cache.rows.data() + row;
    codec.pack(FieldKind::Latent, latent, {}, token, nullptr);
    float scale = 0;
    std::memcpy(&scale, token + 512, sizeof scale);
    ASSERT_EQ(scale, 300.0F / 448.0F);
  }
  const verify::Reference reference = verify::referenceAttention(*problem);
  const verify::Report right = reportOf(*problem, reference);
  EXPECT_TRUE(right.passed()) << verify::describe(right);
  keepExponentsOnly(*problem);
  EXPECT_FALSE(reportOf(*problem, reference).passed());
}

// vllm#53963 on quantised rows: rope 0 over rows of 656 bytes gives what 576 dims with a query
// whose rotary part is 0 give.
TEST(PublicRecordCases, RopeZeroOn656BytesEqualsAZeroRotaryPart) {
  const Variant with = variantOf({"with", "fp8_ds_mla"}, "topk 70 physical");
  auto whole = verify::makeProblem(with, {.tokens = 3, .context = 90, .splitQuery = true});
  ASSERT_TRUE(whole);
  auto& rope = whole->inputs[static_cast<int>(verify::Input::QueryRope)];
  std::fill(rope.begin(), rope.end(), std::byte{0});
  verify::Problem without = *whole;
  without.variant.rope = 0;
  const auto run = [](const verify::Problem& problem) {
    const auto kernel = compileForCpu(problem.variant);
    EXPECT_TRUE(kernel) << kernel.error().message;
    auto outputs = runOnCpu(*kernel, problem, 1);
    EXPECT_TRUE(outputs);
    return outputs->out;
  };
  EXPECT_EQ(run(*whole), run(without));
}

TEST(RecordArguments, TheCachesScaleMayLieInMemory) {
  const Variant variant = variantOf({"tensor", "fp8_per_tensor", 128}, "topk 70 physical");
  const auto problem = verify::makeProblem(variant, {.tokens = 4, .context = 90});
  ASSERT_TRUE(problem);
  const auto kernel = compileForCpu(variant);
  ASSERT_TRUE(kernel) << kernel.error().message;
  verify::Outputs outputs = verify::freshOutputs(*problem);
  const HostCache cache(*problem);
  CpuArgs args = bindCpuArgs(*problem, cache, outputs);
  ASSERT_NE(args.cacheScale, 1);
  args.cacheScaleDevice = &problem->cacheScale;
  args.cacheScale = 1000;
  ASSERT_TRUE(kernel->run(args, 1));
  const verify::Report report =
      verify::checkOutputs(*problem,
                           outputs,
                           verify::referenceAttention(*problem),
                           verify::tolerancesOf(verify::operationOf(*problem)));
  EXPECT_TRUE(report.passed()) << verify::describe(report);
}

TEST(RecordArguments, PagesThatOverlapTheirTailsAreRefused) {
  const Variant variant = variantOf({"tail", "dsv4", 448}, "topk 70 physical");
  auto problem = verify::makeProblem(variant, {.tokens = 4, .context = 90});
  ASSERT_TRUE(problem);
  const auto kernel = compileForCpu(variant);
  ASSERT_TRUE(kernel) << kernel.error().message;
  verify::Outputs outputs = verify::freshOutputs(*problem);
  const HostCache cache(*problem);
  CpuArgs args = bindCpuArgs(*problem, cache, outputs);
  args.pageStrideBytes = 16 * 584 - 8;
  const Status status = kernel->run(args, 1);
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().message.find("`pageStrideBytes` is 9336; at least 9344 is needed"),
            std::string::npos)
      << status.error().message;
}

} // namespace
} // namespace mlac
