// Gpus: single GPUs by name, with the rates that their roofs are made of.
#pragma once

#include "common/Result.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mlac {

/// One GPU. A `Target` holds what its architecture allows; this holds how much of it there is.
struct Gpu {
  std::string_view name;                   ///< "RTX 5090"
  std::array<std::string_view, 2> aliases; ///< "5090": lower case, no spaces; empty ones are none
  std::string_view target;                 ///< a name that findTarget knows
  int sms = 0;
  double boostClockGhz = 0;
  double peakBytesPerNs = 0;     ///< device memory, by the data sheet
  double attainedBytesPerNs = 0; ///< device memory, as a copy or a reader attains it
  std::int64_t l2Bytes = 0;
  double tensorTflops = 0;  ///< dense bf16 with f32 accumulation, peak
  bool wasMeasured = false; ///< the cost model was fitted to launches on it
};

/// Every GPU that a roof is known for.
std::span<const Gpu> allGpus();

/// The GPU of that name or alias, whatever the case and with or without spaces and hyphens; an
/// error that lists the known ones otherwise. The result points into the table.
Result<const Gpu*> findGpu(std::string_view name);

/// The GPUs of those names, each once, in the order given; `all` stands for the whole table.
Result<std::vector<const Gpu*>> findGpus(std::span<const std::string> names);

} // namespace mlac
