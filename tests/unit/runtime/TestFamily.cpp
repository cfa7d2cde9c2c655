#include "TestFamily.h"

#include "runtime/FileIo.h"

#include <system_error>
#include <utility>
#include <vector>

namespace mlac::test {
namespace {

using Fields = std::vector<std::pair<const char*, ParamType>>;

/// Lays fields out as C++ would.
void layOut(Kernel& kernel, const Fields& fields) {
  std::uint32_t at = 0;
  for (const auto& [name, type] : fields) {
    const std::uint32_t bytes = type == ParamType::I32 || type == ParamType::F32 ? 4 : 8;
    at = (at + bytes - 1) / bytes * bytes;
    kernel.params.push_back({name, type, at});
    at += bytes;
  }
  kernel.paramBytes = (at + 7) / 8 * 8;
}

constexpr std::uintptr_t kGiB = std::uintptr_t{1} << 30;

constexpr auto P = ParamType::Pointer;
constexpr auto I32 = ParamType::I32;
constexpr auto I64 = ParamType::I64;

const Fields kAttention = {{"tokens", I32},
                           {"qLatent", P},
                           {"qLatentTokenStride", I64},
                           {"qLatentHeadStride", I64},
                           {"qRope", P},
                           {"qRopeTokenStride", I64},
                           {"qRopeHeadStride", I64},
                           {"cache", P},
                           {"pageStrideBytes", I64},
                           {"tokenStrideBytes", I64},
                           {"slots", I64},
                           {"requests", I32},
                           {"splits", I32},
                           {"blockTable", P},
                           {"blockTableStride", I64},
                           {"maxPages", I32},
                           {"queryStart", P},
                           {"tokenRequest", P},
                           {"seqLens", P},
                           {"keyEnd", P},
                           {"indices", P},
                           {"indicesStride", I64},
                           {"topkLength", P},
                           {"scale", ParamType::F32},
                           {"scaleDevice", P},
                           {"out", P},
                           {"outTokenStride", I64},
                           {"outHeadStride", I64},
                           {"lse", P},
                           {"lseTokenStride", I64},
                           {"lseHeadStride", I64},
                           {"partialOut", P},
                           {"partialLse", P},
                           {"partialMax", P},
                           {"schedule", P}};

const Fields kCombine = {{"partialOut", P},
                         {"partialLse", P},
                         {"out", P},
                         {"outTokenStride", I64},
                         {"outHeadStride", I64},
                         {"tokens", I32},
                         {"splits", I32},
                         {"schedule", P}};

const Fields kConvert = {{"indices", P},
                         {"indicesStride", I64},
                         {"slots", I64},
                         {"slotsPerBlock", I64},
                         {"slotsOut", P},
                         {"slotsOutStride", I64},
                         {"validCounts", P},
                         {"tokens", I32}};

const Fields kSchedule = {{"queryStart", P},
                          {"tokenRequest", P},
                          {"seqLens", P},
                          {"keyEnd", P},
                          {"topkLength", P},
                          {"requests", I32},
                          {"schedule", P},
                          {"parts", I32},
                          {"pieceTiles", I32},
                          {"tokens", I32}};

const Fields kMerge = {{"partOut", P},
                       {"partOutPartStride", I64},
                       {"partOutTokenStride", I64},
                       {"partOutHeadStride", I64},
                       {"partLse", P},
                       {"partLsePartStride", I64},
                       {"partLseTokenStride", I64},
                       {"partLseHeadStride", I64},
                       {"sinks", P},
                       {"out", P},
                       {"outTokenStride", I64},
                       {"outHeadStride", I64},
                       {"lse", P},
                       {"lseTokenStride", I64},
                       {"lseHeadStride", I64},
                       {"tokens", I32},
                       {"parts", I32},
                       {"f32Parts", I32}};

Kernel kernelOf(KernelRole role, const std::string& entry, const Fields& fields) {
  Kernel kernel;
  kernel.role = role;
  kernel.entry = entry;
  kernel.source = "// source of " + entry + "\n";
  kernel.schedule = "by hand";
  kernel.threads = 128;
  kernel.dynamicSmemBytes = role == KernelRole::Attention ? 90000 : 0;
  kernel.keysPerTile = role == KernelRole::Attention ? 16 : 0;
  layOut(kernel, fields);
  return kernel;
}

} // namespace

Variant logicalVariant() {
  Variant variant;
  variant.name = "glm5_decode";
  variant.heads = 8;
  variant.latent = 512;
  variant.rope = 64;
  variant.page = 64;
  variant.iterate = IterateKind::TopkLogical;
  variant.topk = 2048;
  variant.minQueries = 1;
  variant.maxQueries = 4;
  variant.causal = true;
  variant.scale = 0.0625F;
  variant.lse = LseMode::Natural;
  return variant;
}

Variant denseVariant() {
  Variant variant = logicalVariant();
  variant.iterate = IterateKind::Dense;
  variant.topk = 0;
  return variant;
}

KernelFamily familyOf(const Variant& variant) {
  KernelFamily family;
  family.variant = variant;
  family.target = "sm_90";
  family.specText = "attention " + variant.name + " {}\n";
  family.templateDigest = "0123";
  family.compilerBuild = "test";
  family.bytesPerNsPerSm = 30;
  family.kernels = {kernelOf(KernelRole::Attention, variant.name + "_few", kAttention),
                    kernelOf(KernelRole::Attention, variant.name + "_many", kAttention),
                    kernelOf(KernelRole::Combine, variant.name + "_combine", kCombine),
                    kernelOf(KernelRole::Convert, variant.name + "_convert", kConvert)};
  family.kernels[0].ctasPerToken = 2;
  family.kernels[2].ctasPerToken = (variant.heads + 7) / 8 * (variant.valueDims() / 16);
  family.table = {{.kernel = 0,
                   .ctasPerSm = 2,
                   .fixedNs = 2000,
                   .tileNs = 150,
                   .tileBytes = 18432,
                   .combineFixedNs = 2500,
                   .combineSplitNs = 1,
                   .maxSplits = 64},
                  {.kernel = 1,
                   .ctasPerSm = 1,
                   .fixedNs = 3000,
                   .tileNs = 40,
                   .tileBytes = 18432,
                   .combineFixedNs = 2500,
                   .combineSplitNs = 1,
                   .maxSplits = 8}};
  return family;
}

KernelFamily balancedFamilyOf(const Variant& variant) {
  KernelFamily family = familyOf(variant);
  family.kernels.push_back(kernelOf(KernelRole::Schedule, variant.name + "_schedule", kSchedule));
  return family;
}

KernelFamily mergingFamilyOf(const Variant& variant) {
  KernelFamily family = balancedFamilyOf(variant);
  family.kernels.push_back(kernelOf(KernelRole::Merge, variant.name + "_merge", kMerge));
  family.kernels.back().ctasPerToken = (variant.heads + 1) / 2;
  return family;
}

CubinSource namedCubins() {
  return [](const KernelFamily&,
            const Kernel& kernel,
            std::string_view target) -> Result<SourcedCubin> {
    SourcedCubin cubin;
    cubin.output.cubin = kernel.entry;
    cubin.target = target;
    cubin.origin = "compiled";
    return cubin;
  };
}

ScheduleArgs goodSchedule(const Variant& variant) {
  ScheduleArgs args;
  if (variant.isTopk())
    args.topkLength = at<std::int32_t>(14 * kGiB);
  else
    args.seqLens = at<std::int32_t>(3 * kGiB);
  args.schedule = {at<void>(13 * kGiB), 1 << 20};
  return args;
}

MergeArgs goodMerge(const Variant& variant) {
  MergeArgs args;
  args.tokens = 8;
  args.parts = 4;
  args.partOut.data = at<void>(1 * kGiB);
  args.partLse.data = at<void>(2 * kGiB);
  args.out.data = at<void>(5 * kGiB);
  args.lse.data = at<void>(6 * kGiB);
  if (variant.maxLogit) {
    args.partMaxLogit.data = at<void>(3 * kGiB);
    args.maxLogit.data = at<void>(7 * kGiB);
  }
  return args;
}

LaunchArgs goodArgs(const Variant& variant) {
  LaunchArgs args;
  args.q.data = at<void>(1 * kGiB);
  args.cache = {.base = at<void>(16 * kGiB), .slots = 1 << 20};
  if (variant.isLogical()) {
    args.blockTable = {.data = at<std::int32_t>(2 * kGiB), .columns = 4096};
    args.seqLens = at<std::int32_t>(3 * kGiB);
  }
  if (variant.isTopk())
    args.indices.data = at<std::int32_t>(4 * kGiB);
  if (!variant.scale)
    args.scale = 0.1F;
  args.out.data = at<void>(5 * kGiB);
  if (variant.lse != LseMode::None)
    args.lse.data = at<void>(6 * kGiB);
  if (variant.maxLogit)
    args.maxLogit.data = at<void>(7 * kGiB);
  args.workspace = {at<void>(8 * kGiB), 4 * kGiB};
  return args;
}

TemporaryFolder::TemporaryFolder()
    : path(temporaryPathFor((std::filesystem::temp_directory_path() / "mlac-test").string())) {
  std::filesystem::create_directories(path);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path, ignored);
}

std::uint32_t offsetOf(const Kernel& kernel, const std::string& name) {
  for (const ParamField& field : kernel.params)
    if (field.name == name)
      return field.offset;
  ADD_FAILURE() << kernel.entry << " has no parameter " << name;
  return 0;
}

} // namespace mlac::test
