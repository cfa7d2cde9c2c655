// Conversion between mlac::Schedule and #mla.schedule.
#include "compiler/ir/ScheduleAttr.h"

#include "compiler/ir/MlaAttrs.h"

using namespace mlac;
using namespace mlac::mla;

static EngineKind toKind(Engine engine) {
  switch (engine) {
  case Engine::MmaSync:
    return EngineKind::MmaSync;
  }
  llvm_unreachable("unknown engine");
}

static Engine fromKind(EngineKind engine) {
  switch (engine) {
  case EngineKind::MmaSync:
    return Engine::MmaSync;
  }
  llvm_unreachable("unknown engine");
}

ScheduleAttr mla::toAttr(mlir::MLIRContext* context, const Schedule& schedule) {
  return ScheduleAttr::get(
      context,
      schedule.shapeClass,
      toKind(schedule.engine),
      schedule.headGroups,
      schedule.headTiles,
      schedule.dimSplits,
      schedule.keySlices,
      schedule.stages,
      schedule.keysPerStage,
      schedule.gather == Gather::Bulk ? GatherKind::Bulk : GatherKind::CpAsync,
      schedule.rowReuse == RowReuse::None ? RowReuseKind::None : RowReuseKind::L2,
      schedule.queryHome == QueryHome::Registers ? QueryHomeKind::Registers : QueryHomeKind::Shared,
      schedule.mergePasses,
      schedule.qkChains,
      schedule.ctasPerSm,
      schedule.queryGroup);
}

Schedule mla::fromAttr(ScheduleAttr attr) {
  Schedule schedule;
  schedule.shapeClass = attr.getShapeClass().str();
  schedule.engine = fromKind(attr.getEngine());
  schedule.headGroups = attr.getHeadGroups();
  schedule.headTiles = attr.getHeadTiles();
  schedule.dimSplits = attr.getDimSplits();
  schedule.keySlices = attr.getKeySlices();
  schedule.stages = attr.getStages();
  schedule.keysPerStage = attr.getKeysPerStage();
  schedule.gather = attr.getGather() == GatherKind::Bulk ? Gather::Bulk : Gather::CpAsync;
  schedule.rowReuse = attr.getRowReuse() == RowReuseKind::None ? RowReuse::None : RowReuse::L2;
  schedule.queryHome =
      attr.getQueryHome() == QueryHomeKind::Registers ? QueryHome::Registers : QueryHome::Shared;
  schedule.mergePasses = attr.getMergePasses();
  schedule.qkChains = attr.getQkChains();
  schedule.ctasPerSm = attr.getCtasPerSm();
  schedule.queryGroup = attr.getQueryGroup();
  return schedule;
}
