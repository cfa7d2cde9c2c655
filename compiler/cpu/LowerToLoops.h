// Pass mla-lower-to-loops: each mla.attention becomes a function of loops that computes it on the
// host.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace mlir {
class Pass;
} // namespace mlir

namespace mlac {

/// Replaces every `mla.attention @NAME` of a module by
///     func.func @NAME_cpu(%args: !llvm.ptr, %scratch: !llvm.ptr, %tokenBegin: i64, %tokenEnd: i64)
/// with a CpuArgs behind %args and a thread's own ScratchLayout behind %scratch. Interval, slot
/// map, mask and score are copies of the attention's regions. Any mla.kernel is dropped: it is
/// another form of the same attention.
std::unique_ptr<mlir::Pass> createLowerToLoopsPass();

/// Name of an attention's function. The suffix keeps a spec's name from meeting a C library
/// function's.
std::string cpuFunctionName(std::string_view attention);

} // namespace mlac
