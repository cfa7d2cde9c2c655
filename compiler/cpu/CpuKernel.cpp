#include "compiler/cpu/CpuKernel.h"

#include "compiler/cpu/CheckArgs.h"
#include "compiler/cpu/HostJit.h"
#include "compiler/cpu/LowerToLLVM.h"
#include "compiler/cpu/LowerToLoops.h"
#include "compiler/cpu/ScratchLayout.h"
#include "compiler/ir/ImportSpec.h"
#include "compiler/ir/MlaOps.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cassert>
#include <new>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace mlac {
namespace {

using Function = void (*)(const CpuArgs* args, void* scratch, std::int64_t begin, std::int64_t end);
using Scratch = std::unique_ptr<std::byte[]>;

/// To the LLVM dialect, in place. Diagnostics go into `log`.
mlir::LogicalResult lower(mlir::ModuleOp module, std::string& log) {
  mlir::ScopedDiagnosticHandler handler(module.getContext(), [&](mlir::Diagnostic& diagnostic) {
    log += diagnostic.str() + "\n";
    return mlir::success();
  });
  mlir::PassManager passes(module.getContext());
  passes.addPass(createLowerToLoopsPass());
  buildLowerToLLVM(passes);
  return passes.run(module);
}

std::int64_t scratchBytes(const Variant& variant, const CpuArgs& args) {
  const std::int64_t capacity =
      variant.isTopk() ? variant.topk : std::int64_t{args.maxPages} * variant.page;
  return ScratchLayout(variant.heads, variant.qkDims(), variant.valueDims()).totalBytes(capacity);
}

int workerCount(const CpuArgs& args, int threads) {
  const int wanted = threads > 0 ? threads : static_cast<int>(std::thread::hardware_concurrency());
  return std::clamp(wanted, 1, static_cast<int>(args.tokens));
}

/// One block a worker, uninitialised: pages that no entry needs are never touched.
Result<std::vector<Scratch>> allocateScratch(std::int64_t bytes, int workers) {
  std::vector<Scratch> blocks;
  for (int i = 0; i < workers; ++i) {
    blocks.emplace_back(new (std::nothrow) std::byte[bytes]);
    if (!blocks.back())
      return Error{
          ErrorCode::InvalidArgument,
          fmt::format("no memory for {} scratch blocks of {} bytes; use fewer threads or a "
                      "narrower block table",
                      workers,
                      bytes)};
  }
  return blocks;
}

/// Tokens differ in their number of entries, so workers take them one by one.
void runWorkers(Function function, const CpuArgs& args, const std::vector<Scratch>& blocks) {
  std::atomic<std::int64_t> next{0};
  auto work = [&](void* scratch) {
    for (std::int64_t token = next++; token < args.tokens; token = next++)
      function(&args, scratch, token, token + 1);
  };
  std::vector<std::thread> workers;
  workers.reserve(blocks.size());
  try {
    for (std::size_t i = 1; i < blocks.size(); ++i)
      workers.emplace_back(work, blocks[i].get());
  } catch (const std::system_error&) { // NOLINT(bugprone-empty-catch)
    // The system has no more threads to give; those there are do the work.
  }
  work(blocks[0].get());
  for (std::thread& worker : workers)
    worker.join();
}

} // namespace

struct CpuKernel::Code {
  Variant variant;
  HostJit jit;
  Function function;
};

CpuKernel::CpuKernel(std::unique_ptr<const Code> code) : code(std::move(code)) {}

CpuKernel::CpuKernel(CpuKernel&&) noexcept = default;
CpuKernel& CpuKernel::operator=(CpuKernel&&) noexcept = default;
CpuKernel::~CpuKernel() = default;

const Variant& CpuKernel::variant() const {
  return code->variant;
}

Status CpuKernel::run(const CpuArgs& args, int threads) const {
  MLAC_CHECK(checkCpuArgs(code->variant, args));
  if (args.tokens == 0)
    return Unit{};
  const int workers = workerCount(args, threads);
  MLAC_TRY(blocks, allocateScratch(scratchBytes(code->variant, args), workers));
  runWorkers(code->function, args, blocks);
  return Unit{};
}

Result<CpuKernel>
compileForCpu(mlir::ModuleOp module, std::string_view name, const Variant& variant) {
  auto op = module.lookupSymbol<mla::AttentionOp>(llvm::StringRef(name));
  assert(op && "the module has the attention");
  mlir::OwningOpRef<mlir::ModuleOp> copy = mlir::ModuleOp::create(op.getLoc());
  copy->push_back(op->clone());
  std::string log;
  if (mlir::failed(lower(*copy, log)))
    return Error{ErrorCode::CompileFailed, fmt::format("cannot lower `{}`: {}", name, log)};
  MLAC_TRY(jit, HostJit::compile(*copy));
  MLAC_TRY(address, jit.find(cpuFunctionName(name)));
  return CpuKernel(std::make_unique<const CpuKernel::Code>(
      CpuKernel::Code{variant, std::move(jit), reinterpret_cast<Function>(address)}));
}

Result<CpuKernel> compileForCpu(mlir::ModuleOp module, std::string_view name) {
  auto op = module.lookupSymbol<mla::AttentionOp>(llvm::StringRef(name));
  if (!op)
    return Error{ErrorCode::InvalidInput, fmt::format("the module has no attention `{}`", name)};
  return compileForCpu(module, name, mla::variantOf(op));
}

Result<CpuKernel> compileForCpu(const Variant& variant) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  mlir::OwningOpRef<mlir::ModuleOp> module = mla::importVariants(context, {variant});
  return compileForCpu(*module, variant.name, variant);
}

} // namespace mlac
