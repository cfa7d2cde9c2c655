#include "common/Target.h"

#include <fmt/format.h>

#include <array>

namespace mlac {
namespace {

constexpr int kKiB = 1024;

// Limits: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability". Rates:
// vendor data sheets, as attained by a plain copy where that was published.
constexpr std::array<Target, 9> kTargets = {{
    {"sm_80", 80, 163 * kKiB, 164 * kKiB, kKiB, 65536, 2048, false, 108, 1.41, 1400, "A100"},
    {"sm_86", 86, 99 * kKiB, 100 * kKiB, kKiB, 65536, 1536, false, 84, 1.74, 700, "RTX A6000"},
    {"sm_87",
     87,
     163 * kKiB,
     164 * kKiB,
     kKiB,
     65536,
     1536,
     false,
     16,
     1.3,
     180,
     "Jetson AGX Orin"},
    {"sm_89", 89, 99 * kKiB, 100 * kKiB, kKiB, 65536, 1536, false, 142, 2.5, 880, "L40S"},
    {"sm_90", 90, 227 * kKiB, 228 * kKiB, kKiB, 65536, 2048, true, 132, 1.75, 4300, "H200"},
    {"sm_100", 100, 227 * kKiB, 228 * kKiB, kKiB, 65536, 2048, true, 148, 1.9, 7200, "B200"},
    {"sm_103", 103, 227 * kKiB, 228 * kKiB, kKiB, 65536, 2048, true, 148, 1.9, 7200, "B300"},
    {"sm_120", 120, 99 * kKiB, 100 * kKiB, kKiB, 65536, 1536, true, 188, 2.4, 1600, "RTX PRO 6000"},
    {"sm_121", 121, 99 * kKiB, 100 * kKiB, kKiB, 65536, 1536, true, 48, 2.5, 240, "GB10"},
}};

std::string knownNames() {
  std::string names;
  for (const Target& target : kTargets)
    names += fmt::format("{}{}", names.empty() ? "" : " ", target.name);
  return names;
}

} // namespace

std::span<const Target> allTargets() {
  return kTargets;
}

Result<const Target*> findTarget(std::string_view name) {
  std::string_view plain = name;
  if (!plain.empty() && (plain.back() == 'a' || plain.back() == 'f'))
    plain.remove_suffix(1);
  for (const Target& target : kTargets)
    if (target.name == plain)
      return &target;
  return Error{ErrorCode::InvalidInput,
               fmt::format("unknown target '{}'; known targets are {}", name, knownNames())};
}

Result<const Target*> targetForCapability(int major, int minor) {
  const int sm = major * 10 + minor;
  const Target* best = nullptr;
  for (const Target& target : kTargets)
    if (target.sm <= sm && target.sm / 10 == major)
      best = &target;
  if (best != nullptr)
    return best;
  return Error{ErrorCode::Unsupported,
               fmt::format("compute capability {}.{} is not supported; mlac generates for {}",
                           major,
                           minor,
                           knownNames())};
}

} // namespace mlac
