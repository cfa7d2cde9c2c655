#include "tools/bench/PeerProcess.h"

#include "common/Options.h"
#include "common/Process.h"
#include "tools/bench/BenchRequest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

namespace mlac {
namespace {

std::filesystem::path programFolder() {
  std::error_code ignored;
  return std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
}

Result<std::string> firstFile(std::string_view what,
                              std::string_view remedy,
                              const std::vector<std::filesystem::path>& places) {
  std::vector<std::string> tried;
  for (const std::filesystem::path& place : places) {
    std::error_code ignored;
    if (std::filesystem::is_regular_file(place, ignored))
      return place.string();
    tried.push_back(place.string());
  }
  return Error{ErrorCode::MissingDependency,
               fmt::format("{} was not found ({}); {}", what, fmt::join(tried, ", "), remedy)};
}

} // namespace

Result<PeerFiles> findPeerFiles(const BenchRequest& request) {
  const std::filesystem::path here = programFolder();
  PeerFiles files{options().python.empty() ? "python3" : options().python,
                  request.script,
                  request.library.empty() ? options().library : request.library};
  if (files.script.empty()) {
    MLAC_TRY(script,
             firstFile("compare.py",
                       "name it with --script",
                       {here / "compare.py",
                        here / "../share/mlac/bench/compare.py",
                        std::filesystem::path(MLAC_BENCH_SCRIPTS) / "compare.py"}));
    files.script = script;
  }
  if (files.library.empty()) {
    MLAC_TRY(
        library,
        firstFile(
            "libmlac.so",
            "name it with --lib or MLAC_LIBRARY",
            {here / "libmlac.so", here / "../lib/libmlac.so", here / "../runtime/libmlac.so"}));
    files.library = library;
  }
  return files;
}

Result<PeerOutput> runPeers(const PeerFiles& files, const std::string& request) {
  auto output = runProcess({files.python, files.script, "--request", "-"},
                           {.input = request, .sharesStandardError = true});
  if (!output && output.error().code == ErrorCode::MissingDependency)
    return Error{ErrorCode::MissingDependency,
                 output.error().message +
                     "; install Python 3 with PyTorch, or name it with MLAC_PYTHON"};
  MLAC_TRY(ended, std::move(output));
  return PeerOutput{ended.status, ended.standardOutput};
}

} // namespace mlac
