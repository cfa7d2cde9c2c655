#include "tools/gpu/RunOnGpu.h"

#include "runtime/cuda/CudaStatus.h"
#include "runtime/cuda/Device.h"
#include "tools/gpu/DeviceProblem.h"
#include "verify/KeySlots.h"
#include "verify/RuleValue.h"

#include <fmt/format.h>

#include <algorithm>

namespace mlac {
namespace {

Status waitForAll(const Device& device) {
  MLAC_CUDA(*device.get().api, cuCtxSynchronize);
  return Unit{};
}

Result<std::vector<std::int32_t>> downloadInts(const DeviceBuffer& buffer) {
  std::vector<std::int32_t> values(buffer.size() / sizeof(std::int32_t));
  MLAC_CHECK(buffer.download(std::as_writable_bytes(std::span(values))));
  return values;
}

/// Compares one token's row of converted slots and its count.
void compareRow(const verify::Problem& problem,
                int token,
                std::span<const std::int32_t> slots,
                std::int32_t validCount,
                ConvertCheck& check) {
  const auto want = verify::convertedSlots(problem, token, problem.variant.page);
  const auto complain = [&](const std::string& what) {
    if (check.wrong++ == 0)
      check.firstWrong = fmt::format("token {}, {}", token, what);
  };
  const auto isMasked = [&](std::size_t column) {
    const std::int64_t key = problem.ints(verify::Input::Indices)[static_cast<std::size_t>(
        token * problem.indicesStride + static_cast<std::int64_t>(column))];
    return verify::isMaskedForAllHeads(problem, token, verify::placeOf(problem, token).query, key);
  };
  // What a mask of positions excludes may be left out.
  for (std::size_t column = 0; column < want.size(); ++column)
    if (slots[column] != want[column] && !(slots[column] == -1 && isMasked(column)))
      complain(fmt::format("column {}: {}, expected {}", column, slots[column], want[column]));
  const auto valid =
      std::count_if(slots.begin(), slots.end(), [](std::int32_t slot) { return slot >= 0; });
  if (validCount != valid)
    complain(fmt::format("valid count: {}, expected {}", validCount, valid));
  check.entries += static_cast<std::int64_t>(want.size()) + 1;
}

} // namespace

Result<Plan>
planFor(const Family& family, const verify::Problem& problem, const GpuRunOptions& options) {
  return family.plan({.tokens = problem.tokens,
                      .requests = problem.requests,
                      .maxSeqLen = problem.maxSeqLen,
                      .splits = options.splits,
                      .kernel = options.kernel,
                      .balance = options.balance});
}

std::string cutWords(const Plan& plan) {
  return plan.parts > 0 ? fmt::format("balanced in {} parts", plan.parts)
                        : fmt::format("{} splits", plan.splits);
}

Result<DeviceBuffer> scheduleOnGpu(const Device& device,
                                   const Family& family,
                                   const Plan& plan,
                                   const LaunchArgs& args,
                                   Stream stream) {
  MLAC_TRY(schedule, DeviceBuffer::allocate(device, plan.scheduleBytes));
  if (plan.parts == 0)
    return std::move(schedule);
  MLAC_CHECK(schedule.fill(verify::kFillByte));
  const bool isTopk = family.variant().topk > 0;
  const ScheduleArgs lengths{.queryStart = isTopk ? nullptr : args.queryStart,
                             .tokenRequest = isTopk ? nullptr : args.tokenRequest,
                             .seqLens = isTopk ? nullptr : args.seqLens,
                             .keyEnd = isTopk ? nullptr : args.keyEnd,
                             .topkLength = args.topkLength,
                             .schedule = {schedule.at(), schedule.size()}};
  MLAC_CHECK(family.schedule(plan, lengths, stream));
  return std::move(schedule);
}

Result<GpuRun> runOnGpu(const Device& device,
                        const Family& family,
                        const verify::Problem& problem,
                        const GpuRunOptions& options) {
  MLAC_TRY(plan, planFor(family, problem, options));
  MLAC_TRY(uploaded, DeviceProblem::upload(device, problem));
  MLAC_TRY(workspace, DeviceBuffer::allocate(device, plan.workspaceBytes));
  MLAC_CHECK(workspace.fill(verify::kFillByte));
  LaunchArgs args = uploaded.launchArgs();
  args.workspace = {workspace.at(), workspace.size()};
  MLAC_TRY(schedule, scheduleOnGpu(device, family, plan, args, nullptr));
  args.schedule = schedule.at();
  MLAC_CHECK(family.launch(plan, args, nullptr));
  MLAC_CHECK(waitForAll(device));
  MLAC_TRY(outputs, uploaded.download());
  return GpuRun{plan, std::move(outputs)};
}

Result<ConvertCheck>
checkConvertOnGpu(const Device& device, const Family& family, const DeviceProblem& problem) {
  const verify::Problem& drawn = problem.problem();
  const auto tokens = static_cast<std::size_t>(drawn.tokens);
  const auto topk = static_cast<std::size_t>(drawn.variant.topk);
  MLAC_TRY(slots, DeviceBuffer::allocate(device, tokens * topk * sizeof(std::int32_t)));
  MLAC_TRY(counts, DeviceBuffer::allocate(device, tokens * sizeof(std::int32_t)));
  MLAC_CHECK(slots.fill(verify::kFillByte));
  MLAC_CHECK(counts.fill(verify::kFillByte));
  MLAC_CHECK(family.convert(problem.convertArgs(slots, counts), nullptr));
  MLAC_CHECK(waitForAll(device));
  MLAC_TRY(gotSlots, downloadInts(slots));
  MLAC_TRY(gotCounts, downloadInts(counts));
  ConvertCheck check;
  for (int token = 0; token < drawn.tokens; ++token) {
    const auto row = std::span<const std::int32_t>(gotSlots).subspan(token * topk, topk);
    compareRow(drawn, token, row, gotCounts[static_cast<std::size_t>(token)], check);
  }
  return check;
}

} // namespace mlac
