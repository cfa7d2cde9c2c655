// HostJit: machine code for this host from a module in the LLVM dialect, through LLVM's ORC JIT.
#pragma once

#include "common/Result.h"

#include <memory>
#include <string>

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace mlac {

/// Owns the code of one module; functions die with it.
class HostJit {
public:
  HostJit(HostJit&&) noexcept;
  HostJit& operator=(HostJit&&) noexcept;
  ~HostJit();

  /// Optimises and compiles `module`, which is in the LLVM dialect, for this host's CPU. One
  /// compilation at a time runs in a process: LLVM's global state is not safe otherwise. Errors:
  /// CompileFailed.
  static Result<HostJit> compile(mlir::ModuleOp module);

  /// The address of a function. Errors: CompileFailed, where there is none or it needs unknown
  /// symbols.
  Result<void*> find(const std::string& name) const;

private:
  struct Engine;

  explicit HostJit(std::unique_ptr<Engine> engine);

  std::unique_ptr<Engine> engine;
};

} // namespace mlac
