#include "tests/simt/wrappers/Probes.h"

#include "tests/simt/wrappers/ProbeParts.h"

#include <fmt/format.h>

#include <cassert>

namespace mlac::probes {

/// The row's body with the wrapper's name in it.
static std::string bodyOf(const ProbeRow& row) {
  constexpr std::string_view kPlaceholder = "CALLEE";
  std::string body(row.body);
  for (std::size_t at = body.find(kPlaceholder); at != std::string::npos;
       at = body.find(kPlaceholder, at + row.callee.size()))
    body.replace(at, kPlaceholder.size(), row.callee);
  return body;
}

Probe probeOf(const ProbeRow& row) {
  Probe probe;
  probe.name = row.name;
  probe.entry = fmt::format("probe_{}", row.name);
  // Addresses, waits and CTA barriers serve many probes beside the wrapper under test.
  probe.source = fmt::format(
      R"(#include "mlac/ptx/{header}.cuh"
#include "mlac/ptx/address.cuh"
#include "mlac/ptx/mbarrier.cuh"
#include "mlac/ptx/warp.cuh"

using namespace mlac;

struct Args {{
  const u32* in;
  u32* out;
}};

constexpr u32 kThreads = {threads};

extern "C" __global__ void __launch_bounds__(kThreads) {entry}(const __grid_constant__ Args args) {{
  extern __shared__ __align__(128) u8 smem[];
  [[maybe_unused]] const u32* const in = args.in;
  [[maybe_unused]] u32* const out = args.out;
  [[maybe_unused]] const u32 thread = threadIdx.x;
  [[maybe_unused]] const u32 lane = thread % 32;
  [[maybe_unused]] const u32 warp = thread / 32;
  [[maybe_unused]] const u32 cell = blockIdx.x * blockDim.x + thread;{body}}}
)",
      fmt::arg("header", row.header),
      fmt::arg("threads", row.threads),
      fmt::arg("entry", probe.entry),
      fmt::arg("body", bodyOf(row)));
  probe.threads = row.threads;
  probe.ctas = row.ctas;
  probe.smemBytes = row.smemBytes;
  probe.inWords = static_cast<std::size_t>(row.inWords);
  probe.outWords = static_cast<std::size_t>(row.outWords);
  probe.draw = row.draw;
  probe.rule = row.rule;
  return probe;
}

std::span<const Probe> allProbes() {
  static const std::vector<Probe> probes = [] {
    std::vector<Probe> all;
    for (const auto family : {warpProbes,
                              numberProbes,
                              sharedProbes,
                              atomicProbes,
                              matrixProbes,
                              productProbes,
                              barrierProbes,
                              copyProbes})
      for (const ProbeRow& row : family())
        all.push_back(probeOf(row));
    return all;
  }();
  return probes;
}

Words inputOf(const Probe& probe, std::uint64_t seed) {
  Words words = probe.draw(seed, probe.inWords);
  assert(words.size() == probe.inWords);
  return words;
}

} // namespace mlac::probes
