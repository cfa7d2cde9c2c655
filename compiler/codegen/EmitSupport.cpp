// The kernels beside attention: combine, convert, schedule and merge.
#include "compiler/codegen/Emit.h"
#include "compiler/codegen/ParamLayout.h"
#include "compiler/codegen/ShapeText.h"
#include "compiler/codegen/SourceHead.h"
#include "compiler/codegen/SourceWriter.h"
#include "compiler/ir/ImportSpec.h"
#include "compiler/ir/MlaOps.h"

#include <fmt/format.h>

#include <algorithm>

namespace mlac {
namespace {

constexpr int kCombineThreads = 256;
constexpr int kConvertThreads = 256;
constexpr int kScheduleThreads = 512;
constexpr int kMergeWarps = 4;
constexpr int kMergeCtasPerSm = 4;     // without a bound ptxas takes 72 registers, and spills
constexpr int kMergeDims = 256;        // of a warp, eight a lane
constexpr int kPartSumBytes = 32;      // of a thread
constexpr int kTileDims = 16;          // of a fragment, 8 heads wide
constexpr int kRunningSumBytes = 8;    // of a warp
constexpr int kLengthClassBytes = 128; // of all of them

Kernel finish(
    SourceWriter& out, const Variant& variant, KernelRole role, const char* suffix, int threads) {
  const ParamLayout params = layoutParams(variant, role);
  Kernel kernel;
  kernel.role = role;
  kernel.entry = fmt::format("{}_{}", variant.name, suffix);
  kernel.source = out.take();
  kernel.params = params.fields;
  kernel.paramBytes = params.bytes;
  kernel.threads = threads;
  return kernel;
}

void openEntry(SourceWriter& out,
               const Variant& variant,
               const char* suffix,
               const std::string& launchBounds) {
  out.open(fmt::format(
      "extern \"C\" __global__ void __launch_bounds__({}) {}_{}(const __grid_constant__ Args args)",
      launchBounds,
      variant.name,
      suffix));
}

/// CTAs of the combine that must fit an SM, which bounds its registers. 80 let all loads be under
/// way; with max logits sm_120 needs a few more.
int combineCtasPerSm(const Variant& variant) {
  return variant.maxLogit ? 2 : 3;
}

/// A lane for each eight dims of a row, where a CTA has so many, so that all of a row's loads are
/// under way together; then as many rows as fit.
MergeWarps mergeWarps(const Variant& variant) {
  const int needed = (variant.valueDims() + kMergeDims - 1) / kMergeDims;
  const int rowWarps = needed >= 3 ? kMergeWarps : needed;
  return {.rows = std::min(kMergeWarps / rowWarps, variant.heads), .rowWarps = rowWarps};
}

} // namespace

Kernel emitCombine(const Variant& variant, const Provenance& provenance) {
  SourceWriter out;
  writeHead(
      out,
      fmt::format("{}: partial results of rows that were split among CTAs, joined by their LSE.",
                  variant.name),
      provenance,
      "",
      {"kernels/combine.cuh"});
  writeArgs(out, variant, KernelRole::Combine);
  out.line();
  writeCombineShape(out, variant, kCombineThreads, provenance.hasGridDependency);
  out.line();
  openEntry(
      out, variant, "combine", fmt::format("{}, {}", kCombineThreads, combineCtasPerSm(variant)));
  out.line("extern __shared__ __align__(128) u8 smem[];");
  out.line("combine<Shape>(args, smem);");
  out.close();

  Kernel kernel = finish(out, variant, KernelRole::Combine, "combine", kCombineThreads);
  kernel.startsEarly = provenance.hasGridDependency;
  kernel.dynamicSmemBytes = kCombineThreads * kPartSumBytes;
  kernel.ctasPerToken = variant.headTiles() * (variant.valueDims() / kTileDims);
  return kernel;
}

Result<Kernel> emitConvert(mla::AttentionOp attention, const Provenance& provenance) {
  const Variant variant = variantOf(attention);
  SourceWriter out;
  writeHead(out,
            fmt::format("{}: a token's logical indices to physical slots.", variant.name),
            provenance,
            "",
            {"kernels/convert.cuh"});
  writeArgs(out, variant, KernelRole::Convert);
  out.line();
  writeConvertShape(out, variant, kConvertThreads);
  out.line();
  MLAC_CHECK(writeRules(out, attention, false));
  openEntry(out, variant, "convert", fmt::format("{}", kConvertThreads));
  out.line("extern __shared__ __align__(128) u8 smem[];");
  out.line("convert<Shape, Rules>(args, reinterpret_cast<u32*>(smem));");
  out.close();

  Kernel kernel = finish(out, variant, KernelRole::Convert, "convert", kConvertThreads);
  kernel.dynamicSmemBytes = 16;
  return kernel;
}

Result<Kernel> emitSchedule(mla::AttentionOp attention, const Provenance& provenance) {
  const Variant variant = variantOf(attention);
  SourceWriter out;
  writeHead(
      out,
      fmt::format("{}: rows of different lengths cut into pieces, once a step.", variant.name),
      provenance,
      "",
      {"kernels/schedule.cuh"});
  writeArgs(out, variant, KernelRole::Schedule);
  out.line();
  writeScheduleShape(out, variant, kScheduleThreads);
  out.line();
  MLAC_CHECK(writeRules(out, attention, false));
  openEntry(out, variant, "schedule", fmt::format("{}", kScheduleThreads));
  out.line("extern __shared__ __align__(128) u8 smem[];");
  out.line("schedule<Shape, Rules>(args, smem);");
  out.close();
  Kernel kernel = finish(out, variant, KernelRole::Schedule, "schedule", kScheduleThreads);
  kernel.dynamicSmemBytes = kScheduleThreads / 32 * kRunningSumBytes + kLengthClassBytes;
  return kernel;
}

Kernel emitMerge(const Variant& variant, const Provenance& provenance) {
  const MergeWarps warps = mergeWarps(variant);
  SourceWriter out;
  writeHead(out,
            fmt::format("{}: results of the same rows over different keys, joined by their LSE.",
                        variant.name),
            provenance,
            "",
            {"kernels/merge.cuh"});
  writeArgs(out, variant, KernelRole::Merge);
  out.line();
  writeMergeShape(out, variant, warps);
  out.line();
  openEntry(out, variant, "merge", fmt::format("{}, {}", warps.threads(), kMergeCtasPerSm));
  out.line("merge<Shape>(args);");
  out.close();
  Kernel kernel = finish(out, variant, KernelRole::Merge, "merge", warps.threads());
  kernel.ctasPerToken = (variant.heads + warps.rows - 1) / warps.rows;
  return kernel;
}

} // namespace mlac
