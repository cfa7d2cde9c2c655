#include "simt/report/Finding.h"

#include <fmt/format.h>

namespace mlac::simt {

const char* kindName(FindingKind kind) {
  switch (kind) {
  case FindingKind::OutOfBounds:
    return "out of bounds";
  case FindingKind::ReadOnlyWrite:
    return "write to constant";
  case FindingKind::Uninitialised:
    return "uninitialised read";
  case FindingKind::DataRace:
    return "data race";
  case FindingKind::AsyncRead:
    return "read before copy landed";
  case FindingKind::AsyncOverwrite:
    return "copy over live data";
  case FindingKind::MissingProxyFence:
    return "missing proxy fence";
  case FindingKind::DivergentWarp:
    return "divergent warp";
  case FindingKind::Misaligned:
    return "misaligned";
  case FindingKind::BarrierMisuse:
    return "barrier misuse";
  case FindingKind::PhaseOverrun:
    return "phase overrun";
  case FindingKind::PhaseLost:
    return "phase lost";
  case FindingKind::PhaseAliased:
    return "phase aliased";
  case FindingKind::UnbalancedBytes:
    return "unbalanced bytes";
  case FindingKind::Deadlock:
    return "deadlock";
  case FindingKind::StepLimit:
    return "endless";
  case FindingKind::WrongTarget:
    return "not on this target";
  case FindingKind::BadLaunch:
    return "bad launch";
  }
  return "unknown";
}

std::string describe(const Finding& finding) {
  std::string text =
      fmt::format("{}: {}: {}\n", finding.kernel, kindName(finding.kind), finding.summary);
  for (const Place& place : finding.places) {
    text += fmt::format("  {} {}\n", place.who, place.what);
    for (const std::string& line : place.lines)
      text += fmt::format("    {}\n", line);
  }
  text += finding.seed == 0 ? std::string("  in the fixed order\n")
                            : fmt::format("  in the random order of seed {}\n", finding.seed);
  return text;
}

} // namespace mlac::simt
