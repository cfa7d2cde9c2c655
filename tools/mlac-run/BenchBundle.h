// BenchBundle: `mlac-run bench`: a bundle timed on this machine's GPU, without a compiler.
#pragma once

#include "common/Result.h"

#include <functional>

namespace CLI {
class App;
} // namespace CLI

namespace mlac {

/// Declares the options on `app`, and returns what the command does once they were parsed: it
/// prints its product and its talk itself.
std::function<Status()> declareBenchBundle(CLI::App& app);

} // namespace mlac
