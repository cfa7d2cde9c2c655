#include "tools/mlac/Roof.h"

#include "runtime/plan/Planner.h"

#include <algorithm>
#include <array>

namespace mlac {
namespace {

constexpr std::array<std::int64_t, 5> kBatches = {1, 4, 16, 64, 128};
constexpr double kFlopPerNsOfTflops = 1000;

/// The family's cost table with the GPU's rates. The compiler's table knows a target's clock but
/// not how many products an SM of this GPU makes in one, so no tile may take less than those of its
/// keys and heads.
void giveRates(KernelFamily& family, const Gpu& gpu) {
  family.bytesPerNsPerSm = gpu.attainedBytesPerNs / gpu.sms;
  const Variant& variant = family.variant;
  const double flopPerNsPerSm = gpu.tensorTflops * kFlopPerNsOfTflops / gpu.sms;
  for (PlanRow& row : family.table) {
    const Kernel& kernel = family.kernels[static_cast<std::size_t>(row.kernel)];
    const double tileFlop = 2.0 * variant.heads * kernel.queryGroup *
                            (variant.qkDims() + variant.valueDims()) * kernel.keysPerTile /
                            kernel.ctasPerToken;
    row.tileNs = std::max(row.tileNs, tileFlop * row.ctasPerSm / flopPerNsPerSm);
  }
}

Result<RoofPoint> pointOf(const KernelFamily& family,
                          const Gpu& gpu,
                          const TokenCost& cost,
                          std::int64_t context,
                          std::int64_t batch) {
  MLAC_TRY(plan,
           planLaunch(family, gpu.sms, {.tokens = batch, .requests = batch, .maxSeqLen = context}));
  const auto tokens = static_cast<double>(batch);
  return RoofPoint{.batch = batch,
                   .memoryNs = tokens * static_cast<double>(cost.bytes()) / gpu.attainedBytesPerNs,
                   .tensorNs = tokens * static_cast<double>(cost.flops) /
                               (gpu.tensorTflops * kFlopPerNsOfTflops),
                   .predictedNs = plan.predictedNs,
                   .kernel = family.kernels[static_cast<std::size_t>(plan.kernel)].entry,
                   .splits = plan.splits,
                   .gridCtas = plan.gridCtas};
}

Result<GpuRoof>
roofOf(const CompileRequest& request, const TokenCost& cost, std::int64_t context, const Gpu& gpu) {
  CompileRequest own = request;
  MLAC_TRY(target, findTarget(gpu.target));
  own.target = target;
  MLAC_TRY(compiled, compileFamily(own));
  giveRates(compiled.family, gpu);
  GpuRoof roof{.gpu = &gpu, .points = {}};
  for (const std::int64_t batch : kBatches) {
    MLAC_TRY(point, pointOf(compiled.family, gpu, cost, context, batch));
    roof.points.push_back(point);
  }
  return roof;
}

} // namespace

Result<std::vector<GpuRoof>> roofsOf(const CompileRequest& request,
                                     const TokenCost& cost,
                                     std::int64_t context,
                                     std::span<const Gpu* const> gpus) {
  std::vector<GpuRoof> roofs;
  for (const Gpu* gpu : gpus) {
    MLAC_TRY(roof, roofOf(request, cost, context, *gpu));
    roofs.push_back(std::move(roof));
  }
  return roofs;
}

const char* trustIn(const Gpu& gpu) {
  return gpu.wasMeasured ? "model fitted to launches on this GPU"
                         : "model fitted on an H200; not measured here";
}

} // namespace mlac
