// ProbeParts: how the tables of ProbesOf*.cpp are written, one table a family.
#pragma once

#include "tests/simt/wrappers/Inputs.h"
#include "tests/simt/wrappers/Probes.h"

#include <span>
#include <string_view>

namespace mlac::probes {

/// A probe in the words of its table.
struct ProbeRow {
  std::string_view name;
  std::string_view header; ///< "warp" for mlac/ptx/warp.cuh
  int threads = 0;
  int ctas = 1;
  int smemBytes = 0;
  int inWords = 0;
  int outWords = 0;
  decltype(Probe::draw) draw = anyWords;
  Rule rule = Rule::BitEqual;
  /// What CALLEE in the body stands for, where one body serves several wrappers.
  std::string_view callee = {};
  /// The kernel's body, from the end of a line on. It finds `in`, `out`, `smem`, `thread` (in the
  /// CTA), `lane`, `warp`, `cell` (the thread's number in the grid), and kThreads.
  std::string_view body;
};

Probe probeOf(const ProbeRow& row);

std::span<const ProbeRow> warpProbes();
std::span<const ProbeRow> numberProbes();
std::span<const ProbeRow> sharedProbes();
std::span<const ProbeRow> atomicProbes();
std::span<const ProbeRow> matrixProbes();
std::span<const ProbeRow> productProbes();
std::span<const ProbeRow> barrierProbes();
std::span<const ProbeRow> copyProbes();

} // namespace mlac::probes
