// Run: one launch of a probe through the CUDA driver, be it a GPU's or the SIMT executor's.
#pragma once

#include "common/Result.h"
#include "mlac/mlac.hpp"
#include "tests/simt/wrappers/Probes.h"

#include <string>

namespace mlac::probes {

/// Loads `image` (a cubin, or what compileForHost made), launches the probe on `input` and returns
/// the words it wrote. The device's context must be current. DriverFailed carries the driver's
/// reason.
Result<Words>
runProbe(const Device& device, const Probe& probe, const std::string& image, const Words& input);

} // namespace mlac::probes
