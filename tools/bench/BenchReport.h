// BenchReport: what a benchmark found, as data for tables, records and plots.
#pragma once

#include "common/Result.h"
#include "tools/bench/GraphTimer.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mlac {

/// One contestant in one case. A time is there only where the outputs were found right.
struct BenchRow {
  std::string contestant;
  bool isOurs = false; ///< a wrong output of ours fails the run; a peer's is reported
  std::optional<Timing> timing;
  std::optional<double> predictedUs;
  int splits = 0;       ///< 0: not known
  std::string config;   ///< the kernel, or a peer's own words
  bool isWrong = false; ///< outputs differ from the reference
  std::string problem;  ///< why there is no time; empty where there is one
};

/// The gather that does nothing else.
struct BenchFloor {
  Timing timing;
  int ctasPerSm = 0;
  double gigabytesPerSecond = 0;
};

struct BenchCase {
  int batch = 0; ///< requests
  int tokens = 0;
  int inputSets = 0;
  std::int64_t keyBytes = 0; ///< cache rows of a launch, each counted once
  double flops = 0;          ///< of a launch: both products, for every key and head
  std::optional<BenchFloor> floor;
  std::vector<BenchRow> rows; ///< ours first
};

struct BenchReport {
  std::string device;
  std::string target;
  std::string attention;
  int heads = 0;
  int topk = 0; ///< 0 unless top-k
  int context = 0;
  int queries = 0; ///< query tokens a request
  std::uint64_t seed = 0;
  int iterations = 0;
  std::vector<BenchCase> cases;
  std::vector<std::string> notes; ///< contestants left out, each with the reason

  /// Every contestant that has a row, in the order of first appearance.
  std::vector<std::string> contestants() const;

  /// VerificationFailed where an output of ours was wrong; else the first error that kept one of
  /// ours from being timed.
  Status verdict() const;

  std::vector<Error> errors; ///< behind rows of ours without a time
};

/// The contestant's row in a case, or null.
const BenchRow* rowOf(const BenchCase& one, const std::string& contestant);

} // namespace mlac
