// The compiler's passes as one table.
#include "compiler/Pipeline.h"

#include "compiler/schedule/BuildTiles.h"
#include "compiler/schedule/SchedulePasses.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlac;

static constexpr PassEntry kPasses[] = {
    {"canonicalize", "fold the regions of every attention", mlir::createCanonicalizerPass},
    {"mla-plan-schedules",
     "choose a schedule for each attention and shape class",
     createPlanSchedulesPass},
    {"mla-build-tiles", "give each planned kernel its tile program", createBuildTilesPass},
    {"mla-verify-budget",
     "hold every schedule against the target's limits",
     createVerifyBudgetPass},
};

llvm::ArrayRef<PassEntry> mlac::passTable() {
  return kPasses;
}

static Status checkName(llvm::StringRef name) {
  auto isNamed = [&](const PassEntry& entry) { return entry.name == name; };
  if (name.empty() || llvm::any_of(kPasses, isNamed))
    return Unit{};
  std::string message = ("there is no pass `" + name + "`; the passes are ").str();
  llvm::raw_string_ostream out(message);
  llvm::interleaveComma(kPasses, out, [&](const PassEntry& entry) { out << entry.name; });
  return Error{ErrorCode::InvalidInput, message};
}

static void dumpAfter(mlir::PassManager& manager, const PipelineOptions& options) {
  auto isWanted = [name = options.dumpAfter](mlir::Pass* pass, mlir::Operation*) {
    return name == "all" || pass->getArgument() == name;
  };
  manager.enableIRPrinting({},
                           isWanted,
                           /*printModuleScope=*/false,
                           /*printAfterOnlyOnChange=*/false,
                           /*printAfterOnlyOnFailure=*/false,
                           *options.dumpTo);
}

Status mlac::runPipeline(mlir::ModuleOp module, const PipelineOptions& options) {
  MLAC_CHECK(checkName(options.stopAfter));
  MLAC_CHECK(checkName(options.dumpAfter == "all" ? "" : options.dumpAfter));
  mlir::PassManager manager(module.getContext());
  for (const PassEntry& entry : kPasses) {
    manager.addPass(entry.create());
    if (entry.name == options.stopAfter)
      break;
  }
  if (!options.dumpAfter.empty())
    dumpAfter(manager, options);

  std::string messages;
  mlir::ScopedDiagnosticHandler handler(module.getContext(), [&](mlir::Diagnostic& diagnostic) {
    if (!messages.empty())
      messages += '\n';
    messages += diagnostic.str();
    return mlir::success();
  });
  if (mlir::failed(manager.run(module)))
    return Error{ErrorCode::InvalidInput, messages};
  return Unit{};
}

void mlac::registerPasses() {
  for (const PassEntry& entry : kPasses)
    mlir::registerPass(entry.create);
}
