#include "runtime/launch/Arguments.h"

namespace mlac {
namespace {

Status refuse(std::string_view name, const void* data, std::string_view why) {
  if (data == nullptr)
    return Unit{};
  return argumentError(name, "was given, but {}", why);
}

Status collectRowLengths(const Variant& variant,
                         const RequestArgs& requests,
                         const std::int32_t* topkLength,
                         CollectedArgs& to) {
  if (!variant.isTopk()) {
    MLAC_CHECK(refuse("topkLength", topkLength, "the variant is not top-k"));
    return collectLengths(variant, requests, to);
  }
  constexpr std::string_view kNoMatter = "a top-k row is as long as topkLength says";
  MLAC_CHECK(refuse("queryStart", requests.queryStart, kNoMatter));
  MLAC_CHECK(refuse("tokenRequest", requests.tokenRequest, kNoMatter));
  MLAC_CHECK(refuse("seqLens", requests.seqLens, kNoMatter));
  MLAC_CHECK(refuse("keyEnd", requests.keyEnd, kNoMatter));
  return collectIntegers(Param::topkLength, "topkLength", topkLength, requests.tokens, true, to);
}

} // namespace

Result<CheckedLaunch>
checkSchedule(const Variant& variant, const Plan& plan, const ScheduleArgs& args) {
  const std::int64_t tokens = args.tokens == -1 ? plan.shape.tokens : args.tokens;
  const std::int64_t requests = args.requests == -1 ? plan.shape.requests : args.requests;
  MLAC_CHECK(checkCount("tokens", tokens));
  MLAC_CHECK(checkCount("requests", requests));
  if (tokens > plan.shape.tokens)
    return argumentError(
        "tokens", "is {}, but the plan was made for {}; plan again", tokens, plan.shape.tokens);
  if (args.schedule.bytes < plan.scheduleBytes)
    return argumentError("schedule",
                         "has {} bytes; this plan needs {} (see Plan::scheduleBytes)",
                         args.schedule.bytes,
                         plan.scheduleBytes);
  MLAC_CHECK(checkPointer("schedule", args.schedule.data, kScheduleAlignBytes));
  CollectedArgs collected;
  MLAC_CHECK(collectRowLengths(variant,
                               {.tokens = tokens,
                                .requests = requests,
                                .blockTable = {},
                                .queryStart = args.queryStart,
                                .tokenRequest = args.tokenRequest,
                                .seqLens = args.seqLens,
                                .keyEnd = args.keyEnd},
                               args.topkLength,
                               collected));
  MLAC_TRY(range,
           rangeOf("schedule", args.schedule.data, static_cast<std::int64_t>(plan.scheduleBytes)));
  collected.outputs.add(range);
  MLAC_CHECK(checkApart(collected.outputs, collected.inputs));
  collected.values.set(Param::tokens, tokens);
  collected.values.set(Param::requests, requests);
  collected.values.set(Param::parts, std::int64_t{plan.parts});
  collected.values.set(Param::pieceTiles, std::int64_t{plan.pieceTiles});
  collected.values.set(Param::schedule, args.schedule.data);
  return CheckedLaunch{collected.values, {tokens}};
}

} // namespace mlac
