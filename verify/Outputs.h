// Output buffers as a caller hands them over: filled with NaN, guarded at both ends.
#pragma once

#include "verify/Problem.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace mlac::verify {

/// Every byte of a fresh output buffer. Two of them are a NaN in bf16 and f16, four in f32.
inline constexpr std::byte kFillByte{0xff};

/// Host copies of the three output buffers, each OutputView::bytes long; empty where absent.
struct Outputs {
  std::vector<std::byte> out;
  std::vector<std::byte> lse;
  std::vector<std::byte> maxLogit;
};

/// Buffers nobody has written to. Upload them before a launch, so that missing writes show.
Outputs freshOutputs(const Problem& problem);

/// Bytes outside all elements (guards and gaps between strides) that were overwritten.
struct GuardDamage {
  std::int64_t bytes = 0;
  std::string where; ///< the first one, such as "lse buffer, byte 12 of 4096"; empty if none
};

GuardDamage findGuardDamage(const Problem& problem, const Outputs& outputs);

} // namespace mlac::verify
