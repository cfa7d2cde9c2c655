#include "tools/bench/PeerProcess.h"

#include "common/Options.h"
#include "tools/bench/BenchRequest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <spawn.h>
#include <string_view>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

extern char** environ;

namespace mlac {
namespace {

/// A file in memory: unlike a pipe it never fills up.
class MemoryFile {
public:
  explicit MemoryFile(const std::string& content) : file(memfd_create("mlac-peers", MFD_CLOEXEC)) {
    // What was not taken whole would be a request that the script refuses. The child reads from the
    // start, where pwrite leaves the file.
    written = file >= 0 && pwrite(file, content.data(), content.size(), 0) ==
                               static_cast<ssize_t>(content.size());
  }

  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  ~MemoryFile() {
    if (file >= 0)
      close(file);
  }

  bool isGood() const { return written; }

  int descriptor() const { return file; }

  std::string text() const {
    std::string all;
    std::array<char, 4096> buffer{};
    for (off_t at = 0;;) {
      const ssize_t count = pread(file, buffer.data(), buffer.size(), at);
      if (count <= 0)
        return all;
      all.append(buffer.data(), static_cast<std::size_t>(count));
      at += count;
    }
  }

private:
  int file;
  bool written = false;
};

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

int waitFor(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  constexpr int kSignalBase = 128;
  return WIFEXITED(status) ? WEXITSTATUS(status) : kSignalBase + WTERMSIG(status);
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
  const MemoryFile input(request);
  const MemoryFile output("");
  if (!input.isGood() || !output.isGood())
    return Error{ErrorCode::IoFailed,
                 fmt::format("no file in memory for the peers: {}", std::strerror(errno))};
  std::array<std::string, 4> words = {files.python, files.script, "--request", "-"};
  std::vector<char*> arguments;
  for (std::string& word : words)
    arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input.descriptor(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output.descriptor(), STDOUT_FILENO);
  pid_t child = 0;
  const int failed =
      posix_spawnp(&child, arguments.front(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0)
    return Error{ErrorCode::MissingDependency,
                 fmt::format("cannot run {}: {}; install Python 3 with PyTorch, or name it with "
                             "MLAC_PYTHON",
                             files.python,
                             std::strerror(failed))};
  const int status = waitFor(child);
  return PeerOutput{status, output.text()};
}

} // namespace mlac
