// Plot: a benchmark's report as a picture.
#pragma once

#include <string>

namespace mlac {

struct BenchReport;

/// An SVG of two panels: time against batch, one line a contestant and the floor dashed; and a
/// roofline, FLOP a byte against TFLOP/s, one dot a contestant and case, below the roof that the
/// fastest measured gather sets. Both axes of both are logarithmic. The same report gives the same
/// text.
std::string plotOf(const BenchReport& report);

} // namespace mlac
