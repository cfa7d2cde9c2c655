// Roofs as tables for people.
#include "tools/mlac/Roof.h"

#include <fmt/format.h>

namespace mlac {
namespace {

constexpr double kNsPerUs = 1000.0;

std::string headOf(const Gpu& gpu) {
  return fmt::format("  {} ({}, {} SMs, {} of {} B/ns attained, {} TFLOP/s): {}\n",
                     gpu.name,
                     gpu.target,
                     gpu.sms,
                     gpu.attainedBytesPerNs,
                     gpu.peakBytesPerNs,
                     gpu.tensorTflops,
                     trustIn(gpu));
}

std::string lineOf(const RoofPoint& point) {
  return fmt::format("  {:>6} {:>8.2f} us {:>8.2f} us {:>8.2f} us {:>6.2f}x {:>6} {:>7}  {}\n",
                     point.batch,
                     point.memoryNs / kNsPerUs,
                     point.tensorNs / kNsPerUs,
                     point.predictedNs / kNsPerUs,
                     point.overRoof(),
                     point.splits,
                     point.gridCtas,
                     point.kernel);
}

} // namespace

std::string roofText(std::span<const GpuRoof> roofs, std::int64_t context) {
  if (roofs.empty())
    return {};
  std::string text =
      fmt::format("predicted time against the roof, {} keys a request (memory: bytes "
                  "that must move; tensor: bf16 products at the peak rate; the roof "
                  "is the larger):\n",
                  context);
  for (const GpuRoof& roof : roofs) {
    text += headOf(*roof.gpu);
    text += fmt::format("  {:>6} {:>11} {:>11} {:>11} {:>7} {:>6} {:>7}  {}\n",
                        "batch",
                        "memory",
                        "tensor",
                        "predicted",
                        "/ roof",
                        "splits",
                        "CTAs",
                        "kernel");
    for (const RoofPoint& point : roof.points)
      text += lineOf(point);
  }
  return text;
}

} // namespace mlac
