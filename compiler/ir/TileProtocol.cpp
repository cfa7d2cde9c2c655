// The protocol of a tile program. Order of the checks: what occurs how often, then each iteration.
#include "compiler/ir/TileProtocol.h"

#include "compiler/ir/MlaOps.h"

using namespace mlir;
using namespace mlac::mla;

namespace {

/// The operations of a kernel that every program has once.
struct Parts {
  RingOp ring;
  FillOp fill;
  TilesOp tiles;
  MergeOp merge; ///< null unless there are slices to merge
};

} // namespace

template <typename Op>
static LogicalResult takeOnly(KernelOp kernel, Op& taken) {
  for (Op op : kernel.getBody()->getOps<Op>()) {
    if (taken)
      return op.emitOpError() << "occurs twice, a kernel has one";
    taken = op;
  }
  return success();
}

static LogicalResult findParts(KernelOp kernel, Parts& parts) {
  if (failed(takeOnly(kernel, parts.ring)) || failed(takeOnly(kernel, parts.fill)) ||
      failed(takeOnly(kernel, parts.tiles)) || failed(takeOnly(kernel, parts.merge)))
    return failure();
  if (!parts.ring || !parts.tiles)
    return kernel.emitOpError() << "needs a mla.ring and a mla.tiles";
  if (kernel.getBody()->empty() || !isa<StoreOp>(kernel.getBody()->back()))
    return kernel.emitOpError() << "must end in mla.store";
  return success();
}

static LogicalResult checkOps(Block* block) {
  for (Operation& op : *block)
    if (!isa_and_present<MlaDialect>(op.getDialect()))
      return op.emitOpError() << "may not stand in a tile program, which holds mla operations";
  return success();
}

static LogicalResult checkFill(Parts& parts) {
  if (!parts.fill || !parts.fill->isBeforeInBlock(parts.tiles))
    return parts.tiles.emitOpError()
           << "needs a mla.fill before it, or it waits for tiles that nothing gathers";
  if (parts.fill.getAhead() != parts.ring.getStages())
    return parts.fill.emitOpError()
           << "gathers " << parts.fill.getAhead() << " tiles, but the ring "
           << "has " << parts.ring.getStages() << " slots and each must start full";
  return success();
}

static LogicalResult checkMerge(Parts& parts) {
  bool hasSlices = parts.tiles.getSlices() > 1;
  if (hasSlices && !parts.merge)
    return parts.tiles.emitOpError()
           << "has " << parts.tiles.getSlices() << " slices, whose accumulators need a mla.merge";
  if (!hasSlices && parts.merge)
    return parts.merge.emitOpError() << "has nothing to merge, the loop has one slice";
  if (parts.merge && !isa_and_present<TilesOp>(parts.merge.getIn().getDefiningOp()))
    return parts.merge.emitOpError() << "must take the accumulator of mla.tiles";
  return success();
}

static LogicalResult
checkChoice(Operation* op, StringRef name, int64_t found, StringRef key, int64_t scheduled) {
  if (found == scheduled)
    return success();
  return op->emitOpError() << "`" << name << "` is " << found << ", but the schedule's `" << key
                           << "` is " << scheduled;
}

static LogicalResult checkSchedule(KernelOp kernel, Parts& parts) {
  ScheduleAttr schedule = kernel.getSchedule();
  RingOp ring = parts.ring;
  if (failed(checkChoice(ring, "stages", ring.getStages(), "stages", schedule.getStages())) ||
      failed(checkChoice(
          ring, "keys", ring.getKeys(), "keys_per_stage", schedule.getKeysPerStage())) ||
      failed(checkChoice(
          parts.tiles, "slices", parts.tiles.getSlices(), "key_slices", schedule.getKeySlices())))
    return failure();
  if (ring.getGather() != schedule.getGather())
    return ring.emitOpError() << "`gather` differs from the schedule's";
  for (LoadQueriesOp load : kernel.getBody()->getOps<LoadQueriesOp>())
    if (load.getHome() != schedule.getQueryHome())
      return load.emitOpError() << "`home` differs from the schedule's `query_home`";
  if (!parts.merge)
    return success();
  return checkChoice(
      parts.merge, "passes", parts.merge.getPasses(), "merge_passes", schedule.getMergePasses());
}

