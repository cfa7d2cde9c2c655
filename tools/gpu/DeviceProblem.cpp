#include "tools/gpu/DeviceProblem.h"

#include <algorithm>
#include <vector>

namespace mlac {
namespace {

using verify::Input;
using verify::OutputView;
using verify::Problem;
using verify::QueryView;

// Pages are written to host memory in pieces of about this size on their way to the device.
constexpr std::int64_t kUploadBytes = std::int64_t{256} << 20;

Tensor outputAt(const DeviceBuffer& buffer, const OutputView& view) {
  if (!view.present())
    return {};
  return {buffer.at(static_cast<std::size_t>(view.offsetBytes)), view.tokenStride, view.headStride};
}

} // namespace

Result<DeviceProblem> DeviceProblem::upload(const Device& device, const Problem& problem) {
  DeviceProblem uploaded(problem);
  for (int i = 0; i < verify::kInputCount; ++i) {
    MLAC_TRY(buffer, DeviceBuffer::holding(device, problem.inputs[i]));
    uploaded.inputs[i] = std::move(buffer);
  }
  MLAC_CHECK(uploaded.uploadCache(device));
  MLAC_CHECK(uploaded.uploadParams(device));
  const verify::Outputs fresh = verify::freshOutputs(problem);
  MLAC_TRY(out, DeviceBuffer::holding(device, fresh.out));
  MLAC_TRY(lse, DeviceBuffer::holding(device, fresh.lse));
  MLAC_TRY(maxLogit, DeviceBuffer::holding(device, fresh.maxLogit));
  uploaded.out = std::move(out);
  uploaded.lse = std::move(lse);
  uploaded.maxLogit = std::move(maxLogit);
  return uploaded;
}

Status DeviceProblem::uploadCache(const Device& device) {
  const verify::CacheRows& rows = drawn->cache;
  MLAC_TRY(buffer, DeviceBuffer::allocate(device, static_cast<std::size_t>(drawn->cacheBytes())));
  cache = std::move(buffer);
  // Covers the pages below the first held one too.
  MLAC_CHECK(cache.fill(verify::kFillByte));
  const std::int64_t pagesAtOnce = std::max<std::int64_t>(1, kUploadBytes / rows.pageStrideBytes);
  std::vector<std::byte> staging;
  for (std::int64_t done = 0; done < rows.heldPages; done += pagesAtOnce) {
    const std::int64_t count = std::min(pagesAtOnce, rows.heldPages - done);
    staging.resize(static_cast<std::size_t>(count * rows.pageStrideBytes));
    drawn->writePages(rows.firstPage + done, count, staging.data());
    const std::int64_t at = (rows.firstPage + done) * rows.pageStrideBytes;
    MLAC_CHECK(cache.upload(staging, static_cast<std::size_t>(at)));
  }
  return Unit{};
}

Status DeviceProblem::uploadParams(const Device& device) {
  for (std::size_t index = 0; index < drawn->variant.params.size(); ++index) {
    const RuleParam& param = drawn->variant.params[index];
    if (!param.isArgument())
      continue;
    MLAC_TRY(buffer, DeviceBuffer::holding(device, drawn->paramArrays[index]));
    const void* data = param.kind == ParamKind::Scalar ? nullptr : buffer.at();
    params.push_back({param.name, drawn->paramValues[index], data});
    paramArrays.push_back(std::move(buffer));
  }
  return Unit{};
}

const std::int32_t* DeviceProblem::ints(Input id) const {
  return reinterpret_cast<const std::int32_t*>(inputs[static_cast<int>(id)].at());
}

ConstTensor DeviceProblem::query(const QueryView& view) const {
  const DeviceBuffer& buffer = inputs[static_cast<int>(view.buffer)];
  return {buffer.at(static_cast<std::size_t>(view.offsetBytes)), view.tokenStride, view.headStride};
}

void DeviceProblem::setQuery(LaunchArgs& args) const {
  if (!drawn->has(Input::QueryRope) && drawn->variant.rope > 0) {
    args.q = query(drawn->qLatent);
    return;
  }
  args.qLatent = query(drawn->qLatent);
  if (drawn->variant.rope > 0)
    args.qRope = query(drawn->qRope);
}

LaunchArgs DeviceProblem::launchArgs() const {
  LaunchArgs args;
  setQuery(args);
  args.cache = {
      cache.at(), drawn->slots, drawn->cache.pageStrideBytes, drawn->cache.tokenStrideBytes};
  args.blockTable = {ints(Input::BlockTable), drawn->maxPages, drawn->blockTableStride};
  args.queryStart = ints(Input::QueryStart);
  args.tokenRequest = ints(Input::TokenRequest);
  args.seqLens = ints(Input::SeqLens);
  args.keyEnd = ints(Input::KeyEnd);
  args.indices = {ints(Input::Indices), drawn->variant.topk, drawn->indicesStride};
  args.topkLength = ints(Input::TopkLength);
  if (drawn->has(Input::Scale))
    args.scaleDevice = reinterpret_cast<const float*>(ints(Input::Scale));
  else if (!drawn->variant.scale)
    args.scale = drawn->scale;
  args.params = params;
  args.sinks = reinterpret_cast<const float*>(ints(Input::Sinks));
  args.out = outputAt(out, drawn->out);
  args.lse = outputAt(lse, drawn->lse);
  args.maxLogit = outputAt(maxLogit, drawn->maxLogit);
  return args;
}

ConvertArgs DeviceProblem::convertArgs(const DeviceBuffer& slots,
                                       const DeviceBuffer& counts) const {
  const LaunchArgs args = launchArgs();
  ConvertArgs convert;
  convert.tokens = drawn->tokens;
  convert.requests = drawn->requests;
  convert.indices = args.indices;
  convert.topkLength = args.topkLength;
  convert.blockTable = args.blockTable;
  convert.queryStart = args.queryStart;
  convert.tokenRequest = args.tokenRequest;
  convert.seqLens = args.seqLens;
  convert.keyEnd = args.keyEnd;
  convert.slots = drawn->slots;
  convert.slotsOut = reinterpret_cast<std::int32_t*>(slots.at());
  convert.validCounts = reinterpret_cast<std::int32_t*>(counts.at());
  return convert;
}

Status DeviceProblem::clearOutputs() {
  for (DeviceBuffer* buffer : {&out, &lse, &maxLogit})
    MLAC_CHECK(buffer->fill(verify::kFillByte));
  return Unit{};
}

Result<verify::Outputs> DeviceProblem::download() const {
  verify::Outputs outputs = verify::freshOutputs(*drawn);
  MLAC_CHECK(out.download(outputs.out));
  MLAC_CHECK(lse.download(outputs.lse));
  MLAC_CHECK(maxLogit.download(outputs.maxLogit));
  return outputs;
}

} // namespace mlac
