// KernelFamily: what the compiler hands to the runtime. Plain data, no LLVM and no CUDA on either
// side.
#pragma once

#include "common/Variant.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mlac {

enum class KernelRole { Attention, Combine, Convert, Schedule, Merge };

enum class ParamType { Pointer, I32, I64, F32 };

/// Where one named argument stands in the kernel's single parameter struct.
/// Names are those of docs/embedding.md's argument table (`q`, `blockTable`, `splits`, ...).
struct ParamField {
  std::string name;
  ParamType type = ParamType::Pointer;
  std::uint32_t offset = 0; ///< bytes from the start of the struct

  friend bool operator==(const ParamField&, const ParamField&) = default;
};

/// One kernel: a self-contained CUDA C++ source with one `extern "C"` entry that takes one struct
/// by value.
struct Kernel {
  KernelRole role = KernelRole::Attention;
  std::string entry;
  std::string source;   ///< flattened: needs no header
  std::string schedule; ///< the schedule as text, for people
  std::vector<ParamField> params;
  std::uint32_t paramBytes = 0;
  int threads = 0;
  int dynamicSmemBytes = 0;
  /// grid.x = tokens * ctasPerToken, times the splits for attention; with a `queryGroup`, CTAs of
  /// each group of tokens.
  int ctasPerToken = 1;
  int queryGroup = 1;  ///< attention: tokens of a request that a CTA takes together, at most
  int keysPerTile = 0; ///< attention: keys one step covers; the unit in which a row is split
  /// May be launched while the kernel before it still runs, for whose results it waits by itself
  /// (programmatic dependent launch, sm_90).
  bool startsEarly = false;

  friend bool operator==(const Kernel&, const Kernel&) = default;
};

/// Cost of one attention kernel, filled by the compiler's cost model and evaluated by the planner:
///   memoryNs     = tileBytes * busyCtas * fromMemory / bandwidth
///   time(splits) = waves * (fixedNs + tilesPerCta * overlapped(tileNs, memoryNs))
///                + (splits > 1 ? combineFixedNs + splits * tokens * combineSplitNs : 0)
/// CTAs are those of tokens, or of the groups of tokens that the kernel takes together. fromMemory
/// = (1 + (n - 1) * 0.52) / n for n of these a request that walk the same rows at a time: the first
/// has them from the memory, the others from the L2 cache. overlapped(a, b) = max(a, b) + min(a, b)
/// / 4: copying and arithmetic hide each other, but not wholly; and busyCtas are those that run at
/// a time, counted as if all SMs were shared where any has to be.
struct PlanRow {
  int kernel = 0; ///< index into KernelFamily::kernels
  int ctasPerSm = 1;
  double fixedNs = 0;        ///< launch, first gather, merge and store of one CTA
  double tileNs = 0;         ///< arithmetic of one tile when the CTA has its SM's share
  double tileBytes = 0;      ///< one CTA's share of what the memory moves for one tile of rows
  double combineFixedNs = 0; ///< cost of having a combine at all
  double combineSplitNs = 0; ///< of each partial row: one token, one split
  int maxSplits = 1;

  friend bool operator==(const PlanRow&, const PlanRow&) = default;
};

/// All kernels of one variant on one target, with the table that chooses among them.
struct KernelFamily {
  Variant variant;
  std::string target;   ///< such as "sm_120"
  std::string specText; ///< the attention as the formatter prints it
  std::string templateDigest;
  std::string compilerBuild;
  double bytesPerNsPerSm = 0; ///< device memory bandwidth the model assumes, per SM
  std::vector<Kernel> kernels;
  std::vector<PlanRow> table;

  friend bool operator==(const KernelFamily&, const KernelFamily&) = default;
};

} // namespace mlac
