// mlac targets: the table of GPU architectures.
#include "common/Target.h"
#include "runtime/nvrtc/Nvrtc.h"
#include "tools/mlac/Command.h"
#include "tools/mlac/CommonOptions.h"
#include "tools/mlac/Console.h"
#include "tools/mlac/Cubins.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace mlac {
namespace {

Json toJson(const Target& target, const Nvrtc* nvrtc) {
  Json json = {{"name", target.name},
               {"gpu", target.gpu},
               {"smemPerCtaBytes", target.smemPerCtaBytes},
               {"smemPerSmBytes", target.smemPerSmBytes},
               {"registersPerSm", target.registersPerSm},
               {"bulkCopy", target.hasBulkCopy}};
  json["nvrtc"] = nvrtc != nullptr ? Json(nvrtc->supports(target.name)) : Json();
  return json;
}

const char* nvrtcWord(const Target& target, const Nvrtc* nvrtc) {
  if (nvrtc == nullptr)
    return "-";
  return nvrtc->supports(target.name) ? "yes" : "no";
}

std::string tableOf(const Nvrtc* nvrtc) {
  std::string text = fmt::format("{:<8} {:<15} {:>15} {:>9}  {}\n",
                                 "target",
                                 "such as",
                                 "smem per CTA",
                                 "bulk copy",
                                 "NVRTC here");
  for (const Target& target : allTargets())
    text += fmt::format("{:<8} {:<15} {:>13} B {:>9}  {}\n",
                        target.name,
                        target.gpu,
                        target.smemPerCtaBytes,
                        target.hasBulkCopy ? "yes" : "no",
                        nvrtcWord(target, nvrtc));
  return text;
}

Status listTargets(Console& console) {
  const auto found = processNvrtc();
  const Nvrtc* const nvrtc = found ? *found : nullptr;
  if (!console.json) {
    console.print(tableOf(nvrtc));
    console.note(nvrtc != nullptr
                     ? fmt::format("{}: {}", nvrtcName(*nvrtc), nvrtc->path)
                     : "there is no NVRTC here; `mlac doctor` says where it was looked for");
    return Unit{};
  }
  Json list = Json::array();
  for (const Target& target : allTargets())
    list.push_back(toJson(target, nvrtc));
  console.printJson({{"targets", list}});
  return Unit{};
}

} // namespace

Action declareTargets(CLI::App& app, Console& console) {
  addJsonOption(app, console);
  return [&console] { return listTargets(console); };
}

} // namespace mlac
