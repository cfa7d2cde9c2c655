#include "compiler/cpu/CheckArgs.h"

#include "common/Variant.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <string_view>

namespace mlac {
namespace {

/// The shape and strides of a [tokens, heads, dims] array, in elements.
struct Rows {
  std::int64_t tokens, heads, dims;
  std::int64_t tokenStride, headStride;
};

Error invalid(std::string message) {
  return {ErrorCode::InvalidArgument, std::move(message)};
}

Status checkPointer(std::string_view name, const void* pointer, int alignBytes) {
  if (!pointer)
    return invalid(fmt::format("`{}` is null; this variant reads or writes it", name));
  if (reinterpret_cast<std::uintptr_t>(pointer) % alignBytes != 0)
    return invalid(fmt::format("`{}` is not aligned to {} bytes", name, alignBytes));
  return Unit{};
}

Status checkAtLeast(std::string_view name, std::int64_t value, std::int64_t least) {
  if (value < least)
    return invalid(fmt::format("`{}` is {}; at least {} is needed", name, value, least));
  return Unit{};
}

Status checkQueries(const Variant& variant, const CpuArgs& args) {
  const int bytes = elementBytes(variant.query);
  MLAC_CHECK(checkPointer("qLatent", args.qLatent, bytes));
  if (variant.rope > 0)
    MLAC_CHECK(checkPointer("qRope", args.qRope, bytes));
  return Unit{};
}

Status checkCache(const Variant& variant, const CpuArgs& args) {
  const RecordLayout layout = layoutOf(variant.record());
  const int bytes = layout.alignment;
  MLAC_CHECK(checkPointer("cache", args.cache, bytes));
  MLAC_CHECK(checkAtLeast("slots", args.slots, 0));
  MLAC_CHECK(checkAtLeast("tokenStrideBytes", args.tokenStrideBytes, layout.tokenBytes));
  if (layout.tailBytes > 0 && args.slots > variant.page)
    MLAC_CHECK(checkAtLeast("pageStrideBytes",
                            args.pageStrideBytes,
                            variant.page * (args.tokenStrideBytes + layout.tailBytes)));
  if (args.tokenStrideBytes % bytes != 0 || args.pageStrideBytes % bytes != 0)
    return invalid(
        fmt::format("`tokenStrideBytes` {} and `pageStrideBytes` {} must be multiples of {}",
                    args.tokenStrideBytes,
                    args.pageStrideBytes,
                    bytes));
  return Unit{};
}

/// Which request a token belongs to must be known, and where among its keys the token stands.
Status checkRequests(const Variant& variant, const CpuArgs& args) {
  MLAC_CHECK(checkPointer("blockTable", args.blockTable, 4));
  MLAC_CHECK(checkPointer("seqLens", args.seqLens, 4));
  MLAC_CHECK(checkAtLeast("requests", args.requests, 0));
  MLAC_CHECK(checkAtLeast("maxPages", args.maxPages, 0));
  if (args.requests > 1)
    MLAC_CHECK(checkAtLeast("blockTableStride", args.blockTableStride, args.maxPages));
  const bool positionMatters = variant.causal || variant.iterate == IterateKind::Window;
  if (args.tokenRequest && variant.rulesReadQuery() && variant.maxQueries != 1)
    return invalid("`tokenRequest` does not tell a token's position among its request's queries, "
                   "which `score` or `mask` reads; give `queryStart` instead");
  if (args.tokenRequest) {
    if (positionMatters && !args.keyEnd && variant.maxQueries != 1)
      return invalid("`tokenRequest` does not tell a token's position among its request's queries; "
                     "give `keyEnd` too, or `queryStart` instead");
    return Unit{};
  }
  if (!args.queryStart && (args.requests == 0 || args.tokens % args.requests != 0))
    return invalid(
        fmt::format("{} tokens do not divide evenly among {} requests; give `queryStart`",
                    args.tokens,
                    args.requests));
  return Unit{};
}

/// A [tokens, heads, dims] array that is written: no two of its rows may share an element.
Status checkOutput(std::string_view name, const void* base, int bytes, const Rows& rows) {
  MLAC_CHECK(checkPointer(name, base, bytes));
  const std::int64_t headSpan = (rows.heads - 1) * rows.headStride + rows.dims;
  const std::int64_t tokenSpan = (rows.tokens - 1) * rows.tokenStride + rows.dims;
  const bool headsApart = rows.heads == 1 || rows.headStride >= rows.dims;
  const bool tokensApart = rows.tokens == 1 || rows.tokenStride >= rows.dims;
  const bool nested = rows.heads == 1 || rows.tokens == 1 || rows.tokenStride >= headSpan ||
                      rows.headStride >= tokenSpan;
  if (headsApart && tokensApart && nested)
    return Unit{};
  return invalid(
      fmt::format("`{0}TokenStride` {1} and `{0}HeadStride` {2} make rows of {3} elements "
                  "overlap; dense ones are {4} and {3}",
                  name,
                  rows.tokenStride,
                  rows.headStride,
                  rows.dims,
                  rows.heads * rows.dims));
}

Status checkOutputs(const Variant& variant, const CpuArgs& args) {
  const std::int64_t tokens = args.tokens;
  const std::int64_t heads = variant.heads;
  MLAC_CHECK(
      checkOutput("out",
                  args.out,
                  elementBytes(variant.output),
                  {tokens, heads, variant.valueDims(), args.outTokenStride, args.outHeadStride}));
  if (variant.lse != LseMode::None)
    MLAC_CHECK(checkOutput(
        "lse", args.lse, 4, {tokens, heads, 1, args.lseTokenStride, args.lseHeadStride}));
  if (variant.maxLogit)
    MLAC_CHECK(checkOutput("maxLogit",
                           args.maxLogit,
                           4,
                           {tokens, heads, 1, args.maxLogitTokenStride, args.maxLogitHeadStride}));
  return Unit{};
}

Status checkParam(const RuleParam& param, const CpuParam& value) {
  if (param.kind != ParamKind::Scalar)
    return checkPointer(param.name, value.array, 4);
  if (param.type == ExprType::F32 && !std::isfinite(value.real))
    return invalid(fmt::format("`{}` is {}; it must be finite", param.name, value.real));
  return Unit{};
}

Status checkRules(const Variant& variant, const CpuArgs& args) {
  std::int32_t count = 0;
  for (const RuleParam& param : variant.params) {
    if (!param.isArgument())
      continue;
    if (count >= args.paramCount)
      return invalid(fmt::format("`params` has {} values; `{}` is missing", count, param.name));
    MLAC_CHECK(checkParam(param, args.params[count++]));
  }
  if (args.paramCount != count)
    return invalid(
        fmt::format("`params` has {} values; this variant takes {}", args.paramCount, count));
  return variant.sink ? checkPointer("sinks", args.sinks, 4) : Status(Unit{});
}

Status checkIndices(const Variant& variant, const CpuArgs& args) {
  MLAC_CHECK(checkPointer("indices", args.indices, 4));
  if (args.tokens > 1)
    MLAC_CHECK(checkAtLeast("indicesStride", args.indicesStride, variant.topk));
  return Unit{};
}

} // namespace

Status checkCpuArgs(const Variant& variant, const CpuArgs& args) {
  MLAC_CHECK(checkAtLeast("tokens", args.tokens, 0));
  if (args.tokens == 0)
    return Unit{};
  MLAC_CHECK(checkQueries(variant, args));
  MLAC_CHECK(checkCache(variant, args));
  if (variant.isLogical())
    MLAC_CHECK(checkRequests(variant, args));
  if (variant.isTopk())
    MLAC_CHECK(checkIndices(variant, args));
  MLAC_CHECK(checkRules(variant, args));
  return checkOutputs(variant, args);
}

} // namespace mlac
