#include "common/Log.h"

#include "common/Options.h"

#include <fmt/format.h>

#include <cstdio>
#include <mutex>
#include <utility>

namespace mlac {
namespace {

LogLevel levelFromOptions() {
  const std::string& name = options().log;
  if (name == "quiet")
    return LogLevel::Quiet;
  if (name == "info")
    return LogLevel::Info;
  return name == "debug" ? LogLevel::Debug : LogLevel::Warning;
}

// Leaked on purpose: threads may still log while the process's statics are destroyed.
struct LogState {
  std::mutex mutex;
  LogSink sink;
};

LogState& logState() {
  static auto* state = new LogState;
  return *state;
}

} // namespace

void logMessage(LogLevel level, std::string_view message) {
  LogState& state = logState();
  std::lock_guard lock(state.mutex);
  if (state.sink) {
    state.sink(level, message);
    return;
  }
  if (level <= levelFromOptions())
    fmt::print(stderr, "mlac: {}{}\n", level == LogLevel::Warning ? "warning: " : "", message);
}

LogSink setLogSink(LogSink sink) {
  LogState& state = logState();
  std::lock_guard lock(state.mutex);
  return std::exchange(state.sink, std::move(sink));
}

} // namespace mlac
