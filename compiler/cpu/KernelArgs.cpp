#include "compiler/cpu/KernelArgs.h"

#include "compiler/cpu/CpuArgs.h"

#include <cstddef>

using namespace mlir;

namespace mlac {
namespace {

/// Loads single fields of CpuArgs.
class FieldLoader {
public:
  FieldLoader(LoopBuilder& builder, Value args) : b(builder), args(args) {}

  Value pointer(std::size_t offset) { return load(b.pointerType(), offset); }

  Value i64(std::size_t offset) { return load(b.getI64Type(), offset); }

  Value i32(std::size_t offset) { return b.widen(load(b.getI32Type(), offset)); }

  Value f32(std::size_t offset) { return load(b.getF32Type(), offset); }

private:
  Value load(Type type, std::size_t offset) {
    return b.load(type, b.offset(args, b.i64(static_cast<std::int64_t>(offset))), b.i64(0));
  }

  LoopBuilder& b;
  Value args;
};

/// What the pointer at `deviceOffset` leads to, else the value at `hostOffset`.
Value launchScale(LoopBuilder& b,
                  FieldLoader& field,
                  std::size_t deviceOffset,
                  std::size_t hostOffset) {
  Value onDevice = field.pointer(deviceOffset);
  return b.choose(
      b.isNotNull(onDevice),
      [&] { return Values{b.load(b.getF32Type(), onDevice, b.i64(0))}; },
      [&] { return Values{field.f32(hostOffset)}; })[0];
}

} // namespace

Value KernelArgs::Tensor::row(LoopBuilder& b, Value token, Value head) const {
  return b.add(b.mul(token, tokenStride), b.mul(head, headStride));
}

KernelArgs::KernelArgs(LoopBuilder& b,
                       Value args,
                       std::optional<float> fixedScale,
                       bool hasCacheScale) {
  FieldLoader field(b, args);
  auto tensor = [&](std::size_t base, std::size_t tokenStride, std::size_t headStride) {
    return Tensor{field.pointer(base), field.i64(tokenStride), field.i64(headStride)};
  };
  qLatent = tensor(offsetof(CpuArgs, qLatent),
                   offsetof(CpuArgs, qLatentTokenStride),
                   offsetof(CpuArgs, qLatentHeadStride));
  qRope = tensor(offsetof(CpuArgs, qRope),
                 offsetof(CpuArgs, qRopeTokenStride),
                 offsetof(CpuArgs, qRopeHeadStride));
  out = tensor(
      offsetof(CpuArgs, out), offsetof(CpuArgs, outTokenStride), offsetof(CpuArgs, outHeadStride));
  lse = tensor(
      offsetof(CpuArgs, lse), offsetof(CpuArgs, lseTokenStride), offsetof(CpuArgs, lseHeadStride));
  maxLogit = tensor(offsetof(CpuArgs, maxLogit),
                    offsetof(CpuArgs, maxLogitTokenStride),
                    offsetof(CpuArgs, maxLogitHeadStride));
  cache = field.pointer(offsetof(CpuArgs, cache));
  pageStrideBytes = field.i64(offsetof(CpuArgs, pageStrideBytes));
  tokenStrideBytes = field.i64(offsetof(CpuArgs, tokenStrideBytes));
  slots = field.i64(offsetof(CpuArgs, slots));
  tokens = field.i32(offsetof(CpuArgs, tokens));
  requests = field.i32(offsetof(CpuArgs, requests));
  blockTable = field.pointer(offsetof(CpuArgs, blockTable));
  blockTableStride = field.i64(offsetof(CpuArgs, blockTableStride));
  maxPages = field.i32(offsetof(CpuArgs, maxPages));
  queryStart = field.pointer(offsetof(CpuArgs, queryStart));
  tokenRequest = field.pointer(offsetof(CpuArgs, tokenRequest));
  seqLens = field.pointer(offsetof(CpuArgs, seqLens));
  keyEnd = field.pointer(offsetof(CpuArgs, keyEnd));
  indices = field.pointer(offsetof(CpuArgs, indices));
  indicesStride = field.i64(offsetof(CpuArgs, indicesStride));
  topkLength = field.pointer(offsetof(CpuArgs, topkLength));
  params = field.pointer(offsetof(CpuArgs, params));
  sinks = field.pointer(offsetof(CpuArgs, sinks));
  scale = fixedScale
              ? b.f32(*fixedScale)
              : launchScale(b, field, offsetof(CpuArgs, scaleDevice), offsetof(CpuArgs, scale));
  if (hasCacheScale)
    cacheScale =
        launchScale(b, field, offsetof(CpuArgs, cacheScaleDevice), offsetof(CpuArgs, cacheScale));
}

} // namespace mlac
