#include "compiler/cpu/CpuPasses.h"

#include "compiler/cpu/ExpandHalf.h"
#include "compiler/cpu/LowerToLLVM.h"
#include "compiler/cpu/LowerToLoops.h"

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"

namespace mlac {

void registerCpuPasses() {
  mlir::registerPass(createLowerToLoopsPass);
  mlir::registerPass(createExpandHalfPass);
  mlir::PassPipelineRegistration<>(
      "mla-lower-to-llvm", "from the host's loops to the LLVM dialect", buildLowerToLLVM);
}

} // namespace mlac
