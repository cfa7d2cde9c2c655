// SampleReport: a benchmark's report with round numbers.
#pragma once

#include "tools/bench/BenchReport.h"

namespace mlac::test {

/// One cell: `us` for every sample.
BenchRow timedRow(const std::string& contestant, double us);

/// Batches 1 and 10; a floor of 2 and 20 us at 1000 GB/s; mlac at 4 and 25 us, predicted 5 and 30;
/// "peer" at 8 us for batch 1 and without a time for batch 10. 10 FLOP a byte.
BenchReport sampleReport();

} // namespace mlac::test
