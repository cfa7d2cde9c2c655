// The C interface over the C++ one. Handles are boxes; every entry catches whatever is thrown.
#include "common/Expression.h"
#include "common/Result.h"
#include "mlac/mlac.h"
#include "mlac/mlac.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <exception>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <vector>

struct mlac_bundle {
  mlac::Bundle bundle;
  std::vector<std::string> names;
};

struct mlac_family {
  mlac::Family family;
};

struct mlac_plan {
  mlac::Family family;
  mlac::Plan plan;
};

namespace mlac {
namespace {

static_assert(MLAC_VERIFICATION_FAILED == static_cast<int>(ErrorCode::VerificationFailed));
static_assert(MLAC_INVALID_ARGUMENT == static_cast<int>(ErrorCode::InvalidArgument));
static_assert(MLAC_MISSING_DEPENDENCY == static_cast<int>(ErrorCode::MissingDependency));

thread_local std::string lastError;

std::int32_t remember(const Error& error) {
  lastError = error.message;
  return static_cast<std::int32_t>(error.code);
}

/// Runs `body`; its error, or what it throws, becomes the code and the thread's last error.
template <typename Body>
std::int32_t guarded(Body body) noexcept {
  try {
    lastError.clear();
    const Status status = body();
    return status ? MLAC_OK : remember(status.error());
  } catch (const std::bad_alloc&) {
    return MLAC_MISSING_DEPENDENCY; // no memory left to say so in
  } catch (const std::exception& error) {
    lastError = error.what();
    return MLAC_IO_FAILED;
  }
}

Error nullError(const char* what) {
  return {ErrorCode::InvalidArgument, fmt::format("{} is null", what)};
}

/// The caller's struct as this library knows it: what an older caller lacks is zero, what a newer
/// one has beyond must be zero.
template <typename Struct>
Result<Struct> readStruct(const Struct* given, const char* name) {
  if (given == nullptr)
    return nullError(name);
  const std::uint64_t bytes = given->struct_bytes;
  if (bytes < sizeof(std::uint64_t) || bytes > std::uint64_t{1} << 16)
    return Error{ErrorCode::InvalidArgument,
                 fmt::format("{}->struct_bytes is {}; set it to sizeof the struct ({})",
                             name,
                             bytes,
                             sizeof(Struct))};
  const auto* raw = reinterpret_cast<const unsigned char*>(given);
  for (std::uint64_t i = sizeof(Struct); i < bytes; ++i)
    if (raw[i] != 0)
      return Error{
          ErrorCode::InvalidArgument,
          fmt::format("{} uses a field at byte {} that mlac {} does not know", name, i, version())};
  Struct known{};
  std::memcpy(&known, given, std::min<std::uint64_t>(bytes, sizeof known));
  return known;
}

ConstTensor fromC(const mlac_const_tensor& tensor) {
  return {tensor.data, tensor.token_stride, tensor.head_stride};
}

Tensor fromC(const mlac_tensor& tensor) {
  return {tensor.data, tensor.token_stride, tensor.head_stride};
}

PartTensor fromC(const mlac_part_tensor& tensor) {
  return {tensor.data, tensor.part_stride, tensor.token_stride, tensor.head_stride};
}

Table fromC(const mlac_table& table) {
  return {table.data, table.columns, table.stride};
}

LaunchArgs fromC(const mlac_launch_args& given) {
  LaunchArgs args;
  args.q = fromC(given.q);
  args.qLatent = fromC(given.q_latent);
  args.qRope = fromC(given.q_rope);
  args.cache = {given.cache, given.slots, given.page_stride_bytes, given.token_stride_bytes};
  args.blockTable = fromC(given.block_table);
  args.queryStart = given.query_start;
  args.tokenRequest = given.token_request;
  args.seqLens = given.seq_lens;
  args.keyEnd = given.key_end;
  args.indices = fromC(given.indices);
  args.topkLength = given.topk_length;
  args.scaleDevice = given.scale_device;
  if (given.has_scale != 0)
    args.scale = given.scale;
  args.out = fromC(given.out);
  args.lse = fromC(given.lse);
  args.maxLogit = fromC(given.max_logit);
  args.workspace = {given.workspace, given.workspace_bytes};
  args.schedule = given.schedule;
  args.sinks = given.sinks;
  return args;
}

/// The caller's parameters, in memory of this call: a launch touches no heap.
class Params {
public:
  static Result<Params> of(const mlac_launch_args& given) {
    Params params;
    if (given.param_count > params.list.size())
      return Error{ErrorCode::InvalidArgument,
                   fmt::format("args->param_count is {}; at most {} are possible",
                               given.param_count,
                               params.list.size())};
    if (given.param_count > 0 && given.params == nullptr)
      return nullError("args->params");
    for (; params.count < given.param_count; ++params.count) {
      const mlac_param& one = given.params[params.count];
      if (one.name == nullptr)
        return nullError("args->params[].name");
      params.list[params.count] = {one.name, one.value, one.data};
    }
    return params;
  }

