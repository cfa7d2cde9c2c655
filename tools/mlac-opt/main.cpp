// mlac-opt: MLIR's opt driver with the `mla` dialect and the compiler's passes.
#include "compiler/Pipeline.h"
#include "compiler/cpu/CpuPasses.h"
#include "compiler/ir/MlaDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char** argv) {
  mlac::registerPasses();
  mlac::registerCpuPasses();
  mlir::registerCSEPass();
  mlir::DialectRegistry registry;
  registry.insert<mlac::mla::MlaDialect,
                  mlir::arith::ArithDialect,
                  mlir::func::FuncDialect,
                  mlir::LLVM::LLVMDialect,
                  mlir::math::MathDialect,
                  mlir::scf::SCFDialect>();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "mlac-opt: passes of the mlac compiler\n", registry));
}
