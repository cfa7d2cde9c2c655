// PeerRows: what bench/compare.py printed, and its place in a report.
#pragma once

#include "common/Result.h"
#include "tools/bench/BenchReport.h"

#include <string_view>
#include <vector>

namespace mlac {

struct PeerRow {
  int batch = 0;
  BenchRow row;
};

struct PeerOutcome {
  std::vector<PeerRow> rows;
  std::vector<std::string> notes; ///< contestants left out, each with the reason
  bool finished = false;          ///< false where the script ended before its last line
};

/// Reads JSON lines: events "row", "skipped" and "done"; others are for other readers. CorruptData
/// names a line that is none.
Result<PeerOutcome> readPeerLines(std::string_view text);

/// Adds each row to the case of its batch, and the notes to the report's. Wrong outputs of ours
/// become an error of the report.
void mergePeers(const PeerOutcome& outcome, BenchReport& report);

} // namespace mlac
