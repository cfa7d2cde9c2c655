#include "runtime/launch/Arguments.h"
#include "runtime/plan/Planner.h"

#include <cmath>

namespace mlac {
namespace {

constexpr std::int64_t kCacheAlignBytes =
    16; // a record is copied in 16-byte pieces, or by one bulk copy
constexpr std::int64_t kQueryAlignBytes = 4; // query elements are read in pairs
constexpr std::int64_t kWorkspaceAlignBytes = 256;

class Checker {
public:
  Checker(const Variant& variant, const Plan& plan, const LaunchArgs& args)
      : variant(variant), plan(plan), args(args),
        tokens(args.tokens == -1 ? plan.shape.tokens : args.tokens),
        requests(args.requests == -1 ? plan.shape.requests : args.requests) {}

  Result<CheckedLaunch> check() {
    MLAC_CHECK(checkCounts());
    MLAC_CHECK(checkQuery());
    MLAC_CHECK(checkCache());
    MLAC_CHECK(checkPositions());
    MLAC_CHECK(checkScale());
    MLAC_CHECK(collectRules(variant, tokens, args.params, args.sinks, collected));
    MLAC_CHECK(checkOutputs());
    MLAC_CHECK(checkWorkspace());
    MLAC_CHECK(checkSchedule());
    MLAC_CHECK(checkApart(collected.outputs, collected.inputs));
    const RequestTable table = args.tokenRequest != nullptr ? RequestTable::TokenRequest
                               : args.queryStart != nullptr ? RequestTable::QueryStart
                                                            : RequestTable::Uniform;
    return CheckedLaunch{collected.values, {tokens, requests, table}};
  }

private:
  Status checkCounts();
  Status checkQuery();
  Status checkQueryPart(std::string_view name,
                        const TensorParams& params,
                        const ConstTensor& tensor,
                        int dims);
  Status checkCombinedQuery();
  Status checkCache();
  Status checkPositions();
  Status checkAbsent(std::string_view name, const void* data, std::string_view why);
  Status checkScale();
  Status checkOutputs();
  Status checkOutput(std::string_view name,
                     const TensorParams& params,
                     const Tensor& tensor,
                     int dims,
                     ElementType type,
                     std::int64_t alignElements);
  Status checkWorkspace();
  Status checkSchedule();

