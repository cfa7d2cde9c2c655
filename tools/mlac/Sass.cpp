#include "tools/mlac/Sass.h"

#include "tools/mlac/Explanation.h"
#include "tools/sass/Disassemble.h"

namespace mlac {
namespace {

Result<sass::KernelMix> mixOf(const sass::Disassembler& disassembler, const std::string& cubin) {
  MLAC_TRY(listing, disassembler.disassemble(cubin));
  return sass::countInstructions(listing);
}

} // namespace

Status addSass(Explanation& explanation, std::span<const CompileOutput> outputs) {
  const auto found = sass::findDisassembler(sass::disassemblerCandidates());
  if (!found) {
    explanation.whyNotDisassembled = found.error().message;
    return Unit{};
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    auto mix = mixOf(*found, outputs[i].cubin);
    if (!mix) {
      for (ExplainedKernel& explained : explanation.kernels)
        explained.sass.reset();
      explanation.whyNotDisassembled = mix.error().message;
      return Unit{};
    }
    explanation.kernels[i].sass = *mix;
  }
  explanation.disassembledBy = "nvdisasm " + found->version;
  return Unit{};
}

} // namespace mlac
