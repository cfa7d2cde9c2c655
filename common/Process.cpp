#include "common/Process.h"

#include "common/MemoryFile.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace mlac {
namespace {

int waitFor(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  constexpr int kSignalBase = 128;
  return WIFEXITED(status) ? WEXITSTATUS(status) : kSignalBase + WTERMSIG(status);
}

} // namespace

Result<ProcessOutput> runProcess(const std::vector<std::string>& command,
                                 const ProcessOptions& options) {
  std::vector<char*> arguments;
  for (const std::string& word : command)
    arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  MLAC_TRY(in, MemoryFile::holding(options.input));
  MLAC_TRY(out, MemoryFile::holding({}));
  MLAC_TRY(err, MemoryFile::holding({}));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.descriptor(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out.descriptor(), STDOUT_FILENO);
  if (!options.sharesStandardError)
    posix_spawn_file_actions_adddup2(&actions, err.descriptor(), STDERR_FILENO);
  pid_t child = 0;
  const int failed =
      posix_spawnp(&child, arguments.front(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0)
    return Error{ErrorCode::MissingDependency,
                 fmt::format("cannot run {}: {}", command.front(), std::strerror(failed))};
  const int status = waitFor(child);
  return ProcessOutput{status, out.text(), err.text()};
}

} // namespace mlac
