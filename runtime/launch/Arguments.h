// Arguments: the checks every launch goes through before the driver hears of it.
#pragma once

#include "common/Result.h"
#include "common/Variant.h"
#include "mlac/mlac.hpp"
#include "runtime/launch/Params.h"
#include "runtime/launch/Ranges.h"
#include "runtime/plan/Planner.h"

#include <cstdint>
#include <span>

namespace mlac {

/// Of a schedule: a piece is read 16 bytes at a time.
inline constexpr std::int64_t kScheduleAlignBytes = 16;

/// A launch that may go ahead.
struct CheckedLaunch {
  ParamValues values;
  TokenBatch batch; ///< requests and table: of attention launches only
};

/// Checks an attention launch of at least one token against the variant and its plan, and fills in
/// default strides. InvalidArgument names the argument, the value found and what is needed.
Result<CheckedLaunch> checkLaunch(const Variant& variant, const Plan& plan, const LaunchArgs& args);

/// The same for a conversion of indices to slots; Unsupported for variants without request-local
/// indices.
Result<CheckedLaunch> checkConvert(const Variant& variant, const ConvertArgs& args);

/// The same for a schedule; the plan is a balanced one.
Result<CheckedLaunch>
checkSchedule(const Variant& variant, const Plan& plan, const ScheduleArgs& args);

/// The same for a merge of partial results; Unsupported for variants without an LSE.
Result<CheckedLaunch> checkMerge(const Variant& variant, const MergeArgs& args);

/// The arguments by which a token finds its request, its position and its keys.
struct RequestArgs {
  std::int64_t tokens = 0;
  std::int64_t requests = 0;
  Table blockTable;
  const std::int32_t* queryStart = nullptr;
  const std::int32_t* tokenRequest = nullptr;
  const std::int32_t* seqLens = nullptr;
  const std::int32_t* keyEnd = nullptr;
};

/// What checks collect: values for the kernels, and the memory they stand for.
struct CollectedArgs {
  ParamValues values;
  RangeList inputs;
  RangeList outputs;
};

/// Checks all of them but the block table: what says how many keys a token sees.
Status collectLengths(const Variant& variant, const RequestArgs& args, CollectedArgs& to);

/// Checks them for a variant with logical positions.
Status collectRequestArgs(const Variant& variant, const RequestArgs& args, CollectedArgs& to);

/// Checks `indices` and `topkLength` of a top-k variant.
Status collectIndices(const Variant& variant,
                      std::int64_t tokens,
                      const Table& indices,
                      const std::int32_t* topkLength,
                      CollectedArgs& to);

/// Checks the variant's parameters that a launch passes, and its sinks.
Status collectRules(const Variant& variant,
                    std::int64_t tokens,
                    std::span<const ParamArg> args,
                    const float* sinks,
                    CollectedArgs& to);

/// Checks a vector of `count` i32 that must be there, or may be null where `optional` says so.
Status collectIntegers(Param param,
                       std::string_view name,
                       const std::int32_t* data,
                       std::int64_t count,
                       bool optional,
                       CollectedArgs& to);

/// Three parameters that describe one tensor.
struct TensorParams {
  Param data;
  Param tokenStride;
  Param headStride;
};

/// Elements that one store writes: what pointers and strides of `out` are multiples of.
inline constexpr std::int64_t kOutAlignElements = 4;

/// The shape of an output with its strides, checked: resolved, each row aligned to
/// `alignElements`. `shape` comes without strides.
Result<TensorShape> checkOutputTensor(std::string_view name,
                                      const Tensor& tensor,
                                      TensorShape shape,
                                      std::int64_t alignElements);

/// Fills in the parameters of a tensor.
void setTensor(ParamValues& values,
               const TensorParams& params,
               const void* data,
               const TensorShape& shape);

/// InvalidArgument unless 0 <= value <= 2^31 - 1.
Status checkCount(std::string_view name, std::int64_t value);

} // namespace mlac
