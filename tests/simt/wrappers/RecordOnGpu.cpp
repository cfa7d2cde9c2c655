// mlac-record-wrappers: runs every probe on this machine's GPU and writes what came out, for the
// SIMT executor to be held to. Needs a driver and NVRTC, nothing else.
#include "runtime/FileIo.h"
#include "runtime/nvrtc/Compile.h"
#include "templates/Flatten.h"
#include "tests/simt/wrappers/Probes.h"
#include "tests/simt/wrappers/Record.h"
#include "tests/simt/wrappers/Run.h"
#include "tools/mlac/ExitCode.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

namespace mlac::probes {
namespace {

struct Arguments {
  std::string folder;
  std::string only;
  std::string target; ///< compile for it and run nothing
  int ordinal = 0;
};

Result<std::string> cubinOf(const Probe& probe, const std::string& target) {
  MLAC_TRY(nvrtc, processNvrtc());
  const std::string source = flatten(probe.source);
  MLAC_TRY(output,
           compileSource(*nvrtc,
                         {.source = source,
                          .name = probe.name,
                          .entry = probe.entry,
                          .target = target,
                          .extraOptions = {}}));
  return output.cubin;
}

Status compileOnly(const Probe& probe, const std::string& target) {
  MLAC_CHECK(cubinOf(probe, target));
  return Unit{};
}

Status record(const Device& device, const Probe& probe, const std::string& folder) {
  MLAC_TRY(cubin, cubinOf(probe, device.targetName()));
  const Words input = inputOf(probe, kRecordedSeed);
  MLAC_TRY(words, runProbe(device, probe, cubin, input));
  MLAC_TRY(again, runProbe(device, probe, cubin, input));
  if (words != again)
    return Error{
        ErrorCode::VerificationFailed,
        fmt::format("{}: two launches on {} wrote different words", probe.name, device.name())};
  return replaceFile(fmt::format("{}/{}.txt", folder, probe.name),
                     textOf({probe.name, kRecordedSeed, digestOf(input), device.name(), words}));
}

Status runAll(const Arguments& arguments) {
  std::vector<const Probe*> chosen;
  for (const Probe& probe : allProbes())
    if (arguments.only.empty() || probe.name == arguments.only)
      chosen.push_back(&probe);
  if (chosen.empty())
    return Error{ErrorCode::InvalidInput, fmt::format("there is no probe '{}'", arguments.only)};
  if (!arguments.target.empty()) {
    for (const Probe* probe : chosen)
      MLAC_CHECK(compileOnly(*probe, arguments.target));
    fmt::print("{} probes compile for {}\n", chosen.size(), arguments.target);
    return Unit{};
  }
  if (arguments.folder.empty())
    return Error{ErrorCode::InvalidInput, "give the folder to write to, or --compile-only TARGET"};
  MLAC_TRY(device, Device::open(arguments.ordinal));
  MLAC_CHECK(makeFolders(arguments.folder));
  for (const Probe* probe : chosen)
    MLAC_CHECK(record(device, *probe, arguments.folder));
  fmt::print("{} probes recorded on {}\n", chosen.size(), device.name());
  return Unit{};
}

int runTool(int argc, char** argv) {
  Arguments arguments;
  CLI::App app(
      "Records what each PTX wrapper's probe writes on this machine's GPU.\nExit codes: 0 done, 1 "
      "wrong input, 2 the machine lacks something, 3 a probe wrote different words when repeated.");
  app.add_option("folder", arguments.folder, "Where NAME.txt of each probe goes");
  app.add_option("--only", arguments.only, "Name of a single probe");
  app.add_option(
      "--compile-only", arguments.target, "Compile for this target, such as sm_90; run nothing");
  app.add_option("--device", arguments.ordinal, "Which GPU (default 0)");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kExitDone : kExitWrongInput;
  }
  if (const Status done = runAll(arguments); !done) {
    fmt::print(stderr, "mlac-record-wrappers: {}\n", done.error().message);
    return exitCodeOf(blameEnvironment(done.error()).code);
  }
  return kExitDone;
}

} // namespace
} // namespace mlac::probes

int main(int argc, char** argv) {
  try {
    return mlac::probes::runTool(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "mlac-record-wrappers: %s\n", error.what());
    return mlac::kExitEnvironment;
  }
}
