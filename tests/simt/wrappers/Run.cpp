#include "tests/simt/wrappers/Run.h"

#include "runtime/cuda/CudaStatus.h"
#include "runtime/cuda/Device.h"
#include "runtime/cuda/Module.h"
#include "tools/gpu/DeviceBuffer.h"

#include <array>
#include <span>

namespace mlac::probes {
namespace {

/// The one parameter of every probe.
struct Args {
  const std::byte* in;
  std::byte* out;
};

} // namespace

Result<Words>
runProbe(const Device& device, const Probe& probe, const std::string& image, const Words& input) {
  const DriverApi& api = *device.get().api;
  MLAC_TRY(module, Module::load(device.get(), image));
  MLAC_TRY(function, module.function(probe.entry));
  MLAC_TRY(in, DeviceBuffer::holding(device, std::as_bytes(std::span(input))));
  MLAC_TRY(out, DeviceBuffer::allocate(device, probe.outWords * sizeof(std::uint32_t)));
  MLAC_CHECK(out.fill(std::byte{0}));
  Args args{in.at(), out.at()};
  std::array<void*, 1> params = {&args};
  CUlaunchConfig config;
  config.gridX = static_cast<unsigned>(probe.ctas);
  config.blockX = static_cast<unsigned>(probe.threads);
  config.dynamicSmemBytes = static_cast<unsigned>(probe.smemBytes);
  MLAC_CUDA(api, cuLaunchKernelEx, &config, function, params.data(), nullptr);
  MLAC_CUDA(api, cuCtxSynchronize);
  Words words(probe.outWords);
  MLAC_CHECK(out.download(std::as_writable_bytes(std::span(words))));
  return words;
}

} // namespace mlac::probes
