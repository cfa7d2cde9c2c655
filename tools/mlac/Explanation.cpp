#include "tools/mlac/Explanation.h"

#include "compiler/schedule/Budget.h"
#include "compiler/schedule/PlanSchedules.h"
#include "compiler/schedule/SmemLayout.h"
#include "runtime/plan/Planner.h"
#include "tools/mlac/Cubins.h"
#include "tools/mlac/Sass.h"

#include <algorithm>
#include <array>
#include <utility>

namespace mlac {
namespace {

constexpr std::array<std::int64_t, 7> kTokenCounts = {1, 4, 16, 64, 256, 1024, 4096};

/// Sections by their beginnings; each ends where the next begins, and empty ones are left out.
std::vector<SmemSection> sectionsOf(const SmemLayout& layout) {
  const auto starts = std::to_array<std::pair<const char*, int>>({
      {"ring of cache rows, reused by the merge", 0},
      {"barriers of the slots", layout.fullAt},
      {"which rows of each slot are no keys", layout.absentAt},
      {"key positions", layout.positionsAt},
      {"softmax state of each slice", layout.statsAt},
      {"scores on their way between warps", layout.sharesAt},
      {"queries", layout.queriesAt},
      {"", layout.totalBytes},
  });
  std::vector<SmemSection> sections;
  for (std::size_t i = 0; i + 1 < starts.size(); ++i)
    if (starts[i + 1].second > starts[i].second)
      sections.push_back(
          {starts[i].first, starts[i].second, starts[i + 1].second - starts[i].second});
  return sections;
}

void describeSchedule(ExplainedKernel& explained,
                      const Variant& variant,
                      const Target& target,
                      const Schedule& schedule) {
  explained.schedule = schedule;
  SmemLayout layout = layoutSmem(variant, schedule, false);
  // Only kernels whose rules ask for them keep positions; the emitter decided that.
  if (layout.totalBytes != explained.kernel.dynamicSmemBytes)
    layout = layoutSmem(variant, schedule, true);
  explained.smem = sectionsOf(layout);
  explained.estimatedRegisters = estimateRegisters(variant, schedule);
  explained.allowedRegisters = allowedRegisters(schedule, target);
}

/// Attention kernels come in the order of their schedules.
Status explainKernels(Explanation& explanation,
                      const KernelFamily& family,
                      const CompileRequest& request) {
  MLAC_TRY(schedules, planSchedules(request.variant, *request.target, request.overrides));
  std::size_t next = 0;
  for (const Kernel& kernel : family.kernels) {
    ExplainedKernel& explained = explanation.kernels.emplace_back();
    explained.kernel = kernel;
    if (kernel.role == KernelRole::Attention && next < schedules.size())
      describeSchedule(explained, request.variant, *request.target, schedules[next++]);
  }
  return Unit{};
}

Status addResources(Explanation& explanation, const KernelFamily& family, bool withSass) {
  auto outputs = compileKernels(family);
  if (!outputs) {
    if (outputs.error().code != ErrorCode::MissingDependency)
      return outputs.error();
    explanation.whyNotCompiled = outputs.error().message;
    if (withSass)
      explanation.whyNotDisassembled = "there are no cubins: " + explanation.whyNotCompiled;
    return Unit{};
  }
  MLAC_TRY(nvrtc, processNvrtc());
  explanation.compiledBy = nvrtcName(*nvrtc);
  for (std::size_t i = 0; i < outputs->size(); ++i)
    explanation.kernels[i].resources = (*outputs)[i].resources;
  return withSass ? addSass(explanation, *outputs) : Unit{};
}

/// Which term of the cost formula (see PlanRow) is the largest.
Bound boundOf(const KernelFamily& family, const PlanRow& row, int sms, const Plan& plan) {
  const Kernel& kernel = family.kernels[static_cast<std::size_t>(row.kernel)];
  const std::int64_t keys = keysPerRow(family.variant, plan.shape.maxSeqLen);
  const std::int64_t tiles = (keys + kernel.keysPerTile - 1) / kernel.keysPerTile;
  const std::int64_t tilesPerCta = (tiles + plan.splits - 1) / plan.splits;
  const auto busyCtas =
      static_cast<double>(std::min<std::int64_t>(plan.gridCtas, std::int64_t{sms} * row.ctasPerSm));
  const double bytesNs = row.tileBytes * busyCtas / (family.bytesPerNsPerSm * sms);
  if (static_cast<double>(tilesPerCta) * std::max(row.tileNs, bytesNs) < row.fixedNs)
    return Bound::Latency;
  return bytesNs >= row.tileNs ? Bound::Memory : Bound::Arithmetic;
}

Status addPoints(Explanation& explanation, const KernelFamily& family) {
  const int sms = explanation.target->nominalSms;
  for (const std::int64_t tokens : kTokenCounts) {
    MLAC_TRY(plan,
             planLaunch(family,
                        sms,
                        {.tokens = tokens, .requests = tokens, .maxSeqLen = explanation.context}));
    const auto row = std::find_if(family.table.begin(), family.table.end(), [&](const PlanRow& r) {
      return r.kernel == plan.kernel;
    });
    explanation.points.push_back({.tokens = tokens,
                                  .kernel = family.kernels[plan.kernel].entry,
                                  .splits = plan.splits,
                                  .gridCtas = plan.gridCtas,
                                  .workspaceBytes = plan.workspaceBytes,
                                  .ns = plan.predictedNs,
                                  .bound = boundOf(family, *row, sms, plan)});
  }
  return Unit{};
}

Status addMeasurements(Explanation& explanation, const KernelFamily& family) {
  std::vector<Schedule> schedules;
  for (const ExplainedKernel& explained : explanation.kernels)
    if (explained.schedule)
      schedules.push_back(*explained.schedule);
  MLAC_TRY(measurements, measureKernels(family, schedules, explanation.context));
  for (Measurement& measurement : measurements) {
    ExplainedKernel& explained = explanation.kernels[static_cast<std::size_t>(measurement.kernel)];
    explained.measured = std::move(measurement);
  }
  return Unit{};
}

} // namespace

std::optional<int> residentCtas(const ExplainedKernel& explained, const Target& target) {
  if (!explained.resources || explained.resources->registers <= 0)
    return std::nullopt;
  // Registers are allocated to warps in units of 256 (CUDA C++ Programming Guide, "Compute
  // Capabilities").
  constexpr int kRegisterUnit = 8;
  const int registers =
      (explained.resources->registers + kRegisterUnit - 1) / kRegisterUnit * kRegisterUnit;
  const int smemBytes = explained.kernel.dynamicSmemBytes + explained.resources->staticSmemBytes +
                        target.reservedSmemPerCtaBytes;
  const int threads = explained.kernel.threads;
  return std::min({target.smemPerSmBytes / smemBytes,
                   target.registersPerSm / (registers * threads),
                   target.threadsPerSm / threads});
}

const char* boundName(Bound bound) {
  switch (bound) {
  case Bound::Latency:
    return "latency";
  case Bound::Memory:
    return "memory";
  case Bound::Arithmetic:
    break;
  }
  return "arithmetic";
}

Result<Explanation> explainSpec(const CompileRequest& request,
                                std::vector<TakenDefault> defaults,
                                const ExplainOptions& options) {
  Explanation explanation;
  explanation.variant = request.variant;
  explanation.target = request.target;
  for (TakenDefault& taken : defaults)
    if (taken.attention == request.variant.name)
      explanation.defaults.push_back(std::move(taken));
  explanation.context = options.context;
  explanation.cost = tokenCost(request.variant, options.context);
  const Status readable = checkCudaReads(request.variant);
  if (!readable && !options.measure && !options.sass && options.gpus.empty()) {
    explanation.whyNoKernels = readable.error().message;
    return explanation;
  }
  MLAC_TRY(compiled, compileFamily(request));
  MLAC_CHECK(explainKernels(explanation, compiled.family, request));
  MLAC_CHECK(addResources(explanation, compiled.family, options.sass));
  MLAC_CHECK(addPoints(explanation, compiled.family));
  MLAC_TRY(roofs, roofsOf(request, explanation.cost, options.context, options.gpus));
  explanation.roofs = std::move(roofs);
  if (options.measure)
    MLAC_CHECK(addMeasurements(explanation, compiled.family));
  return explanation;
}

std::vector<std::string> mispredictedKernels(const Explanation& explanation) {
  std::vector<std::string> entries;
  for (const ExplainedKernel& explained : explanation.kernels)
    if (explained.measured && !explained.measured->agrees())
      entries.push_back(explained.kernel.entry);
  return entries;
}

std::vector<std::string> alignmentRules(const Variant& variant) {
  std::vector<std::string> rules = {
      "q, qLatent, qRope: pointers multiples of 4 bytes, strides even",
      "cache: base, pageStrideBytes and tokenStrideBytes multiples of 16 bytes",
      "out: pointer and strides multiples of 4 elements",
      "workspace: 256 bytes",
  };
  if (variant.isLogical())
    rules.emplace_back("blockTable, seqLens, queryStart, tokenRequest, keyEnd: 4 bytes");
  if (variant.isTopk())
    rules.emplace_back("indices, topkLength: 4 bytes");
  return rules;
}

} // namespace mlac
