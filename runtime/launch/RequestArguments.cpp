#include "runtime/launch/Arguments.h"

#include <limits>

namespace mlac {
namespace {

constexpr std::int64_t kIntegerBytes = 4;

/// Checks a table of i32 rows; fills in its stride.
Result<std::int64_t> collectTable(Param param,
                                  std::string_view name,
                                  const Table& table,
                                  std::int64_t rows,
                                  std::int64_t columns,
                                  CollectedArgs& to) {
  MLAC_CHECK(checkPointer(name, table.data, kIntegerBytes));
  TensorShape shape{.tokens = rows,
                    .heads = 1,
                    .dims = columns,
                    .elementBytes = kIntegerBytes,
                    .tokenStride = table.stride};
  MLAC_CHECK(resolveStrides(name, shape));
  MLAC_TRY(range, rangeOf(name, table.data, shape));
  to.inputs.add(range);
  to.values.set(param, table.data);
  return shape.tokenStride;
}

Status checkUniform(const Variant& variant, const RequestArgs& args) {
  if (args.tokens % args.requests != 0)
    return argumentError(
        "requests",
        "is {} for {} tokens: without queryStart or tokenRequest every request has "
        "the same number of tokens, so tokens must be a multiple of requests",
        args.requests,
        args.tokens);
  const std::int64_t queries = args.tokens / args.requests;
  const bool fits =
      queries >= variant.minQueries && (variant.maxQueries == 0 || queries <= variant.maxQueries);
  if (fits)
    return Unit{};
  return argumentError("requests",
                       "is {} for {} tokens, {} a request; the spec's queries allow {} to {}",
                       args.requests,
                       args.tokens,
                       queries,
                       variant.minQueries,
                       variant.maxQueries == 0 ? std::string("any")
                                               : std::to_string(variant.maxQueries));
}

Status checkTokenRequest(const Variant& variant, const RequestArgs& args) {
  if (args.queryStart != nullptr)
    return argumentError("tokenRequest", "and 'queryStart' were both given; give one of them");
  if (variant.rulesReadQuery() && variant.maxQueries != 1)
    return argumentError("tokenRequest",
                         "does not say where in its request a token stands, which score or mask "
                         "of '{}' reads; give queryStart instead",
                         variant.name);
  const bool positionsMatter = variant.causal || variant.iterate == IterateKind::Window;
  if (args.keyEnd != nullptr || variant.maxQueries == 1 || !positionsMatter)
    return Unit{};
  return argumentError("tokenRequest",
                       "does not say where in its request a token stands, which '{}' needs ({}); "
                       "give keyEnd as well, or queryStart instead",
                       variant.name,
                       variant.causal ? "causal" : "window");
}

} // namespace

Status checkCount(std::string_view name, std::int64_t value) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  if (value >= 0 && value <= kMost)
    return Unit{};
  return argumentError(name, "is {}; it must lie between 0 and {}", value, kMost);
}

Status collectIntegers(Param param,
                       std::string_view name,
                       const std::int32_t* data,
                       std::int64_t count,
                       bool optional,
                       CollectedArgs& to) {
  if (data == nullptr && optional)
    return Unit{};
  MLAC_CHECK(checkPointer(name, data, kIntegerBytes));
  MLAC_TRY(range, rangeOf(name, data, count * kIntegerBytes));
  to.inputs.add(range);
  to.values.set(param, data);
  return Unit{};
}

Status collectLengths(const Variant& variant, const RequestArgs& args, CollectedArgs& to) {
  if (args.requests == 0)
    return argumentError("requests", "is 0 for {} tokens; at least one is needed", args.tokens);
  if (args.tokenRequest != nullptr)
    MLAC_CHECK(checkTokenRequest(variant, args));
  else if (args.queryStart == nullptr)
    MLAC_CHECK(checkUniform(variant, args));
  MLAC_CHECK(collectIntegers(
      Param::queryStart, "queryStart", args.queryStart, args.requests + 1, true, to));
  MLAC_CHECK(collectIntegers(
      Param::tokenRequest, "tokenRequest", args.tokenRequest, args.tokens, true, to));
  MLAC_CHECK(collectIntegers(Param::seqLens, "seqLens", args.seqLens, args.requests, false, to));
  return collectIntegers(Param::keyEnd, "keyEnd", args.keyEnd, args.tokens, true, to);
}

Status collectRequestArgs(const Variant& variant, const RequestArgs& args, CollectedArgs& to) {
  MLAC_CHECK(collectLengths(variant, args, to));
  MLAC_CHECK(checkCount("blockTable.columns", args.blockTable.columns));
  if (args.blockTable.columns == 0)
    return argumentError("blockTable.columns", "is 0; give the pages a row of the table has");
  MLAC_TRY(stride,
           collectTable(Param::blockTable,
                        "blockTable",
                        args.blockTable,
                        args.requests,
                        args.blockTable.columns,
                        to));
  to.values.set(Param::blockTableStride, stride);
  to.values.set(Param::maxPages, args.blockTable.columns);
  return Unit{};
}

Status collectIndices(const Variant& variant,
                      std::int64_t tokens,
                      const Table& indices,
                      const std::int32_t* topkLength,
                      CollectedArgs& to) {
  if (indices.columns != 0 && indices.columns != variant.topk)
    return argumentError("indices.columns",
                         "is {}; '{}' reads {} indices a token",
                         indices.columns,
                         variant.name,
                         variant.topk);
  MLAC_TRY(stride, collectTable(Param::indices, "indices", indices, tokens, variant.topk, to));
  to.values.set(Param::indicesStride, stride);
  return collectIntegers(Param::topkLength, "topkLength", topkLength, tokens, true, to);
}

} // namespace mlac