  std::span<const ParamArg> all() const { return std::span(list).first(count); }

private:
  std::array<ParamArg, kMaxRuleParams> list{};
  std::size_t count = 0;
};

ScheduleArgs fromC(const mlac_schedule_args& given) {
  return {.queryStart = given.query_start,
          .tokenRequest = given.token_request,
          .seqLens = given.seq_lens,
          .keyEnd = given.key_end,
          .topkLength = given.topk_length,
          .schedule = {given.schedule, given.schedule_bytes}};
}

ConvertArgs fromC(const mlac_convert_args& given) {
  return {.tokens = given.tokens,
          .requests = given.requests,
          .indices = fromC(given.indices),
          .topkLength = given.topk_length,
          .blockTable = fromC(given.block_table),
          .queryStart = given.query_start,
          .tokenRequest = given.token_request,
          .seqLens = given.seq_lens,
          .keyEnd = given.key_end,
          .slots = given.slots,
          .slotsPerBlock = given.slots_per_block,
          .slotsOut = given.slots_out,
          .slotsOutStride = given.slots_out_stride,
          .validCounts = given.valid_counts};
}

MergeArgs fromC(const mlac_merge_args& given) {
  return {.tokens = given.tokens,
          .parts = given.parts,
          .partOut = fromC(given.part_out),
          .f32Parts = given.f32_parts != 0,
          .partLse = fromC(given.part_lse),
          .partMaxLogit = fromC(given.part_max_logit),
          .sinks = given.sinks,
          .out = fromC(given.out),
          .lse = fromC(given.lse),
          .maxLogit = fromC(given.max_logit)};
}

std::int32_t createPlan(const mlac_family* family, const PlanShape& shape, mlac_plan** plan) {
  return guarded([&]() -> Status {
    if (family == nullptr || plan == nullptr)
      return nullError(family == nullptr ? "family" : "plan");
    *plan = nullptr;
    MLAC_TRY(made, family->family.plan(shape));
    *plan = new mlac_plan{family->family, made};
    return Unit{};
  });
}

mlac_variant_info toC(const VariantInfo& info) {
  return {.struct_bytes = sizeof(mlac_variant_info),
          .heads = info.heads,
          .qk_dims = info.qkDims,
          .value_dims = info.valueDims,
          .page = info.page,
          .topk = info.topk,
          .record_bytes = info.recordBytes,
          .logical = info.logical,
          .has_lse = info.hasLse,
          .has_max_logit = info.hasMaxLogit,
          .has_convert = info.hasConvert,
          .scale_is_fixed = info.scale.has_value(),
          .scale = info.scale.value_or(0),
          .has_merge = info.hasMerge,

          .has_sink = info.hasSink};
}

} // namespace
} // namespace mlac

using namespace mlac;

const char* mlac_version(void) {
  return version();
}

const char* mlac_last_error(void) {
  return lastError.c_str();
}

const char* mlac_error_name(int32_t code) {
  return errorCodeName(static_cast<ErrorCode>(code));
}

int32_t mlac_bundle_open(const char* path, mlac_bundle** bundle) {
  return guarded([&]() -> Status {
    if (path == nullptr || bundle == nullptr)
      return nullError(path == nullptr ? "path" : "bundle");
    *bundle = nullptr;
    MLAC_TRY(opened, Bundle::open(path));
    *bundle = new mlac_bundle{opened, opened.names()};
    return Unit{};
  });
}

