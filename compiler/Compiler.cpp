// The whole street from a checked variant to the hand-over.
#include "compiler/Compiler.h"

#include "compiler/Pipeline.h"
#include "compiler/codegen/Emit.h"
#include "compiler/ir/ImportSpec.h"
#include "compiler/ir/MlaOps.h"
#include "compiler/ir/ScheduleAttr.h"
#include "compiler/schedule/CostModel.h"
#include "compiler/schedule/SchedulePasses.h"
#include "compiler/spec/PrintVariant.h"
#include "templates/Flatten.h"

#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"

#include <fmt/format.h>

namespace mlac {
namespace {

constexpr const char* kVersion = "0.1.0";

std::string printed(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  text += "\n";
  return text;
}

Status foldRegions(mlir::ModuleOp module) {
  return runPipeline(module, {.stopAfter = "canonicalize", .dumpAfter = {}, .dumpTo = nullptr});
}

KernelFamily startFamily(const CompileRequest& request) {
  KernelFamily family;
  family.variant = request.variant;
  family.target = request.target->name;
  family.specText = printVariant(request.variant);
  family.templateDigest = templateDigest();
  family.compilerBuild = compilerBuild();
  family.bytesPerNsPerSm = request.target->dramBytesPerNs / request.target->nominalSms;
  return family;
}

void addKernel(Compiled& compiled, Kernel kernel) {
  compiled.sources.push_back(kernel.source);
  kernel.source = flatten(kernel.source);
  compiled.family.kernels.push_back(std::move(kernel));
}

/// Attention kernels in the order of the module, each with its row of the table; then combine,
/// schedule, convert and merge.
Status emitAll(mlir::ModuleOp module, const CompileRequest& request, Compiled& compiled) {
  const KernelFamily& family = compiled.family;
  const Provenance provenance{
      family.specText, family.target, family.templateDigest, request.target->hasBulkCopy};
  for (mla::KernelOp op : module.getOps<mla::KernelOp>()) {
    MLAC_TRY(kernel, emitAttention(op, provenance));
    compiled.family.table.push_back(costRow(request.variant,
                                            mla::fromAttr(op.getSchedule()),
                                            *request.target,
                                            static_cast<int>(family.kernels.size())));
    addKernel(compiled, std::move(kernel));
  }
  const mla::AttentionOp attention = *module.getOps<mla::AttentionOp>().begin();
  addKernel(compiled, emitCombine(request.variant, provenance));
  MLAC_TRY(schedule, emitSchedule(attention, provenance));
  addKernel(compiled, std::move(schedule));
  if (request.variant.iterate == IterateKind::TopkLogical) {
    MLAC_TRY(convert, emitConvert(attention, provenance));
    addKernel(compiled, std::move(convert));
  }
  if (request.variant.lse != LseMode::None)
    addKernel(compiled, emitMerge(request.variant, provenance));
  return Unit{};
}

} // namespace

Status checkCudaReads(const Variant& variant) {
  if (variant.cacheElement())
    return Unit{};
  return Error{ErrorCode::Unsupported,
               fmt::format("'{}': records other than bf16 and f16 are not generated for CUDA in "
                           "this version, and its cache is {}; run it with --on cpu",
                           variant.name,
                           variant.cache.name)};
}

Result<std::string> attentionText(const Variant& variant) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  mlir::OwningOpRef<mlir::ModuleOp> module = mla::importVariants(context, variant);
  MLAC_CHECK(foldRegions(*module));
  return printed(*module);
}

Result<Compiled> compileFamily(const CompileRequest& request) {
  MLAC_CHECK(checkCudaReads(request.variant));
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  mlir::OwningOpRef<mlir::ModuleOp> module = mla::importVariants(context, request.variant);
  Compiled compiled;
  compiled.family = startFamily(request);
  MLAC_CHECK(foldRegions(*module));
  setPlanningFor(*module, *request.target, request.overrides);
  MLAC_CHECK(runPipeline(*module));
  compiled.stages.schedule = printed(*module);
  MLAC_CHECK(emitAll(*module, request, compiled));
  return compiled;
}

std::string compilerBuild() {
  return fmt::format("mlac {} templates {}", kVersion, templateDigest());
}

} // namespace mlac
