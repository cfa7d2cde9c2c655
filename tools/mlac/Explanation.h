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
  std::optional<Measurement> measured; ///< of attention kernels, where it was asked for
};

/// What one token costs, whatever kernel serves it.
struct TokenCost {
  std::int64_t keys = 0;        ///< cache rows it attends to
  std::int64_t cacheBytes = 0;  ///< read from the cache
  std::int64_t queryBytes = 0;  ///< read from q
  std::int64_t indexBytes = 0;  ///< read from index rows
  std::int64_t outputBytes = 0; ///< written
  std::int64_t flops = 0;       ///< multiplications and additions the variant asks for
  std::int64_t paddedFlops = 0; ///< with heads rounded up to the tensor cores' eight

  std::int64_t bytes() const { return cacheBytes + queryBytes + indexBytes + outputBytes; }
};

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
  std::vector<ExplainedKernel> kernels;
  std::string compiledBy;     ///< "NVRTC 13.0"; empty without one
  std::string whyNotCompiled; ///< why there are no resources; empty where there are
  std::int64_t context = 0;   ///< keys of a request that the two below assume
  TokenCost cost;
  std::vector<PredictedPoint> points;
};

struct ExplainOptions {
  std::int64_t context = 0; ///< length of every request, in keys
  bool measure = false;     ///< run the attention kernels under the SIMT executor
};

/// Compiles through NVRTC where there is one.
Result<Explanation> explainSpec(const CompileRequest& request,
                                std::vector<TakenDefault> defaults,
                                const ExplainOptions& options);

/// Names of the kernels that count something else than was predicted.
std::vector<std::string> mispredictedKernels(const Explanation& explanation);

/// For people; ends in a newline.
std::string explanationText(const Explanation& explanation);

/// What a kernel counted beside what was predicted, for people: lines that end in newlines.
std::string measurementText(const Measurement& measurement, std::int64_t context);

/// Alignments a launch must keep, a line each.
std::vector<std::string> alignmentRules(const Variant& variant);

} // namespace mlac