/// Softmax state and slots are resources: a second use would read what the first has changed, and a
/// dropped one would lose keys or a slot.
static LogicalResult checkUsedOnce(Block* block) {
  auto check = [](Value value, Location loc) -> LogicalResult {
    if (!isa<AccType, FreeType, RowsType, ProbsType>(value.getType()) || value.hasOneUse())
      return success();
    InFlightDiagnostic error = emitError(loc) << value.getType() << " must be used once, ";
    if (value.use_empty())
      return error << "this one is never used";
    return error << "this one is used " << llvm::range_size(value.getUses()) << " times";
  };
  for (BlockArgument argument : block->getArguments())
    if (failed(check(argument, block->getParentOp()->getLoc())))
      return failure();
  for (Operation& op : *block)
    for (Value result : op.getResults())
      if (failed(check(result, op.getLoc())))
        return failure();
  return success();
}

static LogicalResult checkWait(Parts& parts, WaitOp wait) {
  if (wait.getTile() != parts.tiles.tile())
    return wait.emitOpError() << "must wait for the iteration's own tile";
  if (parts.ring.getBarriers() % parts.tiles.getSlices() != 0)
    return wait.emitOpError() << "can mistake another tile's parity for its own: the ring's "
                              << parts.ring.getBarriers() << " barriers are no multiple of "
                              << parts.tiles.getSlices()
                              << " slices, so slices that progress apart share a barrier";
  ReleaseOp release;
  for (ReleaseOp other : parts.tiles.getBody()->getOps<ReleaseOp>()) {
    if (other.getStage() != wait.getStage())
      continue;
    if (release)
      return other.emitOpError() << "releases a slot a second time";
    release = other;
  }
  if (!release)
    return wait.emitOpError() << "is never released, so its slot is lost to the ring";
  for (Operation* op = release->getNextNode(); op; op = op->getNextNode())
    if (llvm::is_contained(op->getOperands(), wait.getStage()))
      return op->emitOpError() << "reads a stage after its release";
  return success();
}

static LogicalResult checkRefill(Parts& parts, RefillOp refill) {
  auto resolve = refill.getRows().getDefiningOp<ResolveOp>();
  if (resolve.getTile() != parts.tiles.tile())
    return resolve.emitOpError() << "must start from the iteration's own tile";
  if (resolve.getAhead() != parts.ring.getStages())
    return resolve.emitOpError() << "looks " << resolve.getAhead()
                                 << " tiles ahead, but the slot it refills is due for the tile "
                                 << parts.ring.getStages() << " ahead";
  return success();
}

/// The stage that a step's scores come from, following score and mask.
static Value stageOf(Value scores) {
  Operation* step = scores.getDefiningOp();
  if (auto sum = dyn_cast_if_present<SumSharesOp>(step))
    step = sum.getIn().getDefiningOp();
  if (auto qk = dyn_cast_if_present<QkOp>(step))
    return qk.getStage();
  if (auto score = dyn_cast_if_present<ScoreOp>(step))
    return score.getStage();
  return cast<MaskOp>(step).getStage();
}

template <typename... Allowed>
static LogicalResult checkSource(Operation* op, Value scores, StringRef wanted) {
  if (isa_and_present<Allowed...>(scores.getDefiningOp()))
    return success();
  return op->emitOpError() << "must take its scores from " << wanted;
}

/// Scores pass through qk, sum_shares, score, mask, softmax in this order: a score function may
/// make -inf finite again, and the running maximum may not see an invalid key.
static LogicalResult checkScores(Operation* op) {
  if (auto softmax = dyn_cast<SoftmaxOp>(op))
    return checkSource<MaskOp>(op, softmax.getScores(), "mla.mask");
  if (auto sum = dyn_cast<SumSharesOp>(op))
    return checkSource<QkOp>(op, sum.getIn(), "mla.qk");
  if (!isa<ScoreOp, MaskOp>(op))
    return success();
  Value scores = op->getOperand(0);
  Value stage = op->getOperand(1);
  if (failed(isa<ScoreOp>(op)
                 ? checkSource<QkOp, SumSharesOp>(op, scores, "mla.qk or mla.sum_shares")
                 : checkSource<QkOp, SumSharesOp, ScoreOp>(
                       op, scores, "mla.qk, mla.sum_shares or mla.score")))
    return failure();
  if (stageOf(scores) != stage)
    return op->emitOpError() << "names another stage than its scores come from";
  return success();
}

