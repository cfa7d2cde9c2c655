#include "tools/mlac/Console.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <unistd.h>

namespace mlac {
namespace {

// Back to the first column, and erase what is there.
constexpr const char* kClearLine = "\r\x1b[K";

constexpr int kIndent = 2;

bool endsLine(std::string_view text) {
  return text.ends_with('\n');
}

} // namespace

void Console::print(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
}

void Console::printJson(const Json& object) {
  // Names of files need not be UTF-8.
  print(object.dump(kIndent, ' ', false, Json::error_handler_t::replace) + "\n");
  hasPrintedJson = true;
}

void Console::note(std::string_view message) {
  fmt::print(stderr, "mlac: {}\n", message);
}

void Console::warn(std::string_view message) {
  fmt::print(stderr, "mlac: warning: {}\n", message);
}

void Console::fail(const Error& error) {
  std::fflush(stdout);
  // Diagnostics of a spec come rendered, each with its place.
  const bool rendered = error.code == ErrorCode::InvalidSpec;
  fmt::print(stderr,
             "{}{}{}",
             rendered ? "" : "mlac: error: ",
             error.message,
             endsLine(error.message) ? "" : "\n");
  if (json && !hasPrintedJson)
    printJson({{"error", {{"code", errorCodeName(error.code)}, {"message", error.message}}}});
}

Status Console::flush() {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0)
    return Unit{};
  return Error{ErrorCode::IoFailed,
               fmt::format("standard output did not take everything: {}", std::strerror(errno))};
}

Progress::Progress(std::string_view what, std::size_t total)
    : what(what), total(total), isShown(isatty(STDERR_FILENO) != 0) {}

Progress::~Progress() {
  if (isShown && done > 0)
    std::fputs(kClearLine, stderr);
}

void Progress::step(std::string_view name) {
  const std::lock_guard lock(mutex);
  ++done;
  if (!isShown)
    return;
  fmt::print(stderr, "{}{} {}/{} {}", kClearLine, what, done, total, name);
  std::fflush(stderr);
}

} // namespace mlac
