#include "tools/sass/Disassemble.h"

#include "common/MemoryFile.h"
#include "common/Options.h"
#include "common/Process.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#ifndef MLAC_NVDISASM_HINT
#define MLAC_NVDISASM_HINT ""
#endif

namespace mlac::sass {
namespace {

/// "13.5" of "Cuda compilation tools, release 13.5, V13.5.37"; empty where the text is another's.
std::string releaseIn(std::string_view text) {
  constexpr std::string_view kMark = "release ";
  const std::size_t begin = text.find(kMark);
  if (begin == std::string_view::npos)
    return {};
  text.remove_prefix(begin + kMark.size());
  return std::string(text.substr(0, text.find_first_not_of("0123456789.")));
}

} // namespace

Result<std::string> Disassembler::disassemble(const std::string& cubin) const {
  MLAC_TRY(file, MemoryFile::holding(cubin));
  MLAC_TRY(output, runProcess({program, "-c", file.path()}));
  if (output.status != 0)
    return Error{
        ErrorCode::Unsupported,
        fmt::format(
            "{} {} cannot disassemble the cubin: {}", program, version, output.standardError)};
  return output.standardOutput;
}

std::vector<std::string> disassemblerCandidates() {
  const Options& set = options();
  if (!set.nvdisasm.empty())
    return {set.nvdisasm};
  std::vector<std::string> candidates = {"nvdisasm"};
  for (const std::string& root : {set.cudaHome, set.cudaPath, std::string("/usr/local/cuda")})
    if (!root.empty())
      candidates.push_back(root + "/bin/nvdisasm");
  if (const std::string hint = MLAC_NVDISASM_HINT; !hint.empty())
    candidates.push_back(hint);
  return candidates;
}

Result<Disassembler> findDisassembler(const std::vector<std::string>& candidates) {
  for (const std::string& candidate : candidates) {
    const auto output = runProcess({candidate, "--version"});
    if (!output || output->status != 0)
      continue;
    if (const std::string version = releaseIn(output->standardOutput); !version.empty())
      return Disassembler{candidate, version};
  }
  return Error{ErrorCode::MissingDependency,
               fmt::format("no nvdisasm was found: tried {}. Install it (the wheel "
                           "nvidia-cuda-nvdisasm will do) or set MLAC_NVDISASM to its file",
                           fmt::join(candidates, ", "))};
}

} // namespace mlac::sass