static LogicalResult checkPv(PvOp pv) {
  auto softmax = pv.getProbs().getDefiningOp<SoftmaxOp>();
  if (pv.getIn() != softmax.getAcc())
    return pv.emitOpError() << "must add to the accumulator that its own softmax rescaled";
  if (stageOf(softmax.getScores()) != pv.getStage())
    return pv.emitOpError() << "reads values of another stage than its probabilities come from";
  return success();
}

static LogicalResult checkStep(Parts& parts, Operation* op) {
  if (auto wait = dyn_cast<WaitOp>(op))
    return checkWait(parts, wait);
  if (auto refill = dyn_cast<RefillOp>(op))
    return checkRefill(parts, refill);
  if (auto pv = dyn_cast<PvOp>(op))
    return checkPv(pv);
  return checkScores(op);
}

/// A warp's share is no score yet, and where nothing is divided there is nothing to add up.
static LogicalResult checkShares(KernelOp kernel, Parts& parts) {
  bool isDivided = kernel.getSchedule().getDimSplits() > 1;
  auto sums = parts.tiles.getBody()->getOps<SumSharesOp>();
  if (isDivided && sums.empty())
    return parts.tiles.emitOpError()
           << "needs a mla.sum_shares, as the schedule's `dim_splits` is "
           << kernel.getSchedule().getDimSplits() << " and mla.qk gives a warp's share";
  if (!isDivided && !sums.empty())
    return (*sums.begin())->emitOpError()
           << "has nothing to add up, the schedule's `dim_splits` is 1";
  if (isDivided)
    for (QkOp qk : parts.tiles.getBody()->getOps<QkOp>())
      for (Operation* user : qk.getScores().getUsers())
        if (!isa<SumSharesOp>(user))
          return user->emitOpError()
                 << "must take its scores from mla.sum_shares, mla.qk gives a warp's share";
  return success();
}

static LogicalResult checkIteration(KernelOp kernel, Parts& parts) {
  if (failed(checkShares(kernel, parts)))
    return failure();
  Block* body = parts.tiles.getBody();
  for (Operation& op : *body)
    if (failed(checkStep(parts, &op)))
      return failure();
  if (!llvm::hasSingleElement(body->getOps<WaitOp>()))
    return parts.tiles.emitOpError() << "must wait for one tile in each iteration";
  if (body->getOps<PvOp>().empty())
    return parts.tiles.emitOpError() << "never adds a tile's values to the accumulator";
  return success();
}

LogicalResult mlac::mla::verifyTileProtocol(KernelOp kernel) {
  Parts parts;
  if (kernel.getBody()->getNumArguments() != 0)
    return kernel.emitOpError() << "body takes no arguments";
  if (failed(checkOps(kernel.getBody())) || failed(findParts(kernel, parts)) ||
      failed(checkOps(parts.tiles.getBody())) || failed(checkFill(parts)) ||
      failed(checkMerge(parts)) || failed(checkSchedule(kernel, parts)) ||
      failed(checkUsedOnce(kernel.getBody())) || failed(checkUsedOnce(parts.tiles.getBody())))
    return failure();
  return checkIteration(kernel, parts);
}

LogicalResult mlac::mla::verifyImplements(KernelOp kernel, AttentionOp attention) {
  auto ring = *kernel.getBody()->getOps<RingOp>().begin();
  int64_t recordBytes = attention.getRecord().sizeBytes();
  if (ring.getRowBytes() != recordBytes)
    return ring.emitOpError() << "has rows of " << ring.getRowBytes() << " bytes, but a record of "
                              << attention.getSymNameAttr() << " has " << recordBytes;
  auto tiles = *kernel.getBody()->getOps<TilesOp>().begin();
  bool hasScore = !tiles.getBody()->getOps<ScoreOp>().empty();
  if (hasScore == attention.isIdentityScore())
    return tiles.emitOpError() << (hasScore ? "applies a score, but that of "
                                            : "needs a mla.score, the score of ")
                               << attention.getSymNameAttr()
                               << (hasScore ? " is the identity" : " is not the identity");
  return success();
}
