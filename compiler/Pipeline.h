// The compiler's passes as one table: run them all, stop after one, or print the module after any.
#pragma once

#include "common/Result.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "mlir/Support/LLVM.h"

#include <memory>

namespace mlir {
class ModuleOp;
class Pass;
} // namespace mlir

namespace mlac {

/// One pass on a module. `name` is what mlac-opt and the options below call it.
struct PassEntry {
  llvm::StringLiteral name;
  llvm::StringLiteral summary;
  std::unique_ptr<mlir::Pass> (*create)();
};

/// Every pass, in the order in which they run.
llvm::ArrayRef<PassEntry> passTable();

struct PipelineOptions {
  llvm::StringRef stopAfter = {}; ///< name of the last pass to run; empty runs all
  llvm::StringRef dumpAfter = {}; ///< name of the pass after which the module is printed, or "all"
  llvm::raw_ostream* dumpTo = nullptr; ///< where to; not owned, needed with `dumpAfter`
};

/// Runs the table on `module`, which it changes. The message of an error holds the diagnostics of
/// the pass that failed, each on a line. A name the table lacks is an InvalidInput that lists the
/// names.
Status runPipeline(mlir::ModuleOp module, const PipelineOptions& options = {});

/// Makes every pass of the table known to MLIR's command line.
void registerPasses();

} // namespace mlac
