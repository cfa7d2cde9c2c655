// The gather kernel compiles for every target there is, without a spill.
#include "common/Target.h"
#include "runtime/nvrtc/Compile.h"
#include "tools/bench/KernelTexts.h"

#include <gtest/gtest.h>

namespace mlac {
namespace {

TEST(CeilingKernel, CompilesForEveryTargetWithoutSpills) {
  const auto nvrtc = processNvrtc();
  ASSERT_TRUE(nvrtc) << nvrtc.error().message;
  for (const Target& target : allTargets()) {
    CompileInput input;
    input.source = kernelTexts().front().text;
    input.name = kernelTexts().front().name;
    input.entry = "gatherRows";
    input.target = target.name;
    input.extraOptions = {"-DkPieces=72u"};
    const auto compiled = compileSource(**nvrtc, input);
    ASSERT_TRUE(compiled) << compiled.error().message;
    EXPECT_EQ(compiled->resources.spillStoreBytes, 0) << target.name;
    EXPECT_GT(compiled->resources.registers, 0) << target.name;
  }
}

} // namespace
} // namespace mlac
