// ComparePeers: the peers' rows for a report, by way of bench/compare.py.
#pragma once

#include "tools/bench/BenchRun.h"

namespace mlac {

/// Starts the script for the request's cases and adds its rows. Whatever keeps it from running (no
/// Python, no PyTorch, no libmlac) is a warning that names the remedy.
void comparePeers(const BenchSubject& subject,
                  const BenchRequest& request,
                  const BenchTalk& warn,
                  BenchReport& report);

} // namespace mlac
