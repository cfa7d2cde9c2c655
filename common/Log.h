// Log: what mlac says beside its results. Goes to stderr unless a sink is set.
#pragma once

#include <functional>
#include <string_view>

namespace mlac {

enum class LogLevel { Quiet, Warning, Info, Debug };

using LogSink = std::function<void(LogLevel, std::string_view)>;

/// Says `message` if MLAC_LOG allows its level; a sink hears every level.
void logMessage(LogLevel level, std::string_view message);

/// Sends messages to `sink` instead of stderr; an empty one restores stderr. Returns the former
/// sink.
LogSink setLogSink(LogSink sink);

} // namespace mlac
