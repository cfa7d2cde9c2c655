// TestFamily: small hand-made families and launch arguments, for tests that need no compiler.
#pragma once

#include "common/KernelFamily.h"
#include "mlac/mlac.hpp"
#include "runtime/Family.h"
#include "runtime/cache/KernelKey.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <string>

namespace mlac::test {

/// GLM-5's shape at 8 heads: logical top-k 2048, LSE, constant scale.
Variant logicalVariant();

/// The same walking all positions.
Variant denseVariant();

/// A family of such a variant for sm_90 with an attention, a combine and a convert kernel, and one
/// row per kernel.
KernelFamily familyOf(const Variant& variant);

/// The same with a schedule kernel, the last of all: a family that balances.
KernelFamily balancedFamilyOf(const Variant& variant);

/// The same with a merge kernel behind it, of two heads a CTA.
KernelFamily mergingFamilyOf(const Variant& variant);

/// A source of cubins that yields the entry's name as image.
CubinSource namedCubins();

/// A pointer no test reads through.
template <typename T>
T* at(std::uintptr_t address) {
  return reinterpret_cast<T*>(address);
}

/// Arguments that pass every check for `variant`, at addresses far apart, for up to 1024 tokens.
LaunchArgs goodArgs(const Variant& variant);

/// The same for a schedule, with topkLength where the variant is top-k.
ScheduleArgs goodSchedule(const Variant& variant);

/// The same for a merge of 4 parts of 8 tokens, with max logits where the variant has them.
MergeArgs goodMerge(const Variant& variant);

/// A folder of its own, removed with it.
class TemporaryFolder {
public:
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();

  std::string operator/(const std::string& name) const { return (path / name).string(); }

  std::filesystem::path path;
};

/// The offset of a kernel's parameter.
std::uint32_t offsetOf(const Kernel& kernel, const std::string& name);

/// Expects an error of that code whose message holds `words`.
template <typename T>
void expectError(const Result<T>& result, ErrorCode code, const std::string& words) {
  ASSERT_FALSE(result) << "no error; expected one with: " << words;
  EXPECT_EQ(result.error().code, code) << result.error().message;
  EXPECT_NE(result.error().message.find(words), std::string::npos)
      << "message: " << result.error().message << "\nexpected words: " << words;
}

} // namespace mlac::test
