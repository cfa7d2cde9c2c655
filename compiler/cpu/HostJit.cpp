#include "compiler/cpu/HostJit.h"

#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"

#include <fmt/format.h>

#include <mutex>

namespace mlac {
namespace {

std::mutex& codegenMutex() {
  static std::mutex mutex;
  return mutex;
}

Error failed(const char* what, llvm::Error error) {
  return {ErrorCode::CompileFailed, fmt::format("{}: {}", what, llvm::toString(std::move(error)))};
}

void initializeHostTarget() {
  static const bool done = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    return true;
  }();
  (void)done;
}

llvm::Expected<std::unique_ptr<llvm::TargetMachine>> makeHostMachine() {
  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return builder.takeError();
  builder->setCodeGenOptLevel(llvm::CodeGenOptLevel::Aggressive);
  return builder->createTargetMachine();
}

} // namespace

struct HostJit::Engine {
  std::unique_ptr<mlir::ExecutionEngine> engine;
};

HostJit::HostJit(std::unique_ptr<Engine> engine) : engine(std::move(engine)) {}

HostJit::HostJit(HostJit&&) noexcept = default;
HostJit& HostJit::operator=(HostJit&&) noexcept = default;
HostJit::~HostJit() = default;

Result<HostJit> HostJit::compile(mlir::ModuleOp module) {
  const std::lock_guard lock(codegenMutex());
  initializeHostTarget();
  auto machine = makeHostMachine();
  if (!machine)
    return failed("this host's CPU is not supported", machine.takeError());

  mlir::DialectRegistry translations;
  mlir::registerBuiltinDialectTranslation(translations);
  mlir::registerLLVMDialectTranslation(translations);
  module->getContext()->appendDialectRegistry(translations);

  // Level 3 would unroll the loops over heads: six times the compile time, and slower code.
  auto optimize = mlir::makeOptimizingTransformer(2, 0, machine->get());
  mlir::ExecutionEngineOptions options;
  options.transformer = optimize;
  options.jitCodeGenOptLevel = llvm::CodeGenOptLevel::Aggressive;
  options.enableGDBNotificationListener = false;
  options.enablePerfNotificationListener = false;
  auto engine = mlir::ExecutionEngine::create(module, options, std::move(*machine));
  if (!engine)
    return failed("cannot compile for this host", engine.takeError());
  return HostJit(std::make_unique<Engine>(Engine{std::move(*engine)}));
}

Result<void*> HostJit::find(const std::string& name) const {
  const std::lock_guard lock(codegenMutex());
  auto address = engine->engine->lookup(name);
  if (!address)
    return failed("cannot link the compiled code", address.takeError());
  return *address;
}

} // namespace mlac
