// mlac doctor: what this machine offers, and what to do about what it does not.
#include "common/Options.h"
#include "common/Target.h"
#include "mlac/mlac.hpp"
#include "runtime/FileIo.h"
#include "runtime/cuda/CudaStatus.h"
#include "runtime/cuda/Driver.h"
#include "tools/mlac/Command.h"
#include "tools/mlac/CommonOptions.h"
#include "tools/mlac/Console.h"
#include "tools/mlac/Cubins.h"
#include "tools/sass/Disassemble.h"

#include "llvm/Config/llvm-config.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <unistd.h>

namespace mlac {
namespace {

enum class State { Ok, Warning, Fault };

struct Finding {
  const char* what;
  State state = State::Ok;
  std::string text;
  std::string remedy;
};

const char* stateName(State state) {
  if (state == State::Ok)
    return "ok";
  return state == State::Warning ? "warning" : "fault";
}

/// Compiles an empty kernel: a library that lacks its builtins loads well and fails here.
Status tryCompiling(const Nvrtc& nvrtc) {
  const Target* newest = nullptr;
  for (const Target& target : allTargets())
    if (nvrtc.supports(target.name))
      newest = &target;
  if (newest == nullptr)
    return Error{ErrorCode::Unsupported,
                 "it compiles for none of mlac's targets, only " + nvrtc.supportedNames()};
  MLAC_CHECK(compileSource(nvrtc,
                           {.source = "extern \"C\" __global__ void probe() {}",
                            .name = "probe",
                            .entry = "probe",
                            .target = newest->name,
                            .extraOptions = {}}));
  return Unit{};
}

Finding checkNvrtc() {
  const auto found = processNvrtc();
  if (!found)
    return {"NVRTC",
            State::Fault,
            found.error().message,
            "install NVRTC 12.8 or newer, or set MLAC_NVRTC to its file or folder"};
  const Nvrtc& nvrtc = **found;
  const std::string text = fmt::format("{}.{} at {} (found by {}), build {}",
                                       nvrtc.major,
                                       nvrtc.minor,
                                       nvrtc.path,
                                       nvrtc.foundBy,
                                       nvrtc.buildId);
  if (const Status compiled = tryCompiling(nvrtc); !compiled)
    return {"NVRTC",
            State::Fault,
            text + "; compiling an empty kernel failed: " + compiled.error().message,
            "check that libnvrtc-builtins of the same version lies beside it"};
  return {"NVRTC", State::Ok, text, ""};
}

Finding checkDriver() {
  const auto driver = processDriver();
  if (!driver)
    return {"driver",
            State::Warning,
            driver.error().message,
            "to launch kernels, install NVIDIA's driver; generating and compiling need none"};
  constexpr int kMajorUnit = 1000;
  constexpr int kMinorUnit = 10;
  int version = 0;
  const DriverApi& api = (*driver)->api;
  if (const Status asked = cudaStatus(api, api.cuDriverGetVersion(&version), "cuDriverGetVersion");
      !asked)
    return {"driver", State::Warning, asked.error().message, "reinstall NVIDIA's driver"};
  const std::string text = fmt::format(
      "CUDA {}.{} at {}", version / kMajorUnit, version % kMajorUnit / kMinorUnit, (*driver)->path);
  const auto nvrtc = processNvrtc();
  if (nvrtc && (*nvrtc)->major > version / kMajorUnit)
    return {"driver",
            State::Warning,
            text + ", older than " + nvrtcName(**nvrtc),
            "update the driver, or set MLAC_NVRTC to an NVRTC of the driver's major version"};
  return {"driver", State::Ok, text, ""};
}

Finding checkGpu() {
  const auto device = Device::open(0);
  if (!device)
    return {"GPU",
            State::Warning,
            device.error().message,
            "specs can be generated, compiled and run on the CPU; launching needs a GPU"};
  const std::string text = fmt::format("{}, compute capability {}.{}, {} SMs, target {}",
                                       device->name(),
                                       device->computeMajor(),
                                       device->computeMinor(),
                                       device->sms(),
                                       device->targetName());
  const auto nvrtc = processNvrtc();
  if (nvrtc && !(*nvrtc)->supports(device->targetName()))
    return {"GPU",
            State::Fault,
            text + ", which " + nvrtcName(**nvrtc) + " cannot compile for",
            "install a newer NVRTC"};
  return {"GPU", State::Ok, text, ""};
}

Finding checkCache() {
  const std::string folder = options().kernelCacheDir();
  const char* const remedy = "set MLAC_CACHE_DIR to a folder that can be written";
  if (folder.empty())
    return {
        "cache", State::Warning, "no folder for it is known, kernels are compiled anew", remedy};
  const std::string probe = temporaryPathFor(folder + "/doctor");
  Status written = makeFolders(folder);
  if (written)
    written = writeFileSynced(probe, "probe");
  if (!written)
    return {"cache", State::Warning, written.error().message, remedy};
  unlink(probe.c_str());
  return {"cache", State::Ok, folder, ""};
}

Finding checkNvdisasm() {
  const auto found = sass::findDisassembler(sass::disassemblerCandidates());
  if (!found)
    return {
        "nvdisasm", State::Warning, found.error().message, "only `mlac explain --sass` needs it"};
  return {"nvdisasm", State::Ok, fmt::format("{} at {}", found->version, found->program), ""};
}

Finding checkLlvm() {
  return {"LLVM", State::Ok, LLVM_VERSION_STRING, ""};
}

std::string toText(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& finding : findings) {
    text += fmt::format("{:<8} {:<8} {}\n", stateName(finding.state), finding.what, finding.text);
    if (!finding.remedy.empty())
      text += fmt::format("{:<17} -> {}\n", "", finding.remedy);
  }
  return text;
}

Json toJson(const std::vector<Finding>& findings) {
  Json list = Json::array();
  for (const Finding& finding : findings)
    list.push_back({{"what", finding.what},
                    {"state", stateName(finding.state)},
                    {"text", finding.text},
                    {"remedy", finding.remedy}});
  return {{"findings", list}};
}

Status examine(Console& console) {
  const std::vector<Finding> findings = {
      checkNvrtc(), checkDriver(), checkGpu(), checkCache(), checkNvdisasm(), checkLlvm()};
  if (console.json)
    console.printJson(toJson(findings));
  else
    console.print(toText(findings));
  std::string faults;
  for (const Finding& finding : findings)
    if (finding.state == State::Fault)
      faults += std::string(faults.empty() ? "" : ", ") + finding.what;
  if (faults.empty())
    return Unit{};
  return Error{ErrorCode::MissingDependency,
               "kernels cannot be compiled here; at fault: " + faults};
}

} // namespace

Action declareDoctor(CLI::App& app, Console& console) {
  addJsonOption(app, console);
  return [&console] { return examine(console); };
}

} // namespace mlac
