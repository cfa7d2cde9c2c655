// What the lanes of a warp do together. The last lane to come carries the operation out for all.
#include "simt/exec/Cta.h"
#include "simt/exec/Fragments.h"
#include "simt/exec/Operands.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace mlac::simt {
namespace {

constexpr std::uint32_t kRowBytes = 16; // of an 8x8 matrix of 16-bit elements

/// PTX calls these `.aligned`: all lanes execute the same instruction.
bool isAligned(Collective::Op op) {
  return op != Collective::Op::SyncWarp;
}

const char* nameOf(Collective::Op op) {
  switch (op) {
  case Collective::Op::SyncWarp:
    return "a warp barrier";
  case Collective::Op::Shuffle:
    return "a shuffle";
  case Collective::Op::Vote:
    return "a vote";
  case Collective::Op::Reduce:
    return "a reduction";
  case Collective::Op::LoadMatrices:
    return "ldmatrix";
  case Collective::Op::StoreMatrices:
    return "stmatrix";
  case Collective::Op::TransposeMatrix:
    return "movmatrix";
  case Collective::Op::MatrixProduct:
    return "mma";
  }
  return "";
}

template <class T>
T& operandsOf(GpuThread& thread) {
  return *static_cast<T*>(thread.call.operands);
}

/// The lane that a lane of a shuffle reads from.
std::uint32_t shuffleSource(std::uint32_t lane, std::uint32_t kind, int argument) {
  const int mine = static_cast<int>(lane);
  switch (kind) {
  case kShuffleXor:
    return static_cast<std::uint32_t>(mine ^ argument) % kWarpLanes;
  case kShuffleUp:
    return static_cast<std::uint32_t>(mine - argument < 0 ? mine : mine - argument);
  case kShuffleDown:
    return static_cast<std::uint32_t>(mine + argument > 31 ? mine : mine + argument);
  default:
    return static_cast<std::uint32_t>(argument) % kWarpLanes;
  }
}

std::uint32_t ballotOf(GpuThread* lanes, std::uint32_t mask) {
  std::uint32_t votes = 0;
  for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane)
    if ((mask >> lane & 1) != 0 && operandsOf<VoteOperands>(lanes[lane]).predicate != 0)
      votes |= 1U << lane;
  return votes;
}

int reduceAll(GpuThread* lanes, std::uint32_t mask, std::uint32_t kind) {
  std::optional<int> result;
  for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane) {
    if ((mask >> lane & 1) == 0)
      continue;
    const int in = operandsOf<ReduceOperands>(lanes[lane]).in;
    if (!result)
      result = in;
    else if (kind == kReduceAdd)
      result = static_cast<int>(static_cast<unsigned>(*result) + static_cast<unsigned>(in));
    else
      result = kind == kReduceMin ? std::min(*result, in) : std::max(*result, in);
  }
  return result.value_or(0);
}

} // namespace

void Cta::collective(const Collective& call) {
  GpuThread& me = current();
  me.call = call;
  const std::uint32_t first = firstOfWarp();
  bool all = true;
  for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane) {
    const GpuThread& other = threads[first + lane];
    if (&other == &me || (call.mask >> lane & 1) == 0)
      continue;
    if (other.done)
      failDivergent(other, "has returned from the kernel");
    // A lane that waits for others than this one has not come to this operation yet.
    if (other.waiting.what != Waiting::For::Collective || (other.call.mask >> me.lane() & 1) == 0) {
      all = false;
      continue;
    }
    const bool same = other.call.op == call.op && other.call.variant == call.variant &&
                      other.call.mask == call.mask &&
                      (!isAligned(call.op) || image().sameSource(other.call.site, call.site));
    if (!same)
      failDivergent(other, nameOf(other.call.op));
  }
  if ((call.mask >> me.lane() & 1) == 0)
    failDivergent(me, "is not in the mask it passed");
  if (!all) {
    block(Waiting::For::Collective, 0, 0, call.site);
    return;
  }
  logs[me.warp()].flush(counts);
  perform(call);
  for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane)
    if ((call.mask >> lane & 1) != 0)
      wake(first + lane);
}

void Cta::failDivergent(const GpuThread& other, const char* why) {
  if (&other == &current())
    fail(FindingKind::DivergentWarp,
         fmt::format("a lane is not in the mask that it passes to {}", nameOf(other.call.op)),
         {placeOf(other, "passes it", other.call.site)});
  const GpuThread& me = current();
  fail(FindingKind::DivergentWarp,
       fmt::format(
           "the lanes of warp {} have not come together to {}", me.warp(), nameOf(me.call.op)),
       {placeOf(me, fmt::format("is at {}", nameOf(me.call.op)), me.call.site),
        placeOf(other,
                other.done ? std::string(why) : fmt::format("is at {}", why),
                other.done ? 0 : other.call.site)});
}

void Cta::perform(const Collective& call) {
  switch (call.op) {
  case Collective::Op::SyncWarp:
    performSync(call);
    return;
  case Collective::Op::Shuffle:
    performShuffle(call);
    return;
  case Collective::Op::Vote:
    performVote(call);
    return;
  case Collective::Op::Reduce:
    performReduce(call);
    return;
  case Collective::Op::LoadMatrices:
    performLoadMatrices(call);
    return;
  case Collective::Op::StoreMatrices:
    performStoreMatrices(call);
    return;
  case Collective::Op::TransposeMatrix:
    performTranspose();
    return;
  case Collective::Op::MatrixProduct:
    performProduct(call);
    return;
  }
}

void Cta::performShuffle(const Collective& call) {
  ++counts.shuffles;
  GpuThread* const lanes = &threads[firstOfWarp()];
  for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane)
    if ((call.mask >> lane & 1) != 0)
      shuffleLane(lanes, lane);
}

