#include "runtime/cuda/Driver.h"
#include "simt/Simt.h"
#include "simt/driver/SimulatedDevice.h"

#include <utility>

namespace mlac::simt {

struct Machine::Impl {
  SimulatedDevice device;
  Driver driver;
};

Machine::Machine(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}

Result<std::unique_ptr<Machine>> Machine::install(const Options& options) {
  MLAC_TRY(target, findTarget(options.target));
  auto impl = std::make_unique<Impl>();
  impl->device.options = options;
  impl->device.target = target;
  impl->driver.api = driverFor(impl->device);
  impl->driver.path = "the SIMT executor";
  replaceProcessDriver(&impl->driver);
  return std::unique_ptr<Machine>(new Machine(std::move(impl)));
}

Machine::~Machine() {
  replaceProcessDriver(nullptr);
}

void Machine::setSeed(std::uint64_t seed) {
  impl->device.options.seed = seed;
}

std::vector<LaunchRecord> Machine::takeLaunches() {
  return std::exchange(impl->device.launches, {});
}

std::vector<Finding> Machine::takeFindings() {
  return std::exchange(impl->device.findings, {});
}

} // namespace mlac::simt
