// mlac::Variant -> mla.attention -> text -> mla.attention -> mlac::Variant loses nothing.
#include "compiler/ir/ImportSpec.h"

#include "Variants.h"
#include "compiler/ir/MlaOps.h"

#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

namespace mlac {
namespace {

std::vector<Variant> everyKind() {
  std::vector<Variant> variants(5, sparseVariant());
  Variant& logical = variants[0];
  logical.causal = true;
  logical.minQueries = 1;
  logical.maxQueries = 4;
  logical.lse = LseMode::Natural;

  Variant& physical = variants[1];
  physical.name = "physical";
  physical.iterate = IterateKind::TopkPhysical;
  physical.topk = 65536;
  physical.scale.reset();
  physical.query = physical.cache = ElementType::F16;
  physical.output = ElementType::F32;

  Variant& dense = variants[2];
  dense = denseVariant();
  dense.heads = 128;
  dense.valueIsRecord = true;
  dense.lse = LseMode::Base2;
  dense.emptyLsePositive = true;
  dense.maxLogit = true;
  dense.scale = 0.1f;

  Variant& window = variants[3];
  window = denseVariant();
  window.name = "window";
  window.iterate = IterateKind::Window;
  window.window = 513;
  window.rope = 0;
  window.page = 2304;
  window.minQueries = 2;
  window.maxQueries = 0;
  window.scale = 1e-30f;

  variants[4].name = "plain";
  return variants;
}

std::vector<Variant> variantsOf(mlir::ModuleOp module) {
  std::vector<Variant> variants;
  for (mla::AttentionOp op : module.getOps<mla::AttentionOp>())
    variants.push_back(mla::variantOf(op));
  return variants;
}

TEST(ImportSpec, VariantsComeBackEqual) {
  mlir::MLIRContext context;
  std::vector<Variant> variants = everyKind();
  auto module = mla::importVariants(context, variants);
  ASSERT_TRUE(mlir::succeeded(mlir::verify(*module)));
  EXPECT_EQ(variantsOf(*module), variants);
}

TEST(ImportSpec, VariantsSurviveBeingPrintedAndParsed) {
  mlir::MLIRContext context;
  std::vector<Variant> variants = everyKind();
  auto module = mla::importVariants(context, variants);
  std::string text;
  llvm::raw_string_ostream(text) << *module;
  auto parsed = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  ASSERT_TRUE(parsed);
  EXPECT_EQ(variantsOf(*parsed), variants);
  std::string again;
  llvm::raw_string_ostream(again) << *parsed;
  EXPECT_EQ(again, text);
}

TEST(ImportSpec, RecordKnowsWhereItsPartsLie) {
  mlir::MLIRContext context;
  auto module = mla::importVariants(context, sparseVariant());
  mla::RecordType record = (*module->getOps<mla::AttentionOp>().begin()).getRecord();
  EXPECT_EQ(record.offsetBytes(mla::RecordPart::Latent), 0);
  EXPECT_EQ(record.offsetBytes(mla::RecordPart::Rope), 1024);
  EXPECT_EQ(record.sizeBytes(), sparseVariant().recordBytes());
}

} // namespace
} // namespace mlac
