// Probes: one small kernel for each PTX wrapper. The same kernel on the same words runs on a GPU
// and under the SIMT executor; what it writes must agree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace mlac::probes {

using Words = std::vector<std::uint32_t>;

/// How the words a GPU wrote and those SIMT computed must agree; Compare.h says it exactly.
enum class Rule {
  BitEqual,
  Exp2, ///< f32, within PTX's bound for ex2.approx
  Log2  ///< f32, within PTX's bound for lg2.approx
};

/// A kernel takes one struct { const u32* in; u32* out; }. `out` holds zeros before the launch.
/// Whatever the order of its threads, it writes the same words.
struct Probe {
  std::string name;   ///< in lower_case; the recording is NAME.txt
  std::string entry;  ///< the kernel's name
  std::string source; ///< CUDA C++ that includes templates; to be flattened
  int threads = 0;    ///< a CTA
  int ctas = 1;
  int smemBytes = 0; ///< dynamic shared memory of a CTA
  std::size_t inWords = 0;
  std::size_t outWords = 0;
  Words (*draw)(std::uint64_t seed, std::size_t words) = nullptr;
  Rule rule = Rule::BitEqual;
};

/// Every probe, by family.
std::span<const Probe> allProbes();

/// The words a launch reads: the same bits on every machine.
Words inputOf(const Probe& probe, std::uint64_t seed);

} // namespace mlac::probes
