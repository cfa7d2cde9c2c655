// Builds the tile program of a kernel from its attention and its schedule.
#include "compiler/schedule/BuildTiles.h"

#include "compiler/ir/ScheduleAttr.h"
#include "compiler/schedule/SmemLayout.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace mlac;
using namespace mlac::mla;

/// One iteration: what a warp slice does with one tile.
static void buildIteration(ImplicitLocOpBuilder& builder,
                           TilesOp tiles,
                           Value queries,
                           ScheduleAttr schedule,
                           bool hasScore) {
  OpBuilder::InsertionGuard guard(builder);
  Location loc = builder.getLoc();
  builder.createBlock(
      &tiles.getBodyRegion(), {}, {builder.getIndexType(), tiles.getAcc().getType()}, {loc, loc});
  Value ring = tiles.getRing();
  Value rows = ResolveOp::create(builder, tiles.tile(), schedule.getStages());
  Value stage = WaitOp::create(builder, ring, tiles.tile());
  Value scores = QkOp::create(builder, queries, stage);
  if (schedule.getDimSplits() > 1)
    scores = SumSharesOp::create(builder, scores);
  if (hasScore)
    scores = ScoreOp::create(builder, scores, stage);
  scores = MaskOp::create(builder, scores, stage);
  auto softmax = SoftmaxOp::create(builder, scores, tiles.carried());
  Value acc = PvOp::create(builder, softmax.getProbs(), stage, softmax.getAcc());
  Value slot = ReleaseOp::create(builder, stage);
  RefillOp::create(builder, ring, slot, rows);
  YieldOp::create(builder, acc);
}

void mlac::buildTileProgram(KernelOp kernel, AttentionOp attention) {
  ScheduleAttr schedule = kernel.getSchedule();
  ImplicitLocOpBuilder builder(kernel.getLoc(), kernel.getContext());
  builder.createBlock(&kernel.getBodyRegion());
  int rowBytes = static_cast<int>(attention.getRecord().sizeBytes());
  Value ring = RingOp::create(builder,
                              schedule.getStages(),
                              schedule.getKeysPerStage(),
                              rowBytes,
                              ringStrideBytes(rowBytes),
                              fullBarriers(fromAttr(schedule)),
                              schedule.getGather());
  // Loads into registers do not wait; those on their way to shared memory do, and come after the
  // first copies.
  const bool loadsFirst = schedule.getQueryHome() == QueryHomeKind::Registers;
  Value queries;
  if (loadsFirst)
    queries = LoadQueriesOp::create(builder, schedule.getQueryHome());
  FillOp::create(builder, ring, schedule.getStages());
  if (!loadsFirst)
    queries = LoadQueriesOp::create(builder, schedule.getQueryHome());
  Value init = InitOp::create(builder);
  auto tiles = TilesOp::create(builder, ring, schedule.getKeySlices(), init);
  buildIteration(builder, tiles, queries, schedule, !attention.isIdentityScore());
  Value acc = tiles.getAcc();
  if (schedule.getKeySlices() > 1)
    acc = MergeOp::create(builder, acc, schedule.getMergePasses());
  StoreOp::create(builder, acc);
}

KernelOp mlac::buildTileProgram(OpBuilder& builder,
                                AttentionOp attention,
                                StringRef kernelName,
                                const Schedule& schedule) {
  auto kernel = KernelOp::create(builder,
                                 attention.getLoc(),
                                 builder.getStringAttr(kernelName),
                                 FlatSymbolRefAttr::get(attention.getSymNameAttr()),
                                 toAttr(builder.getContext(), schedule));
  buildTileProgram(kernel, attention);
  return kernel;
}

namespace {

class BuildTilesPass : public PassWrapper<BuildTilesPass, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(BuildTilesPass)

  StringRef getArgument() const override { return "mla-build-tiles"; }

  StringRef getDescription() const override { return "give each planned kernel its tile program"; }

  void runOnOperation() override {
    for (KernelOp kernel : getOperation().getOps<KernelOp>())
      if (!kernel.isBuilt())
        buildTileProgram(kernel, kernel.attention());
  }
};

} // namespace

std::unique_ptr<Pass> mlac::createBuildTilesPass() {
  return std::make_unique<BuildTilesPass>();
}