void Cta::performVote(const Collective& call) {
  ++counts.shuffles;
  GpuThread* const lanes = &threads[firstOfWarp()];
  const std::uint32_t votes = ballotOf(lanes, call.mask);
  std::uint32_t result = votes;
  if (call.variant == kVoteAny)
    result = votes != 0 ? 1 : 0;
  else if (call.variant == kVoteAll)
    result = votes == call.mask ? 1 : 0;
  for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane)
    if ((call.mask >> lane & 1) != 0)
      operandsOf<VoteOperands>(lanes[lane]).out = result;
}

void Cta::performReduce(const Collective& call) {
  ++counts.shuffles;
  GpuThread* const lanes = &threads[firstOfWarp()];
  const int result = reduceAll(lanes, call.mask, call.variant);
  for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane)
    if ((call.mask >> lane & 1) != 0)
      operandsOf<ReduceOperands>(lanes[lane]).out = result;
}

void Cta::performTranspose() {
  GpuThread* const lanes = &threads[firstOfWarp()];
  Matrix8x8 matrix;
  for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane)
    setFragment(matrix, lane, operandsOf<TransposeOperands>(lanes[lane]).in);
  const Matrix8x8 turned = transposed(matrix);
  for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane)
    operandsOf<TransposeOperands>(lanes[lane]).out = fragmentOf(turned, lane);
}

void Cta::performProduct(const Collective& call) {
  ++counts.matrixProducts;
  GpuThread* const lanes = &threads[firstOfWarp()];
  std::array<ProductOperands, kWarpLanes> operands;
  for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane)
    operands[lane] = operandsOf<ProductOperands>(lanes[lane]);
  multiply(call.variant == kMmaF16, operands);
}

void Cta::shuffleLane(GpuThread* lanes, std::uint32_t lane) {
  auto& mine = operandsOf<ShuffleOperands>(lanes[lane]);
  const std::uint32_t from = shuffleSource(lane, lanes[lane].call.variant, mine.lane);
  if ((lanes[lane].call.mask >> from & 1) == 0)
    fail(FindingKind::DivergentWarp,
         fmt::format("a shuffle reads lane {}, which is not in its mask", from),
         {placeOf(lanes[lane], "reads it", lanes[lane].call.site)});
  mine.out = operandsOf<ShuffleOperands>(lanes[from]).in;
}

void Cta::performSync(const Collective& call) {
  ++counts.warpBarriers;
  GpuThread* const lanes = &threads[firstOfWarp()];
  const std::uint32_t mask = call.mask;
  Knowledge all;
  for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane)
    if ((mask >> lane & 1) != 0)
      all.join(lanes[lane].knows);
  for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane)
    if ((mask >> lane & 1) != 0) {
      lanes[lane].knows.join(all);
      lanes[lane].advance();
    }
}

/// Reads or writes the row that a lane of ldmatrix or stmatrix gave the address of.
void Cta::moveRow(GpuThread& lane, std::uint32_t address, unsigned char* row, bool write) {
  GpuThread* const caller = active;
  active = &lane; // findings are this lane's
  const std::uint32_t site = lane.call.site;
  const char* const verb = write ? "writes" : "reads";
  checkAligned(address, kRowBytes, verb, site);
  const std::uint32_t offset = address - kSharedWindowBase;
  checkNoBarrier(offset, kRowBytes, verb, site);
  accessShared(offset, kRowBytes, write ? AccessKind::Write : AccessKind::Read, site);
  std::memcpy(write ? sharedByte(offset) : row, write ? row : sharedByte(offset), kRowBytes);
  active = caller;
}

int Cta::matrixConflicts(std::uint32_t matrix) {
  LaneAddresses rows;
  rows.lanes = 0xff;
  for (std::uint32_t row = 0; row < 8; ++row)
    rows.at[row] = operandsOf<MatricesOperands>(threads[firstOfWarp() + matrix * 8 + row]).address;
  return bankConflicts(rows, kRowBytes);
}

void Cta::performLoadMatrices(const Collective& call) {
  GpuThread* const lanes = &threads[firstOfWarp()];
  const std::uint32_t count = call.variant & kMatrixCountMask;
  ++counts.matrixLoads;
  for (std::uint32_t m = 0; m < count; ++m) {
    counts.matrixConflicts += matrixConflicts(m);
    Matrix8x8 matrix;
    for (std::uint32_t row = 0; row < 8; ++row) {
      GpuThread& lane = lanes[m * 8 + row];
      moveRow(lane,
              operandsOf<MatricesOperands>(lane).address,
              reinterpret_cast<unsigned char*>(matrix[row].data()),
              false);
    }
    if ((call.variant & kMatrixTransposed) != 0)
      matrix = transposed(matrix);
    for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane)
      operandsOf<MatricesOperands>(lanes[lane]).to[m] = fragmentOf(matrix, lane);
  }
}

void Cta::performStoreMatrices(const Collective& call) {
  GpuThread* const lanes = &threads[firstOfWarp()];
  const std::uint32_t count = call.variant & kMatrixCountMask;
  ++counts.matrixStores;
  for (std::uint32_t m = 0; m < count; ++m) {
    counts.matrixConflicts += matrixConflicts(m);
    Matrix8x8 matrix;
    for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane)
      setFragment(matrix, lane, operandsOf<MatricesOperands>(lanes[lane]).from[m]);
    if ((call.variant & kMatrixTransposed) != 0)
      matrix = transposed(matrix);
    for (std::uint32_t row = 0; row < 8; ++row) {
      GpuThread& lane = lanes[m * 8 + row];
      moveRow(lane,
              operandsOf<MatricesOperands>(lane).address,
              reinterpret_cast<unsigned char*>(matrix[row].data()),
              true);
    }
  }
}

} // namespace mlac::simt
