// Random: seeded numbers that are the same bits with every compiler and standard library.
#pragma once

#include <cstdint>

namespace mlac::verify {

/// SplitMix64. Streams of one seed are independent, so that drawing more of one thing moves no
/// other.
class Random {
public:
  Random(std::uint64_t seed, std::uint64_t stream)
      : state(mix(seed + kStep) ^ mix(stream * kStep + 1)) {}

  std::uint64_t bits() { return mix(state += kStep); }

  /// Uniform in [0, limit); 0 for limit 0. The bias of the modulus is below 2^-32 for any i32
  /// limit.
  std::int64_t below(std::int64_t limit) {
    return limit <= 0 ? 0 : static_cast<std::int64_t>(bits() % static_cast<std::uint64_t>(limit));
  }

  /// Uniform in [low, high].
  std::int64_t between(std::int64_t low, std::int64_t high) { return low + below(high - low + 1); }

  bool oneIn(std::int64_t count) { return below(count) == 0; }

  /// Mean 0, variance 1: a sum of four uniforms instead of a logarithm, whose last bit depends on
  /// the C library. Never beyond +-3.47.
  float normal() {
    const std::uint64_t word = bits();
    const auto part = [word](int shift) {
      return static_cast<std::int32_t>((word >> shift) & 0xffffU) - 0x8000;
    };
    const std::int32_t sum = part(0) + part(16) + part(32) + part(48);
    return static_cast<float>(sum) * (1.7320508F / 65536.0F);
  }

private:
  static constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15U;

  static constexpr std::uint64_t mix(std::uint64_t value) {
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9U;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebU;
    return value ^ (value >> 31);
  }

  std::uint64_t state;
};

} // namespace mlac::verify
