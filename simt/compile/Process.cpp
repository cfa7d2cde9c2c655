#include "simt/compile/Process.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace mlac::simt {
namespace {

/// A file in memory that a child writes to: unlike a pipe it never fills up.
class Capture {
public:
  Capture() : file(memfd_create("mlac-output", 0)) {}

  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;

  ~Capture() {
    if (file >= 0)
      close(file);
  }

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
};

} // namespace

Result<ProcessOutput> runProcess(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  for (const std::string& word : command)
    arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const Capture out;
  const Capture err;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out.descriptor(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.descriptor(), STDERR_FILENO);
  pid_t child = 0;
  const int failed =
      posix_spawnp(&child, arguments.front(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0)
    return Error{ErrorCode::MissingDependency,
                 fmt::format("cannot run {}: {}", command.front(), std::strerror(failed))};
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  constexpr int kSignalBase = 128;
  return ProcessOutput{WIFEXITED(status) ? WEXITSTATUS(status) : kSignalBase + WTERMSIG(status),
                       out.text(),
                       err.text()};
}

} // namespace mlac::simt
