// Disassemble: NVIDIA's disassembler, where this machine has it.
#pragma once

#include "common/Result.h"

#include <string>
#include <vector>

namespace mlac::sass {

/// An nvdisasm that was found and runs.
struct Disassembler {
  std::string program;
  std::string version; ///< "13.5"

  /// Machine code of a cubin as text, as `nvdisasm -c` prints it. Unsupported where this nvdisasm
  /// does not know the cubin's target.
  Result<std::string> disassemble(const std::string& cubin) const;
};

/// Programs to try, best first: MLAC_NVDISASM alone where it is set; else PATH, CUDA_HOME,
/// CUDA_PATH, CUDA's usual folder, and what tools/setup fetched.
std::vector<std::string> disassemblerCandidates();

/// The first of `candidates` that runs. MissingDependency where none does.
Result<Disassembler> findDisassembler(const std::vector<std::string>& candidates);

} // namespace mlac::sass
