#include "common/Gpus.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace mlac {
namespace {

constexpr std::int64_t kMiB = std::int64_t{1} << 20;

constexpr std::array<Gpu, 4> kGpus = {{
    // SMs, clock, 512 bits of GDDR7 at 28 Gb/s, 128 MiB and 503.8 TFLOP/s: NVIDIA RTX Blackwell PRO
    // GPU Architecture, Workstation Edition. Attained: no copy on this edition is published; the
    // Server Edition reads at 96 % of its 1,597 bytes/ns (flashinfer issue 3655), and a gather of
    // rows is taken to reach 90 %.
    {.name = "RTX PRO 6000 Blackwell",
     .aliases = {"pro6000", "rtxpro6000"},
     .target = "sm_120",
     .sms = 188,
     .boostClockGhz = 2.617,
     .peakBytesPerNs = 1792,
     .attainedBytesPerNs = 1600,
     .l2Bytes = 128 * kMiB,
     .tensorTflops = 503.8},
    // NVIDIA RTX Blackwell GPU Architecture, table of the GeForce RTX 5090: 209.5 TFLOP/s, as
    // GeForce halves bf16 where the sum is f32 (253 attained above the boost clock: flashinfer
    // issue 4149). Attained: the same memory as the RTX PRO 6000, so the same share of its peak.
    {.name = "RTX 5090",
     .aliases = {"5090"},
     .target = "sm_120",
     .sms = 170,
     .boostClockGhz = 2.407,
     .peakBytesPerNs = 1792,
     .attainedBytesPerNs = 1600,
     .l2Bytes = 96 * kMiB,
     .tensorTflops = 209.5},
    // 48 SMs and 273 bytes/ns of LPDDR5X: NVIDIA DGX Spark data sheet. Attained: 88 % of it
    // (flashinfer issue 3655). bf16 is not published: a quarter of the dense FP4 rate, which the
    // data sheet's petaFLOP (with sparsity) halves to, as on the RTX PRO 6000; about 100 are
    // reported as attained. Clock and L2: device properties as reported by owners.
    {.name = "GB10",
     .aliases = {"dgxspark", "spark"},
     .target = "sm_121",
     .sms = 48,
     .boostClockGhz = 2.5,
     .peakBytesPerNs = 273,
     .attainedBytesPerNs = 240,
     .l2Bytes = 24 * kMiB,
     .tensorTflops = 125},
    // NVIDIA H200 data sheet: 4.8 TB/s, 989.5 TFLOP/s without sparsity, which wgmma reaches and
    // mma.sync does not. Attained and L2: a copy of 8 GiB and the device's own properties
    // (docs/performance.md has the method).
    {.name = "H200",
     .aliases = {},
     .target = "sm_90",
     .sms = 132,
     .boostClockGhz = 1.98,
     .peakBytesPerNs = 4800,
     .attainedBytesPerNs = 4300,
     .l2Bytes = 60 * kMiB,
     .tensorTflops = 989.5,
     .wasMeasured = true},
}};

/// Lower case, without what people put between words.
std::string plainName(std::string_view name) {
  std::string plain;
  for (const char c : name)
    if (c != ' ' && c != '-' && c != '_')
      plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return plain;
}

bool isCalled(const Gpu& gpu, const std::string& plain) {
  const auto& aliases = gpu.aliases;
  return plain == plainName(gpu.name) ||
         (!plain.empty() && std::find(aliases.begin(), aliases.end(), plain) != aliases.end());
}

std::string knownNames() {
  std::string names;
  for (const Gpu& gpu : kGpus)
    names += gpu.aliases.front().empty()
                 ? fmt::format("'{}', ", gpu.name)
                 : fmt::format("'{}' or '{}', ", gpu.name, gpu.aliases.front());
  return names + "and 'all'";
}

} // namespace

std::span<const Gpu> allGpus() {
  return kGpus;
}

Result<const Gpu*> findGpu(std::string_view name) {
  const std::string wanted = plainName(name);
  for (const Gpu& gpu : kGpus)
    if (isCalled(gpu, wanted))
      return &gpu;
  return Error{ErrorCode::InvalidInput,
               fmt::format("unknown GPU '{}'; known are {}", name, knownNames())};
}

Result<std::vector<const Gpu*>> findGpus(std::span<const std::string> names) {
  std::vector<const Gpu*> found;
  const auto addOnce = [&](const Gpu* gpu) {
    if (std::find(found.begin(), found.end(), gpu) == found.end())
      found.push_back(gpu);
  };
  for (const std::string& name : names) {
    if (plainName(name) == "all") {
      for (const Gpu& gpu : kGpus)
        addOnce(&gpu);
      continue;
    }
    MLAC_TRY(gpu, findGpu(name));
    addOnce(gpu);
  }
  return found;
}

} // namespace mlac
