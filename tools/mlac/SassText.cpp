// Instruction mixes as a table for people.
#include "tools/mlac/Explanation.h"

#include <fmt/format.h>

#include <algorithm>

namespace mlac {
namespace {

using Count = int (*)(const sass::InstructionMix& mix, sass::Kind kind);

/// "2106 (462)": of the whole kernel, and of its loop over keys.
std::string cellOf(const sass::KernelMix& mix, Count count, sass::Kind kind) {
  const int whole = count(mix.whole, kind);
  return mix.keyLoop ? fmt::format("{} ({})", whole, count(*mix.keyLoop, kind))
                     : fmt::format("{}", whole);
}

std::string lineOf(const Explanation& e, std::string_view name, Count count, sass::Kind kind = {}) {
  std::string text = fmt::format("  {:<20}", name);
  for (const ExplainedKernel& explained : e.kernels)
    text += fmt::format(" {:>{}}",
                        cellOf(*explained.sass, count, kind),
                        std::max<std::size_t>(12, explained.kernel.entry.size()));
  return text + "\n";
}

bool occurs(const Explanation& e, sass::Kind kind) {
  return std::any_of(e.kernels.begin(), e.kernels.end(), [&](const ExplainedKernel& explained) {
    return explained.sass->whole.of(kind) > 0;
  });
}

} // namespace

std::string sassText(const Explanation& e) {
  if (e.disassembledBy.empty())
    return {};
  std::string text =
      fmt::format("instructions by {} (in the loop over keys):\n  {:<20}", e.disassembledBy, "");
  for (const ExplainedKernel& explained : e.kernels)
    text += fmt::format(" {:>12}", explained.kernel.entry);
  text += "\n";
  for (const sass::Kind kind : sass::allKinds())
    if (kind == sass::Kind::Mma || kind == sass::Kind::Local || occurs(e, kind))
      text += lineOf(
          e,
          sass::kindOpcodes(kind),
          [](const auto& mix, sass::Kind k) { return mix.of(k); },
          kind);
  return text + lineOf(e, "total", [](const auto& mix, sass::Kind) { return mix.total(); }) + "\n";
}

} // namespace mlac
