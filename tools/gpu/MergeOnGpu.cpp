#include "tools/gpu/MergeOnGpu.h"

#include "runtime/Family.h"
#include "runtime/cuda/CudaStatus.h"
#include "runtime/cuda/Device.h"
#include "tools/gpu/DeviceProblem.h"
#include "tools/gpu/RunOnGpu.h"
#include "verify/Shards.h"

#include <fmt/format.h>

#include <limits>
#include <span>
#include <vector>

namespace mlac {
namespace {

using verify::MergeOptions;
using verify::MergeProblem;
using verify::OutputView;
using verify::PartsTensor;

constexpr int kShards = 4;

Status waitForAll(const Device& device) {
  MLAC_CUDA(*device.get().api, cuCtxSynchronize);
  return Unit{};
}

PartTensor partsAt(const DeviceBuffer& buffer, const PartsTensor& tensor) {
  if (tensor.bytes.empty())
    return {};
  return {buffer.at(), tensor.partStride, tensor.tokenStride, tensor.headStride};
}

/// The place of part 0, as a result.
Tensor partZeroOf(const PartTensor& parts) {
  return {const_cast<void*>(parts.data), parts.tokenStride, parts.headStride};
}

Tensor outputAt(const DeviceBuffer& buffer, const OutputView& view) {
  if (!view.present())
    return {};
  return {buffer.at(static_cast<std::size_t>(view.offsetBytes)), view.tokenStride, view.headStride};
}

Result<std::vector<std::byte>> contentOf(const DeviceBuffer& buffer) {
  std::vector<std::byte> content(buffer.size());
  MLAC_CHECK(buffer.download(content));
  return content;
}

/// Three tensors in device memory: those of the parts, or of the results.
struct Buffers {
  DeviceBuffer out;
  DeviceBuffer lse;
  DeviceBuffer maxLogit;
};

Result<Buffers> upload(const Device& device,
                       const std::vector<std::byte>& out,
                       const std::vector<std::byte>& lse,
                       const std::vector<std::byte>& maxLogit) {
  MLAC_TRY(outBuffer, DeviceBuffer::holding(device, out));
  MLAC_TRY(lseBuffer, DeviceBuffer::holding(device, lse));
  MLAC_TRY(maxLogitBuffer, DeviceBuffer::holding(device, maxLogit));
  return Buffers{std::move(outBuffer), std::move(lseBuffer), std::move(maxLogitBuffer)};
}

Result<verify::Outputs> download(const Buffers& buffers) {
  MLAC_TRY(out, contentOf(buffers.out));
  MLAC_TRY(lse, contentOf(buffers.lse));
  MLAC_TRY(maxLogit, contentOf(buffers.maxLogit));
  return verify::Outputs{std::move(out), std::move(lse), std::move(maxLogit)};
}

Result<Buffers> freshResults(const Device& device, const verify::Problem& problem) {
  const verify::Outputs fresh = verify::freshOutputs(problem);
  return upload(device, fresh.out, fresh.lse, fresh.maxLogit);
}

void setResults(MergeArgs& args, const Buffers& buffers, const verify::Problem& problem) {
  args.out = outputAt(buffers.out, problem.out);
  args.lse = outputAt(buffers.lse, problem.lse);
  args.maxLogit = outputAt(buffers.maxLogit, problem.maxLogit);
}

/// Parts of a problem's shards, one after another without gaps.
Result<Buffers> allocateParts(const Device& device, const verify::Problem& problem, int parts) {
  const Variant& variant = problem.variant;
  const auto rows =
      static_cast<std::size_t>(problem.tokens * variant.heads) * static_cast<std::size_t>(parts);
  const std::size_t outBytes =
      rows * static_cast<std::size_t>(variant.valueDims() * elementBytes(variant.output));
  MLAC_TRY(out, DeviceBuffer::allocate(device, outBytes));
  MLAC_TRY(lse, DeviceBuffer::allocate(device, rows * sizeof(float)));
  MLAC_TRY(maxLogit, DeviceBuffer::allocate(device, variant.maxLogit ? rows * sizeof(float) : 0));
  Buffers buffers{std::move(out), std::move(lse), std::move(maxLogit)};
  for (DeviceBuffer* buffer : {&buffers.out, &buffers.lse, &buffers.maxLogit})
    MLAC_CHECK(buffer->fill(verify::kFillByte));
  return buffers;
}

/// The place of one part in a buffer of `parts`.
Tensor partOf(const DeviceBuffer& buffer, int part, int parts) {
  if (buffer.size() == 0)
    return {};
  return {
      buffer.at(buffer.size() / static_cast<std::size_t>(parts) * static_cast<std::size_t>(part))};
}

/// Launches over one shard's keys and waits, so that what the launch reads may go.
Status attendToShard(const Device& device,
                     const Family& family,
                     const DeviceProblem& problem,
                     const Plan& plan,
                     LaunchArgs args,
                     std::span<const std::byte> keys) {
  MLAC_TRY(mine, DeviceBuffer::holding(device, keys));
  MLAC_TRY(workspace, DeviceBuffer::allocate(device, plan.workspaceBytes));
  MLAC_CHECK(workspace.fill(verify::kFillByte));
  const auto* ints = reinterpret_cast<const std::int32_t*>(mine.at());
  if (problem.problem().variant.isTopk())
    args.indices.data = ints;
  else
    args.blockTable.data = ints;
  args.workspace = {workspace.at(), workspace.size()};
  MLAC_CHECK(family.launch(plan, args, nullptr));
  return waitForAll(device);
}

/// Few parts and many, in every layout.
std::vector<MergeOptions> drawnMerges() {
  return {
      {.tokens = 2, .parts = 1, .seed = 1},
      {.tokens = 3, .parts = 5, .seed = 2, .emptyParts = true, .sinks = true, .padStrides = true},
      {.tokens = 2,
       .parts = 33,
       .seed = 3,
       .emptyParts = true,
       .interleaved = true,
       .inPlace = true},
      {.tokens = 2, .parts = 9, .seed = 4, .f32Parts = true, .sinks = true},
  };
}

std::string wrongMerge(const MergeProblem& problem, const verify::Outputs& outputs) {
  const verify::Report report =
      verify::checkOutputs(problem.results,
                           outputs,
                           verify::referenceMerge(problem),
                           verify::mergeTolerances(problem.results.variant));
  return report.passed()
             ? ""
             : fmt::format("{}\n{}", verify::describe(problem.options), verify::describe(report));
}

} // namespace

Result<verify::Outputs>
mergeOnGpu(const Device& device, const Family& family, const MergeProblem& problem) {
  MLAC_TRY(parts, upload(device, problem.out.bytes, problem.lse.bytes, problem.maxLogit.bytes));
  MLAC_TRY(results, freshResults(device, problem.results));
  MLAC_TRY(sinks, DeviceBuffer::holding(device, std::as_bytes(std::span(problem.sinks))));
  MergeArgs args;
  args.tokens = problem.options.tokens;
  args.parts = problem.options.parts;
  args.partOut = partsAt(parts.out, problem.out);
  args.f32Parts = problem.options.f32Parts;
  args.partLse = partsAt(parts.lse, problem.lse);
  args.partMaxLogit = partsAt(parts.maxLogit, problem.maxLogit);
  args.sinks = reinterpret_cast<const float*>(sinks.at());
  setResults(args, results, problem.results);
  if (problem.options.inPlace) {
    args.out = partZeroOf(args.partOut);
    args.lse = partZeroOf(args.partLse);
    args.maxLogit = partZeroOf(args.partMaxLogit);
  }
  MLAC_CHECK(family.merge(args, nullptr));
  MLAC_CHECK(waitForAll(device));
  MLAC_TRY(outputs, download(problem.options.inPlace ? parts : results));
  if (problem.options.inPlace)
    return verify::outputsInPlace(problem, outputs.out, outputs.lse, outputs.maxLogit);
  return std::move(outputs);
}

Result<verify::Outputs> attendInShards(const Device& device,
                                       const Family& family,
                                       const DeviceProblem& problem,
                                       int shards) {
  const verify::Problem& drawn = problem.problem();
  MLAC_TRY(plan, planFor(family, drawn));
  MLAC_TRY(parts, allocateParts(device, drawn, shards));
  MLAC_TRY(results, freshResults(device, drawn));
  LaunchArgs launch = problem.launchArgs();
  const float* const sinks = launch.sinks;
  const std::vector<float> none(static_cast<std::size_t>(drawn.variant.heads),
                                -std::numeric_limits<float>::infinity());
  MLAC_TRY(noSinks, DeviceBuffer::holding(device, std::as_bytes(std::span(none))));
  if (sinks != nullptr) // they join a row once: in the merge
    launch.sinks = reinterpret_cast<const float*>(noSinks.at());
  for (int shard = 0; shard < shards; ++shard) {
    launch.out = partOf(parts.out, shard, shards);
    launch.lse = partOf(parts.lse, shard, shards);
    launch.maxLogit = partOf(parts.maxLogit, shard, shards);
    MLAC_CHECK(attendToShard(
        device, family, problem, plan, launch, verify::shardOf(drawn, shard, shards)));
  }
  MergeArgs args;
  args.tokens = drawn.tokens;
  args.parts = shards;
  args.partOut = {parts.out.at()};
  args.partLse = {parts.lse.at()};
  args.partMaxLogit = {parts.maxLogit.at()};
  args.sinks = sinks;
  setResults(args, results, drawn);
  MLAC_CHECK(family.merge(args, nullptr));
  MLAC_CHECK(waitForAll(device));
  return download(results);
}

Result<MergeCheck> checkDrawnMerges(const Device& device, const Family& family) {
  MergeCheck check;
  for (const MergeOptions& options : drawnMerges()) {
    const MergeProblem problem = verify::makeMergeProblem(kernelFamilyOf(family).variant, options);
    MLAC_TRY(outputs, mergeOnGpu(device, family, problem));
    ++check.merges;
    check.firstWrong = wrongMerge(problem, outputs);
    if (!check.passed())
      return check;
  }
  return check;
}

Result<MergeCheck> checkMergeOnGpu(const Device& device,
                                   const Family& family,
                                   const DeviceProblem& problem,
                                   const OutputComplaint& complaint) {
  MLAC_TRY(check, checkDrawnMerges(device, family));
  if (!check.passed())
    return check;
  MLAC_TRY(outputs, attendInShards(device, family, problem, kShards));
  ++check.merges;
  const std::string wrong = complaint(outputs);
  if (!wrong.empty())
    check.firstWrong = fmt::format("{} shards of the problem\n{}", kShards, wrong);
  return check;
}

} // namespace mlac
