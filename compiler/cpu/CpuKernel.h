// CpuKernel: an attention variant compiled for this host's CPU. Needs no GPU and no driver.
#pragma once

#include "common/Result.h"
#include "common/Variant.h"
#include "compiler/cpu/CpuArgs.h"

#include <memory>
#include <string_view>

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace mlac {

/// Owns the machine code of one variant. Launching is safe from any number of threads at once.
class CpuKernel {
public:
  CpuKernel(CpuKernel&&) noexcept;
  CpuKernel& operator=(CpuKernel&&) noexcept;
  ~CpuKernel();

  const Variant& variant() const;

  /// Computes all tokens on at most `threads` threads (0: as many as the host has) and returns when
  /// done. The outputs may not overlap any input. Errors: InvalidArgument for arguments that
  /// contradict the variant or need more scratch memory than there is; then nothing was written.
  Status run(const CpuArgs& args, int threads = 0) const;

private:
  friend Result<CpuKernel>
  compileForCpu(mlir::ModuleOp module, std::string_view name, const Variant& variant);
  struct Code;

  explicit CpuKernel(std::unique_ptr<const Code> code);

  std::unique_ptr<const Code> code;
};

/// Compiles a checked variant. Errors: CompileFailed.
Result<CpuKernel> compileForCpu(const Variant& variant);

/// Compiles the mla.attention of that name; the module is left as it is. The kernel's variant has
/// no rules then: the regions are the rules. Errors: InvalidInput where there is none,
/// CompileFailed.
Result<CpuKernel> compileForCpu(mlir::ModuleOp module, std::string_view name);

} // namespace mlac
