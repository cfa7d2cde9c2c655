// Explanation: everything `mlac explain` says about a spec, gathered before any of it is printed.
#pragma once

#include "common/KernelFamily.h"
#include "common/Result.h"
#include "common/Target.h"
#include "compiler/Compiler.h"
#include "compiler/schedule/Schedule.h"
#include "compiler/spec/Sema.h"
#include "runtime/nvrtc/Compile.h"
#include "tools/mlac/Measure.h"
#include "tools/mlac/Roof.h"
#include "tools/mlac/TokenCost.h"
#include "tools/sass/InstructionMix.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mlac {

/// A stretch of a CTA's shared memory.
struct SmemSection {
  std::string name;
  int offsetBytes = 0;
  int bytes = 0;
};

struct ExplainedKernel {
  Kernel kernel;
  std::optional<Schedule> schedule; ///< of attention kernels
  std::vector<SmemSection> smem;    ///< of attention kernels
  int estimatedRegisters = 0;       ///< what the budget assumed; 0 where it assumes nothing
  int allowedRegisters = 0;
  std::optional<Resources> resources;  ///< as compiled; absent without NVRTC
  std::optional<sass::KernelMix> sass; ///< where it was asked for and can be had
  std::optional<Measurement> measured; ///< of attention kernels, where it was asked for
};

/// CTAs of a compiled kernel that an SM of `target` holds at once, by its shared memory, registers
/// and threads; nothing where the kernel's registers are not known.
std::optional<int> residentCtas(const ExplainedKernel& explained, const Target& target);

/// What limits a launch of some size, by the cost model.
enum class Bound { Latency, Memory, Arithmetic };

const char* boundName(Bound bound);

/// What the planner would choose for a number of tokens.
struct PredictedPoint {
  std::int64_t tokens = 0;
  std::string kernel;
  int splits = 1;
  std::int64_t gridCtas = 0;
  std::size_t workspaceBytes = 0;
  double ns = 0;
  Bound bound = Bound::Latency;
};

struct Explanation {
  Variant variant;
  const Target* target = nullptr;
  std::vector<TakenDefault> defaults;
  std::string whyNoKernels; ///< why nothing is generated; empty where kernels are
  std::vector<ExplainedKernel> kernels;
  std::string compiledBy;     ///< "NVRTC 13.0"; empty without one
  std::string whyNotCompiled; ///< why there are no resources; empty where there are
  std::string disassembledBy; ///< "nvdisasm 13.5"; empty without one, and where none was asked for
  std::string whyNotDisassembled; ///< why no instructions were counted, where that was asked for
  std::int64_t context = 0;       ///< keys of a request that the three below assume
  TokenCost cost;
  std::vector<PredictedPoint> points;
  std::vector<GpuRoof> roofs; ///< of the GPUs that were asked for
};

struct ExplainOptions {
  std::int64_t context = 0;     ///< length of every request, in keys
  bool measure = false;         ///< run the attention kernels under the SIMT executor
  bool sass = false;            ///< disassemble the kernels and count their instructions
  std::vector<const Gpu*> gpus; ///< whose roofs are wanted
};

/// Compiles through NVRTC where there is one. Of a record that the CUDA backend cannot read yet the
/// kernels are left out, unless they are to be measured or disassembled, or GPUs were named.
Result<Explanation> explainSpec(const CompileRequest& request,
                                std::vector<TakenDefault> defaults,
                                const ExplainOptions& options);

/// Names of the kernels that count something else than was predicted.
std::vector<std::string> mispredictedKernels(const Explanation& explanation);

/// For people; ends in a newline.
std::string explanationText(const Explanation& explanation);

/// Instructions of every kernel by kind, for people; empty where none were counted.
std::string sassText(const Explanation& explanation);

/// What a kernel counted beside what was predicted, for people: lines that end in newlines.
std::string measurementText(const Measurement& measurement, std::int64_t context);

/// Alignments a launch must keep, a line each.
std::vector<std::string> alignmentRules(const Variant& variant);

} // namespace mlac
