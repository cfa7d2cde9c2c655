// An explanation as text for people.
#include "compiler/spec/PrintVariant.h"
#include "runtime/CheckFamily.h"
#include "tools/mlac/Explanation.h"
#include "tools/mlac/RecordPicture.h"

#include <fmt/format.h>

namespace mlac {
namespace {

constexpr double kNsPerUs = 1000.0;

std::string plural(std::int64_t count, const char* noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string warpsInWords(const Schedule& schedule) {
  std::string words = plural(schedule.warps(), "warp");
  words +=
      fmt::format(": {} of {} heads", plural(schedule.headGroups, "group"), schedule.groupHeads());
  if (schedule.dimSplits > 1)
    words += fmt::format(", dims divided among {}", plural(schedule.dimSplits, "warp"));
  if (schedule.keySlices > 1)
    words += fmt::format(
        ", tiles dealt to {} and merged in {}",
        plural(schedule.keySlices, "slice"),
        schedule.mergePasses == 1 ? "1 pass" : fmt::format("{} passes", schedule.mergePasses));
  return words;
}

/// The hint for the L2 cache goes with bulk copies only.
std::string gatherInWords(const Schedule& schedule) {
  if (schedule.gather == Gather::CpAsync)
    return "16-byte asynchronous copies";
  return fmt::format("one bulk copy a row; rows {} the L2 cache",
                     schedule.rowReuse == RowReuse::L2 ? "stay in" : "are the first to leave");
}

std::string scheduleInWords(const Schedule& schedule) {
  const char* const home =
      schedule.queryHome == QueryHome::Registers ? "registers" : "shared memory";
  return fmt::format("    {}\n"
                     "    each warp multiplies {} heads; queries live in {}; {} an SM\n"
                     "    ring of {} of {} keys, filled by {}\n",
                     warpsInWords(schedule),
                     schedule.groupHeads(),
                     home,
                     plural(schedule.ctasPerSm, "CTA"),
                     plural(schedule.stages, "stage"),
                     schedule.keysPerStage,
                     gatherInWords(schedule));
}

std::string resourcesInWords(const ExplainedKernel& explained, const Target& target) {
  if (!explained.resources) {
    if (explained.estimatedRegisters == 0)
      return {};
    return fmt::format("    about {} registers a thread (estimated), {} allowed\n",
                       explained.estimatedRegisters,
                       explained.allowedRegisters);
  }
  const Resources& resources = *explained.resources;
  std::string text = fmt::format("    {} registers a thread", resources.registers);
  if (explained.allowedRegisters > 0)
    text += fmt::format(" ({} allowed)", explained.allowedRegisters);
  return text + fmt::format(", {} B spilled, {} B stack; an SM holds {}\n",
                            resources.spillStoreBytes + resources.spillLoadBytes,
                            resources.stackBytes,
                            plural(residentCtas(explained, target).value_or(0), "CTA"));
}

std::string smemInWords(const ExplainedKernel& explained, const Target& target) {
  const int staticBytes = explained.resources ? explained.resources->staticSmemBytes : 0;
  std::string text = fmt::format("    {} of {} B shared memory\n",
                                 explained.kernel.dynamicSmemBytes + staticBytes,
                                 target.smemPerCtaBytes);
  for (const SmemSection& section : explained.smem)
    text +=
        fmt::format("      {:>7} {:>8} B  {}\n", section.offsetBytes, section.bytes, section.name);
  return text;
}

std::string kernelText(const ExplainedKernel& explained, const Target& target) {
  const Kernel& kernel = explained.kernel;
  const std::string unit =
      kernel.queryGroup > 1 ? fmt::format("group of up to {} tokens", kernel.queryGroup) : "token";
  std::string text = fmt::format("  {} ({}): {} a {}{}, {} threads each\n",
                                 kernel.entry,
                                 roleName(kernel.role),
                                 plural(kernel.ctasPerToken, "CTA"),
                                 unit,
                                 kernel.role == KernelRole::Attention ? " and split" : "",
                                 kernel.threads);
  if (explained.schedule)
    text += scheduleInWords(*explained.schedule);
  return text + resourcesInWords(explained, target) + smemInWords(explained, target);
}

std::string measuredText(const Explanation& e) {
  std::string text;
  for (const ExplainedKernel& explained : e.kernels)
    if (explained.measured)
      text += fmt::format("{} under SIMT, {}",
                          explained.kernel.entry,
                          measurementText(*explained.measured, e.context));
  return text.empty() ? text : text + "\n";
}

std::string costText(const Explanation& e) {
  return fmt::format("a token over {} keys: {} B read from the cache, {} B otherwise moved, "
                     "{:.1f} MFLOP ({:.1f} with heads padded to eights), {:.1f} FLOP/B\n",
                     e.cost.keys,
                     e.cost.cacheBytes,
                     e.cost.bytes() - e.cost.cacheBytes,
                     static_cast<double>(e.cost.flops) / 1e6,
                     static_cast<double>(e.cost.paddedFlops) / 1e6,
                     static_cast<double>(e.cost.flops) / static_cast<double>(e.cost.bytes()));
}

std::string pointsText(const Explanation& e) {
  std::string text =
      fmt::format("predicted on {} ({} SMs), {} keys a request:\n  {:>6} {:>10}  {:<10} "
                  "{:>6} {:>7} {:>15}  {}\n",
                  e.target->gpu,
                  e.target->nominalSms,
                  e.context,
                  "tokens",
                  "time",
                  "bound",
                  "splits",
                  "CTAs",
                  "workspace",
                  "kernel");
  for (const PredictedPoint& point : e.points)
    text += fmt::format("  {:>6} {:>7.1f} us  {:<10} {:>6} {:>7} {:>13} B  {}\n",
                        point.tokens,
                        point.ns / kNsPerUs,
                        boundName(point.bound),
                        point.splits,
                        point.gridCtas,
                        point.workspaceBytes,
                        point.kernel);
  return text;
}

} // namespace

std::string explanationText(const Explanation& e) {
  std::string text = printVariant(e.variant) + "\n";
  if (!e.defaults.empty()) {
    text += "defaults taken:";
    for (const TakenDefault& taken : e.defaults)
      text += fmt::format("{} `{}`", &taken == &e.defaults.front() ? "" : ",", taken.setting);
    text += "\n";
  }
  text += "\n" + recordText(e.variant);
  if (!e.whyNoKernels.empty())
    return text + "\nno kernels: " + e.whyNoKernels + "\n\n" + costText(e);
  text += fmt::format("\nkernels for {} ({}){}:\n",
                      e.target->name,
                      e.target->gpu,
                      e.compiledBy.empty() ? "" : ", compiled by " + e.compiledBy);
  for (const ExplainedKernel& explained : e.kernels)
    text += kernelText(explained, *e.target);
  if (!e.whyNotCompiled.empty())
    text += "registers and spills are not known: " + e.whyNotCompiled + "\n";
  text += "\n" + costText(e) + "\n" + sassText(e) + measuredText(e) + pointsText(e) + "\n" +
          roofText(e.roofs, e.context) + (e.roofs.empty() ? "" : "\n") +
          "alignments a launch checks:\n";
  for (const std::string& rule : alignmentRules(e.variant))
    text += fmt::format("  {}\n", rule);
  return text;
}

} // namespace mlac