  const Variant& variant;
  const Plan& plan;
  const LaunchArgs& args;
  std::int64_t tokens;
  std::int64_t requests;
  CollectedArgs collected;
};

Status Checker::checkCounts() {
  MLAC_CHECK(checkCount("tokens", tokens));
  MLAC_CHECK(checkCount("requests", requests));
  if (tokens > plan.shape.tokens)
    return argumentError(
        "tokens", "is {}, but the plan was made for {}; plan again", tokens, plan.shape.tokens);
  collected.values.set(Param::tokens, tokens);
  collected.values.set(Param::requests, requests);
  collected.values.set(Param::splits, std::int64_t{plan.splits});
  // As Divisor in templates/mlac/tile/work.cuh wants it.
  collected.values.set(Param::splitsReciprocal,
                       static_cast<std::int64_t>(0xffffffffU / static_cast<unsigned>(plan.splits)));
  return Unit{};
}

constexpr TensorParams kQLatent = {
    Param::qLatent, Param::qLatentTokenStride, Param::qLatentHeadStride};
constexpr TensorParams kQRope = {Param::qRope, Param::qRopeTokenStride, Param::qRopeHeadStride};

Status Checker::checkQuery() {
  if (args.q.data != nullptr) {
    if (args.qLatent.data != nullptr || args.qRope.data != nullptr)
      return argumentError("q", "was given along with qLatent or qRope; give either it or those");
    return checkCombinedQuery();
  }
  if (args.qLatent.data == nullptr)
    return argumentError("q", "is null, and so is qLatent; give one of them");
  MLAC_CHECK(checkQueryPart("qLatent", kQLatent, args.qLatent, variant.latent));
  if (variant.rope > 0)
    return checkQueryPart("qRope", kQRope, args.qRope, variant.rope);
  return checkAbsent("qRope", args.qRope.data, "has rope 0");
}

Status Checker::checkCombinedQuery() {
  MLAC_CHECK(checkQueryPart("q", kQLatent, args.q, variant.qkDims()));
  const auto* rope = static_cast<const std::byte*>(args.q.data) +
                     std::int64_t{variant.latent} * elementBytes(variant.query);
  ParamValues& values = collected.values;
  values.set(Param::qRope, variant.rope > 0 ? rope : nullptr);
  values.set(Param::qRopeTokenStride,
             static_cast<std::int64_t>(values.get(Param::qLatentTokenStride)));
  values.set(Param::qRopeHeadStride,
             static_cast<std::int64_t>(values.get(Param::qLatentHeadStride)));
  return Unit{};
}

Status Checker::checkQueryPart(std::string_view name,
                               const TensorParams& params,
                               const ConstTensor& tensor,
                               int dims) {
  MLAC_CHECK(checkPointer(name, tensor.data, kQueryAlignBytes));
  const std::int64_t bytes = elementBytes(variant.query);
  TensorShape shape{tokens, variant.heads, dims, bytes, tensor.tokenStride, tensor.headStride};
  MLAC_CHECK(resolveStrides(name, shape));
  const bool tokenMisaligned = tokens > 1 && shape.tokenStride * bytes % kQueryAlignBytes != 0;
  const bool headMisaligned = variant.heads > 1 && shape.headStride * bytes % kQueryAlignBytes != 0;
  if (tokenMisaligned || headMisaligned)
    return argumentError(
        name,
        "has token stride {} and head stride {}; rows must begin at multiples of {} "
        "bytes, so strides must be even",
        shape.tokenStride,
        shape.headStride,
        kQueryAlignBytes);
  MLAC_TRY(range, rangeOf(name, tensor.data, shape));
  collected.inputs.add(range);
  setTensor(collected.values, params, tensor.data, shape);
  return Unit{};
}

Status checkCacheStride(std::string_view name, std::int64_t bytes, int recordBytes) {
  if (bytes % kCacheAlignBytes != 0)
    return argumentError(name, "is {}, which is not a multiple of {}", bytes, kCacheAlignBytes);
  if (bytes < recordBytes)
    return argumentError(name, "is {}, less than one record of {} bytes", bytes, recordBytes);
  return Unit{};
}

Status Checker::checkCache() {
  const Cache& cache = args.cache;
  MLAC_CHECK(checkPointer("cache.base", cache.base, kCacheAlignBytes));
  if (cache.slots < 0)
    return argumentError("cache.slots", "is {}; it must not be negative", cache.slots);
  const int recordBytes = variant.recordBytes();
  // A cache is a tensor [pages, page, record]; its strides count bytes.
  const std::int64_t pages = (cache.slots + variant.page - 1) / variant.page;
  TensorShape shape{
      pages, variant.page, recordBytes, 1, cache.pageStrideBytes, cache.tokenStrideBytes};
  MLAC_CHECK(resolveStrides("cache", shape));
  MLAC_CHECK(checkCacheStride("cache.tokenStrideBytes", shape.headStride, recordBytes));
  MLAC_CHECK(checkCacheStride("cache.pageStrideBytes", shape.tokenStride, recordBytes));
  if (pages > 0) {
    // The last page may be cut short: only the slots that exist are claimed.
    const std::int64_t lastPageSlots = cache.slots - (pages - 1) * variant.page;
    shape.heads =
        pages == 1 || shape.tokenStride >= shape.headStride ? lastPageSlots : variant.page;
    MLAC_TRY(range, rangeOf("cache", cache.base, shape));
    collected.inputs.add(range);
  }
  setTensor(collected.values,
            {Param::cache, Param::pageStrideBytes, Param::tokenStrideBytes},
            cache.base,
            shape);
  collected.values.set(Param::slots, cache.slots);
  return Unit{};
}

Status Checker::checkAbsent(std::string_view name, const void* data, std::string_view why) {
  if (data == nullptr)
    return Unit{};
  return argumentError(
      name, "was given, but '{}' {} and would not read it; leave it out", variant.name, why);
}

Status Checker::checkPositions() {
  if (variant.isTopk()) {
    MLAC_CHECK(collectIndices(variant, tokens, args.indices, args.topkLength, collected));
  } else {
    MLAC_CHECK(checkAbsent("indices", args.indices.data, "is not top-k"));
    MLAC_CHECK(checkAbsent("topkLength", args.topkLength, "is not top-k"));
  }
  if (variant.isLogical())
    return collectRequestArgs(variant,
                              {tokens,
                               requests,
                               args.blockTable,
                               args.queryStart,
                               args.tokenRequest,
                               args.seqLens,
                               args.keyEnd},
                              collected);
  constexpr std::string_view kWhy = "takes physical indices";
  MLAC_CHECK(checkAbsent("blockTable", args.blockTable.data, kWhy));
  MLAC_CHECK(checkAbsent("queryStart", args.queryStart, kWhy));
  MLAC_CHECK(checkAbsent("tokenRequest", args.tokenRequest, kWhy));
  MLAC_CHECK(checkAbsent("seqLens", args.seqLens, kWhy));
  return checkAbsent("keyEnd", args.keyEnd, kWhy);
}

Status Checker::checkScale() {
  if (variant.scale.has_value()) {
    if (args.scale.has_value() || args.scaleDevice != nullptr)
      return argumentError(
          "scale",
          "was given, but '{}' fixes it at {}; leave it out, or write 'scale runtime'",
          variant.name,
          *variant.scale);
    collected.values.set(Param::scale, *variant.scale);
    return Unit{};
  }
  if (args.scale.has_value() && args.scaleDevice != nullptr)
    return argumentError("scale", "and 'scaleDevice' were both given; give one of them");
  if (args.scaleDevice != nullptr) {
    MLAC_CHECK(checkPointer("scaleDevice", args.scaleDevice, sizeof(float)));
    MLAC_TRY(range, rangeOf("scaleDevice", args.scaleDevice, std::int64_t{sizeof(float)}));
    collected.inputs.add(range);
    collected.values.set(Param::scaleDevice, args.scaleDevice);
    return Unit{};
  }
  if (!args.scale.has_value())
    return argumentError("scale", "is missing; '{}' says 'scale runtime'", variant.name);
  if (!std::isfinite(*args.scale))
    return argumentError("scale", "is {}; it must be finite", *args.scale);
  collected.values.set(Param::scale, *args.scale);
  return Unit{};
}

Status Checker::checkOutput(std::string_view name,
                            const TensorParams& params,
                            const Tensor& tensor,
                            int dims,
                            ElementType type,
                            std::int64_t alignElements) {
  MLAC_TRY(shape,
           checkOutputTensor(name,
                             tensor,
                             {.tokens = tokens,
                              .heads = variant.heads,
                              .dims = dims,
                              .elementBytes = elementBytes(type)},
                             alignElements));
  MLAC_TRY(range, rangeOf(name, tensor.data, shape));
  collected.outputs.add(range);
  setTensor(collected.values, params, tensor.data, shape);
  return Unit{};
}

Status Checker::checkOutputs() {
  MLAC_CHECK(checkOutput("out",
                         {Param::out, Param::outTokenStride, Param::outHeadStride},
                         args.out,
                         variant.valueDims(),
                         variant.output,
                         kOutAlignElements));
  const TensorParams lse = {Param::lse, Param::lseTokenStride, Param::lseHeadStride};
  if (variant.lse != LseMode::None)
    MLAC_CHECK(checkOutput("lse", lse, args.lse, 1, ElementType::F32, 1));
  else if (args.lse.data != nullptr)
    return argumentError("lse", "was given, but '{}' has no 'lse' output", variant.name);
  const TensorParams maxLogit = {
      Param::maxLogit, Param::maxLogitTokenStride, Param::maxLogitHeadStride};
  if (variant.maxLogit)
    return checkOutput("maxLogit", maxLogit, args.maxLogit, 1, ElementType::F32, 1);
  if (args.maxLogit.data != nullptr)
    return argumentError("maxLogit", "was given, but '{}' has no 'max_logit' output", variant.name);
  return Unit{};
}

Status Checker::checkWorkspace() {
  const WorkspaceLayout layout =
      workspaceLayout(variant, partialSlots(tokens, plan.splits, plan.parts));
  if (layout.bytes == 0)
    return Unit{};
  if (args.workspace.bytes < layout.bytes)
    return argumentError("workspace",
                         "has {} bytes; this launch needs {} (see Plan::workspaceBytes)",
                         args.workspace.bytes,
                         layout.bytes);
  MLAC_CHECK(checkPointer("workspace", args.workspace.data, kWorkspaceAlignBytes));
  MLAC_TRY(range,
           rangeOf("workspace", args.workspace.data, static_cast<std::int64_t>(layout.bytes)));
  collected.outputs.add(range);
  const auto* base = static_cast<const std::byte*>(args.workspace.data);
  collected.values.set(Param::partialOut, base + layout.partialOutOffset);
  collected.values.set(Param::partialLse, base + layout.partialLseOffset);
  if (variant.maxLogit)
    collected.values.set(Param::partialMax, base + layout.partialMaxOffset);
  return Unit{};
}

Status Checker::checkSchedule() {
  if (plan.parts == 0) {
    if (args.schedule == nullptr)
      return Unit{};
    return argumentError("schedule",
                         "was given, but the plan does not balance; plan with PlanShape::balance");
  }
  MLAC_CHECK(checkPointer("schedule", args.schedule, kScheduleAlignBytes));
  MLAC_TRY(range,
           rangeOf("schedule", args.schedule, static_cast<std::int64_t>(plan.scheduleBytes)));
  collected.inputs.add(range);
  collected.values.set(Param::schedule, args.schedule);
  return Unit{};
}

} // namespace

Result<CheckedLaunch>
checkLaunch(const Variant& variant, const Plan& plan, const LaunchArgs& args) {
  return Checker(variant, plan, args).check();
}

} // namespace mlac
