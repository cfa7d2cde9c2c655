#include "compiler/cpu/LowerToLoops.h"

#include "compiler/cpu/TokenLoop.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace mlac {
namespace {

std::optional<float> fixedScale(mla::AttentionOp op) {
  if (auto scale = op.getScale())
    return scale->convertToFloat();
  return std::nullopt;
}

void buildFunction(mla::AttentionOp op) {
  LoopBuilder b(op.getLoc(), op.getContext());
  b.setInsertionPoint(op);
  Type pointer = b.pointerType();
  Type i64 = b.getI64Type();
  auto type = b.getFunctionType({pointer, pointer, i64, i64}, {});
  auto function = func::FuncOp::create(b, cpuFunctionName(op.getSymName().str()), type);
  Block* entry = function.addEntryBlock();
  b.setInsertionPointToStart(entry);
  const bool hasCacheScale = op.getRecord().record().hasTensorScale();
  KernelArgs args(b, entry->getArgument(0), fixedScale(op), hasCacheScale);
  TokenLoop body(b, op, args, entry->getArgument(1));
  b.loop(entry->getArgument(2), entry->getArgument(3), [&](Value token) { body.build(token); });
  func::ReturnOp::create(b);
}

struct LowerToLoopsPass : PassWrapper<LowerToLoopsPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerToLoopsPass)

  StringRef getArgument() const override { return "mla-lower-to-loops"; }

  StringRef getDescription() const override {
    return "each mla.attention becomes a function of loops that computes it on the host";
  }

  void getDependentDialects(DialectRegistry& registry) const override {
    registry.insert<arith::ArithDialect,
                    func::FuncDialect,
                    LLVM::LLVMDialect,
                    math::MathDialect,
                    scf::SCFDialect>();
  }

  void runOnOperation() override {
    for (mla::KernelOp kernel : llvm::make_early_inc_range(getOperation().getOps<mla::KernelOp>()))
      kernel.erase();
    for (mla::AttentionOp op :
         llvm::make_early_inc_range(getOperation().getOps<mla::AttentionOp>())) {
      buildFunction(op);
      op.erase();
    }
  }
};

} // namespace

std::unique_ptr<Pass> createLowerToLoopsPass() {
  return std::make_unique<LowerToLoopsPass>();
}

std::string cpuFunctionName(std::string_view attention) {
  return std::string(attention) + "_cpu";
}

} // namespace mlac
