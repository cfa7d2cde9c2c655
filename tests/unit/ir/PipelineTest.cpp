// The pass table runs as a whole, stops where it is told, and reports failures as values.
#include "compiler/Pipeline.h"

#include "Variants.h"
#include "compiler/ir/ImportSpec.h"
#include "compiler/ir/MlaOps.h"
#include "compiler/ir/ScheduleAttr.h"
#include "compiler/schedule/BuildTiles.h"
#include "compiler/schedule/SmemLayout.h"

#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/Pass.h"

#include <gtest/gtest.h>

namespace mlac {
namespace {

Schedule slicedSchedule() {
  Schedule schedule;
  schedule.shapeClass = "many";
  schedule.headTiles = 2;
  schedule.keySlices = 4;
  schedule.stages = 5;
  schedule.mergePasses = 2;
  schedule.gather = Gather::CpAsync;
  schedule.rowReuse = RowReuse::None;
  schedule.queryHome = QueryHome::Shared;
  return schedule;
}

mla::AttentionOp attentionOf(mlir::ModuleOp module) {
  return *module.getOps<mla::AttentionOp>().begin();
}

TEST(PassTable, EntriesCarryTheNameTheirPassAnswersTo) {
  for (const PassEntry& entry : passTable()) {
    EXPECT_EQ(entry.create()->getArgument(), entry.name);
    EXPECT_FALSE(entry.summary.empty());
  }
}

TEST(PassTable, UnknownNameIsAnErrorThatListsTheKnownOnes) {
  mlir::MLIRContext context;
  auto module = mla::importVariants(context, sparseVariant());
  Status status = runPipeline(*module, {.stopAfter = "mla-build-tile"});
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::InvalidInput);
  EXPECT_NE(status.error().message.find("`mla-build-tile`"), std::string::npos);
  EXPECT_NE(status.error().message.find("mla-build-tiles"), std::string::npos);
}

TEST(PassTable, DumpsAfterTheNamedPassOnly) {
  mlir::MLIRContext context;
  auto module = mla::importVariants(context, sparseVariant());
  std::string text;
  llvm::raw_string_ostream out(text);
  ASSERT_TRUE(runPipeline(
      *module, {.stopAfter = "canonicalize", .dumpAfter = "canonicalize", .dumpTo = &out}));
  EXPECT_NE(text.find("mla.attention @sparse"), std::string::npos);
  text.clear();
  ASSERT_TRUE(runPipeline(
      *module, {.stopAfter = "canonicalize", .dumpAfter = "mla-build-tiles", .dumpTo = &out}));
  EXPECT_EQ(text, "");
}

TEST(PassTable, FailureCarriesTheDiagnostics) {
  mlir::MLIRContext context;
  auto module = mla::importVariants(context, sparseVariant());
  attentionOf(*module).setHeads(129);
  Status status = runPipeline(*module, {.stopAfter = "canonicalize"});
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().message.find("`heads` must be 1..128, found 129"), std::string::npos);
}

TEST(BuildTiles, ProgramVerifiesForEverySliceCount) {
  for (int slices : {1, 2, 8}) {
    mlir::MLIRContext context;
    auto module = mla::importVariants(context, sparseVariant());
    mlir::OpBuilder builder = mlir::OpBuilder::atBlockEnd(module->getBody());
    Schedule schedule = slicedSchedule();
    schedule.keySlices = slices;
    mla::KernelOp kernel = buildTileProgram(builder, attentionOf(*module), "sparse_many", schedule);
    EXPECT_TRUE(mlir::succeeded(mlir::verify(*module)));
    EXPECT_EQ(mla::fromAttr(kernel.getSchedule()), schedule);
    EXPECT_EQ(kernel.attention(), attentionOf(*module));
  }
}

TEST(BuildTiles, SharesAreSummedExactlyWhereDimsAreDivided) {
  for (int dimSplits : {1, 2, 4}) {
    mlir::MLIRContext context;
    auto module = mla::importVariants(context, sparseVariant());
    mlir::OpBuilder builder = mlir::OpBuilder::atBlockEnd(module->getBody());
    Schedule schedule = slicedSchedule();
    schedule.dimSplits = dimSplits;
    buildTileProgram(builder, attentionOf(*module), "sparse_many", schedule);
    EXPECT_TRUE(mlir::succeeded(mlir::verify(*module)));
    int sums = 0;
    module->walk([&](mla::SumSharesOp) { ++sums; });
    EXPECT_EQ(sums, dimSplits > 1 ? 1 : 0);
  }
}

TEST(BuildTiles, RowsOfASlotStartInDifferentBanks) {
  for (int rowBytes : {16, 32, 656, 1024, 1152, 1168}) {
    int strideBytes = ringStrideBytes(rowBytes);
    EXPECT_GE(strideBytes, rowBytes);
    EXPECT_LT(strideBytes, rowBytes + 32);
    EXPECT_EQ(strideBytes % 32, 16);
  }
}

} // namespace
} // namespace mlac