void mlac_bundle_close(mlac_bundle* bundle) {
  delete bundle;
}

int32_t mlac_bundle_count(const mlac_bundle* bundle) {
  return bundle == nullptr ? 0 : static_cast<int32_t>(bundle->names.size());
}

const char* mlac_bundle_name(const mlac_bundle* bundle, int32_t index) {
  if (index < 0 || index >= mlac_bundle_count(bundle))
    return nullptr;
  return bundle->names[static_cast<std::size_t>(index)].c_str();
}

int32_t mlac_family_load(const mlac_bundle* bundle, const char* name, mlac_family** family) {
  return guarded([&]() -> Status {
    if (bundle == nullptr || family == nullptr)
      return nullError(bundle == nullptr ? "bundle" : "family");
    *family = nullptr;
    MLAC_TRY(device, Device::current());
    MLAC_TRY(loaded, bundle->bundle.family(name == nullptr ? "" : name, device));
    *family = new mlac_family{loaded};
    return Unit{};
  });
}

void mlac_family_free(mlac_family* family) {
  delete family;
}

int32_t mlac_family_variant(const mlac_family* family, mlac_variant_info* info) {
  return guarded([&]() -> Status {
    if (family == nullptr)
      return nullError("family");
    MLAC_TRY(given, readStruct(info, "info"));
    mlac_variant_info known = toC(family->family.variant());
    known.struct_bytes = given.struct_bytes;
    std::memcpy(info, &known, std::min<std::uint64_t>(given.struct_bytes, sizeof known));
    return Unit{};
  });
}

int32_t mlac_plan_create(const mlac_family* family,
                         int64_t tokens,
                         int64_t requests,
                         int64_t maxSeqLen,
                         mlac_plan** plan) {
  return createPlan(family, {.tokens = tokens, .requests = requests, .maxSeqLen = maxSeqLen}, plan);
}

int32_t mlac_plan_create_balanced(const mlac_family* family,
                                  int64_t tokens,
                                  int64_t requests,
                                  int64_t maxSeqLen,
                                  mlac_plan** plan) {
  return createPlan(
      family,
      {.tokens = tokens, .requests = requests, .maxSeqLen = maxSeqLen, .balance = true},
      plan);
}

void mlac_plan_free(mlac_plan* plan) {
  delete plan;
}

uint64_t mlac_plan_workspace_bytes(const mlac_plan* plan) {
  return plan == nullptr ? 0 : plan->plan.workspaceBytes;
}

uint64_t mlac_plan_schedule_bytes(const mlac_plan* plan) {
  return plan == nullptr ? 0 : plan->plan.scheduleBytes;
}

int32_t mlac_plan_splits(const mlac_plan* plan) {
  return plan == nullptr ? 0 : plan->plan.splits;
}

int32_t mlac_launch(const mlac_plan* plan, const mlac_launch_args* args, void* stream) {
  return guarded([&]() -> Status {
    if (plan == nullptr)
      return nullError("plan");
    MLAC_TRY(given, readStruct(args, "args"));
    MLAC_TRY(params, Params::of(given));
    LaunchArgs known = fromC(given);
    known.params = params.all();
    return plan->family.launch(plan->plan, known, stream);
  });
}

int32_t mlac_schedule(const mlac_plan* plan, const mlac_schedule_args* args, void* stream) {
  return guarded([&]() -> Status {
    if (plan == nullptr)
      return nullError("plan");
    MLAC_TRY(given, readStruct(args, "args"));
    return plan->family.schedule(plan->plan, fromC(given), stream);
  });
}

int32_t mlac_convert(const mlac_family* family, const mlac_convert_args* args, void* stream) {
  return guarded([&]() -> Status {
    if (family == nullptr)
      return nullError("family");
    MLAC_TRY(given, readStruct(args, "args"));
    return family->family.convert(fromC(given), stream);
  });
}

int32_t mlac_merge(const mlac_family* family, const mlac_merge_args* args, void* stream) {
  return guarded([&]() -> Status {
    if (family == nullptr)
      return nullError("family");
    MLAC_TRY(given, readStruct(args, "args"));
    return family->family.merge(fromC(given), stream);
  });
}
