// What mlac::compile promises: mistakes come back typed, and what the compiler hands over is what
// the runtime launches.
#include "compiler/Compiler.h"
#include "compiler/spec/Load.h"
#include "mlac/mlac.hpp"
#include "runtime/nvrtc/Nvrtc.h"
#include "tests/unit/runtime/FakeDriver.h"
#include "tests/unit/runtime/TestFamily.h"

#include <algorithm>

namespace mlac::test {
namespace {

constexpr const char* kSpec = R"(
attention sparse {
  heads 8; latent 128; rope 32; cache bf16 page 16
  iterate topk 64 logical; queries 1..2 causal
  scale 0.0791; output bf16 lse natural
}
attention dense {
  heads 5; latent 128; rope 0; q f16; cache f16 page 16
  iterate dense; queries any causal
  scale runtime; output f16 max_logit
}
attention window {
  heads 20; latent 128; rope 32; cache bf16 page 1
  iterate window 100; value record
  scale 0.0791; output f32 lse base2
}
attention physical {
  heads 128; latent 512; rope 64; cache bf16 page 64
  iterate topk 2048 physical
  scale runtime; output bf16
}
)";

class JitTest : public testing::Test {
protected:
  JitTest() : device(*Device::current()) {}

  Status compiled(const std::string& text, const CompileOptions& options = {}) {
    const auto family = compile(text, device, options);
    return family ? Status(Unit{}) : Status(family.error());
  }

  FakeDriver driver;
  Device device;
};

TEST_F(JitTest, MistakesInTheTextAreItsDiagnostics) {
  expectError(compiled("attention a { heads 0 }"), ErrorCode::InvalidSpec, "<spec>:1:21: error:");
  expectError(compiled(""), ErrorCode::InvalidSpec, "<spec>:1:1: error:");
}

TEST_F(JitTest, OneOfSeveralAttentionsMustBeNamed) {
  expectError(compiled(kSpec), ErrorCode::InvalidInput, "sparse dense window physical");
  expectError(compiled(kSpec, {.attention = "dance"}), ErrorCode::InvalidInput, "dense");
}

TEST_F(JitTest, UnknownTargetsAndOverridesAreRefused) {
  expectError(
      compiled(kSpec, {.target = "sm_75", .attention = "dense"}), ErrorCode::InvalidInput, "sm_75");
  expectError(compiled(kSpec, {.attention = "dense", .overrides = {"stages"}}),
              ErrorCode::InvalidInput,
              "KEY=VALUE");
  expectError(compiled(kSpec, {.attention = "sparse", .overrides = {"stages=64"}}),
              ErrorCode::InvalidInput,
              "does not fit sm_90");
}

TEST_F(JitTest, ATargetNewerThanTheDeviceIsRefused) {
  expectError(compiled(kSpec, {.target = "sm_120", .attention = "dense"}),
              ErrorCode::Unsupported,
              "sm_120");
}

TEST_F(JitTest, KernelsAreCompiledForTheDevice) {
  if (!processNvrtc())
    GTEST_SKIP() << processNvrtc().error().message;
  const auto family = compile(kSpec, device, {.attention = "sparse", .overrides = {"stages=3"}});
  ASSERT_TRUE(family) << family.error().message;
  EXPECT_EQ(family->target(), "sm_90");
  const auto kernels = family->kernels();
  ASSERT_EQ(kernels.size(), 7U); // three classes, combine, schedule, convert, merge
  for (const KernelReport& kernel : kernels) {
    EXPECT_EQ(kernel.target, "sm_90") << kernel.entry;
    EXPECT_GT(kernel.registers, 0) << kernel.entry;
  }
  EXPECT_NE(kernels[0].schedule.find("stages=3"), std::string::npos) << kernels[0].schedule;
}

/// One variant of kSpec on one target.
struct HandOver {
  const char* name;
  const char* target;
};

class HandOverTest : public testing::TestWithParam<HandOver> {
protected:
  HandOverTest() {
    // The newest GPU, for which code of every target can be loaded.
    driver->computeMajor = 12;
  }

  static KernelFamily generate() {
    const auto variants = loadVariants(SourceText("spec", kSpec));
    EXPECT_TRUE(variants);
    CompileRequest request;
    request.variant = *selectVariant(*variants, GetParam().name, "spec");
    request.target = *findTarget(GetParam().target);
    auto compiled = compileFamily(request);
    EXPECT_TRUE(compiled) << compiled.error().message;
    return compiled->family;
  }

  FakeDriver driver;
};

TEST_P(HandOverTest, WhatTheCompilerHandsOverIsWhatTheRuntimeLaunches) {
  const KernelFamily generated = generate();
  const auto family = loadFamily(generated, *Device::current(), namedCubins());
  ASSERT_TRUE(family) << family.error().message;
  const auto plan =
      family->plan({.tokens = 8, .requests = 8, .maxSeqLen = 4096, .splits = 2, .kernel = 0});
  ASSERT_TRUE(plan) << plan.error().message;
  const Status status = family->launch(*plan, goodArgs(generated.variant), nullptr);
  ASSERT_TRUE(status) << status.error().message;
  ASSERT_EQ(driver->launches.size(), 2U);
  const Kernel& attention = generated.kernels[0];
  EXPECT_EQ(driver->launches[0].entry, attention.entry);
  EXPECT_EQ(driver->launches[0].gridX, 8U * 2 * static_cast<unsigned>(attention.ctasPerToken));
  EXPECT_EQ(driver->launches[0].at<std::int32_t>(offsetOf(attention, "splits")), 2);
  EXPECT_EQ(driver->launches[0].at<std::int32_t>(offsetOf(attention, "tokens")), 8);
  EXPECT_EQ(driver->launches[1].entry, std::string(GetParam().name) + "_combine");
}

INSTANTIATE_TEST_SUITE_P(All,
                         HandOverTest,
                         testing::Values(HandOver{"sparse", "sm_120"},
                                         HandOver{"dense", "sm_80"},
                                         HandOver{"window", "sm_90"},
                                         HandOver{"physical", "sm_86"}),
                         [](const auto& info) {
                           return std::string(info.param.name) + "_" + info.param.target;
                         });

} // namespace
} // namespace mlac::test
