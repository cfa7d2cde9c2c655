#include "runtime/launch/Arguments.h"

namespace mlac {
namespace {

// Slots are written as i32.
constexpr std::int64_t kMaxSlots = std::int64_t{1} << 31;

Result<std::int64_t> checkSlotsPerBlock(const Variant& variant, const ConvertArgs& args) {
  const std::int64_t slotsPerBlock =
      args.slotsPerBlock == 0 ? std::int64_t{variant.page} : args.slotsPerBlock;
  if (slotsPerBlock < variant.page)
    return argumentError("slotsPerBlock",
                         "is {}, less than a page of {} tokens: blocks would share slots",
                         slotsPerBlock,
                         variant.page);
  if (args.slots < 1)
    return argumentError("slots", "is {}; give the slots the cache has", args.slots);
  const std::int64_t lastBlock = (args.slots - 1) / variant.page;
  if (lastBlock > (kMaxSlots - variant.page) / slotsPerBlock)
    return argumentError("slots",
                         "is {} in blocks {} apart: written slots could pass 2^31 - 1 and not fit "
                         "the i32 output; use the fused kernel, which computes slots in 64 bits",
                         args.slots,
                         slotsPerBlock);
  return slotsPerBlock;
}

Status collectOutputs(const Variant& variant, const ConvertArgs& args, CollectedArgs& to) {
  MLAC_CHECK(checkPointer("slotsOut", args.slotsOut, sizeof(std::int32_t)));
  TensorShape shape{.tokens = args.tokens,
                    .heads = 1,
                    .dims = variant.topk,
                    .elementBytes = sizeof(std::int32_t),
                    .tokenStride = args.slotsOutStride};
  MLAC_CHECK(resolveStrides("slotsOut", shape));
  MLAC_TRY(range, rangeOf("slotsOut", args.slotsOut, shape));
  to.outputs.add(range);
  to.values.set(Param::slotsOut, args.slotsOut);
  to.values.set(Param::slotsOutStride, shape.tokenStride);
  if (args.validCounts == nullptr)
    return Unit{};
  MLAC_CHECK(checkPointer("validCounts", args.validCounts, sizeof(std::int32_t)));
  MLAC_TRY(
      counts,
      rangeOf("validCounts", args.validCounts, args.tokens * std::int64_t{sizeof(std::int32_t)}));
  to.outputs.add(counts);
  to.values.set(Param::validCounts, args.validCounts);
  return Unit{};
}

} // namespace

Result<CheckedLaunch> checkConvert(const Variant& variant, const ConvertArgs& args) {
  if (variant.iterate != IterateKind::TopkLogical)
    return Error{
        ErrorCode::Unsupported,
        "'" + variant.name +
            "' has no request-local indices to convert; only 'iterate topk N logical' has"};
  CollectedArgs collected;
  MLAC_CHECK(checkCount("tokens", args.tokens));
  MLAC_CHECK(checkCount("requests", args.requests));
  collected.values.set(Param::tokens, args.tokens);
  collected.values.set(Param::requests, args.requests);
  MLAC_TRY(slotsPerBlock, checkSlotsPerBlock(variant, args));
  collected.values.set(Param::slotsPerBlock, slotsPerBlock);
  collected.values.set(Param::slots, args.slots);
  MLAC_CHECK(collectIndices(variant, args.tokens, args.indices, args.topkLength, collected));
  MLAC_CHECK(collectRequestArgs(variant,
                                {args.tokens,
                                 args.requests,
                                 args.blockTable,
                                 args.queryStart,
                                 args.tokenRequest,
                                 args.seqLens,
                                 args.keyEnd},
                                collected));
  MLAC_CHECK(collectOutputs(variant, args, collected));
  MLAC_CHECK(checkApart(collected.outputs, collected.inputs));
  return CheckedLaunch{collected.values, {args.tokens}};
}

} // namespace mlac
