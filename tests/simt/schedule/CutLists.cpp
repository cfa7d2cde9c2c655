#include "tests/simt/schedule/CutLists.h"

#include "common/Target.h"
#include "compiler/Compiler.h"
#include "runtime/plan/Planner.h"
#include "verify/Outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace mlac::cuts {
namespace {

constexpr std::size_t kHeaderBytes = 16;

template <typename Item>
void takeItems(std::span<const std::byte> from, std::vector<Item>& items) {
  std::memcpy(items.data(), from.data(), items.size() * sizeof(Item));
}

Result<KernelFamily> compileFor90(const Variant& variant) {
  CompileRequest request;
  request.variant = variant;
  MLAC_TRY(target, findTarget("sm_90"));
  request.target = target;
  MLAC_TRY(compiled, compileFamily(request));
  return compiled.family;
}

} // namespace

Result<CutList> readList(const DeviceBuffer& schedule, int tokens) {
  std::vector<std::byte> bytes(schedule.size());
  MLAC_CHECK(schedule.download(bytes));
  const std::span<const std::byte> all = bytes;
  std::int32_t count = 0;
  std::memcpy(&count, bytes.data(), sizeof count);
  CutList list;
  list.cuts.resize(static_cast<std::size_t>(tokens));
  takeItems(all.subspan(kHeaderBytes), list.cuts);
  const auto pieces = all.subspan(kHeaderBytes + list.cuts.size() * sizeof(Cut));
  const auto room = static_cast<std::int32_t>(pieces.size() / sizeof(Piece));
  if (count < 0 || count > room)
    return Error{ErrorCode::InvalidInput,
                 fmt::format("the list counts {} pieces; it has room for {}", count, room)};
  list.pieces.resize(static_cast<std::size_t>(count));
  takeItems(pieces, list.pieces);
  return list;
}

Result<SimtSession> openVariant(const Variant& variant) {
  MLAC_TRY(family, compileFor90(variant));
  return openSimt(family);
}

Result<Plan>
planDivided(const Family& family, int tokens, int requests, Division division, int kernel) {
  constexpr int kMaxSeqLen = 4096; // only the choice of kernel depends on it
  MLAC_TRY(plan,
           family.plan({.tokens = tokens,
                        .requests = requests,
                        .maxSeqLen = kMaxSeqLen,
                        .kernel = kernel,
                        .balance = true}));
  const KernelFamily& made = kernelFamilyOf(family);
  plan.parts = division.parts;
  plan.pieceTiles = division.pieceTiles;
  plan.scheduleBytes = scheduleBytes(tokens, plan.parts);
  plan.workspaceBytes =
      workspaceLayout(made.variant, partialSlots(tokens, plan.splits, plan.parts)).bytes;
  plan.gridCtas = gridCtas(
      made.kernels[static_cast<std::size_t>(plan.kernel)], tokens, plan.splits, plan.parts);
  return plan;
}

Result<CutList> cutBatch(const SimtSession& session,
                         std::span<const std::int32_t> lengths,
                         Division division,
                         std::uint64_t seed) {
  const auto tokens = static_cast<int>(lengths.size());
  session.machine->setSeed(seed);
  MLAC_TRY(plan, planDivided(session.family, tokens, tokens, division));
  MLAC_TRY(uploaded, DeviceBuffer::holding(session.device, std::as_bytes(lengths)));
  MLAC_TRY(schedule, DeviceBuffer::allocate(session.device, plan.scheduleBytes));
  MLAC_CHECK(schedule.fill(verify::kFillByte));
  const auto* given = reinterpret_cast<const std::int32_t*>(uploaded.at());
  const bool isTopk = session.family.variant().topk > 0;
  const ScheduleArgs args{.seqLens = isTopk ? nullptr : given,
                          .topkLength = isTopk ? given : nullptr,
                          .schedule = {schedule.at(), schedule.size()}};
  MLAC_CHECK(session.family.schedule(plan, args, nullptr));
  return readList(schedule, tokens);
}

} // namespace mlac::cuts
