// Command: what a subcommand is to main. Every one has a file of its own; the table is in main.cpp.
#pragma once

#include "common/Result.h"

#include <functional>

namespace CLI {
class App;
} // namespace CLI

namespace mlac {

class Console;

/// What a command does once its options are parsed.
using Action = std::function<Status()>;

/// Declares a command's options on `app` and says what to run. `console` outlives the action.
using Declare = Action (*)(CLI::App& app, Console& console);

Action declareBench(CLI::App& app, Console& console);
Action declareDoctor(CLI::App& app, Console& console);
Action declareExplain(CLI::App& app, Console& console);
Action declareFmt(CLI::App& app, Console& console);
Action declareGenerate(CLI::App& app, Console& console);
Action declareInit(CLI::App& app, Console& console);
Action declareInspect(CLI::App& app, Console& console);
Action declarePack(CLI::App& app, Console& console);
Action declareRun(CLI::App& app, Console& console);
Action declareTargets(CLI::App& app, Console& console);
Action declareVersion(CLI::App& app, Console& console);

} // namespace mlac
