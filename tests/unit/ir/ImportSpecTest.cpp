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
  std::vector<Variant> variants(7, sparseVariant());
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
  physical.cache = physical.query = ElementType::F16;
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

  Variant& scaled = variants[5];
  scaled.name = "scaled";
  scaled.latent = 448;
  scaled.cache.name = "dsv4";
  scaled.cache.pageAlign = 576;
  scaled.cache.fields = {
      {.kind = FieldKind::Latent, .type = FieldType::E4M3, .count = 448},
      {.kind = FieldKind::Rope, .type = FieldType::BF16, .count = 64},
      {.kind = FieldKind::Scale, .type = FieldType::E8M0, .count = 7, .group = 64, .inTail = true},
      {.kind = FieldKind::Pad, .count = 1, .inTail = true}};

  // Without a rotary part over records that have one, scaled by the launch.
  Variant& skipping = variants[6];
  skipping.name = "skipping";
  skipping.rope = 0;
  skipping.cache.name = "mine";
  skipping.cache.fields = {{.kind = FieldKind::Rope, .type = FieldType::F16, .count = 64},
                           {.kind = FieldKind::Pad, .count = 4},
                           {.kind = FieldKind::Latent, .type = FieldType::E2M1, .count = 512},
                           {.kind = FieldKind::Scale, .type = FieldType::F32}};
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
  EXPECT_EQ(record.offsetBytes(FieldKind::Latent), 0);
  EXPECT_EQ(record.offsetBytes(FieldKind::Rope), 1024);
  EXPECT_EQ(record.sizeBytes(), sparseVariant().recordBytes());
}

} // namespace
} // namespace mlac
