// CpuArgs: what one launch of a CPU kernel is given. A plain struct: generated code reads it by
// offset.
#pragma once

#include <cstdint>

namespace mlac {

/// The value of one parameter that a launch passes, in the field that its type and kind say.
struct CpuParam {
  const void* array = nullptr; ///< f32 or i32 [H] or [T]
  float real = 0;
  std::int32_t integer = 0;
};

/// Arguments of a CPU launch, named as the attention kernel's parameters are. All memory is the
/// host's and the caller's; nothing is kept after the launch. Strides count elements unless named
/// bytes; innermost strides are 1. Fields a variant does not use are ignored.
struct CpuArgs {
  const void* qLatent = nullptr; ///< [T, H, latent] of the query type
  std::int64_t qLatentTokenStride = 0;
  std::int64_t qLatentHeadStride = 0;
  const void* qRope = nullptr; ///< [T, H, rope]; unused without rope
  std::int64_t qRopeTokenStride = 0;
  std::int64_t qRopeHeadStride = 0;

  const void* cache = nullptr; ///< pages of records
  std::int64_t pageStrideBytes = 0;
  std::int64_t tokenStrideBytes = 0;
  std::int64_t slots = 0;                  ///< tokens the cache has room for
  float cacheScale = 1;                    ///< of records with a scale per tensor
  const float* cacheScaleDevice = nullptr; ///< where given, read instead of `cacheScale`

  std::int32_t tokens = 0;
  std::int32_t requests = 0;

  const std::int32_t* blockTable =
      nullptr; ///< [R, maxPages]; logical iterations only, like the next five
  std::int64_t blockTableStride = 0;
  std::int32_t maxPages = 0;
  const std::int32_t* queryStart = nullptr;   ///< [R + 1]; null: every request has T / R tokens
  const std::int32_t* tokenRequest = nullptr; ///< [T] or null; takes precedence over queryStart
  const std::int32_t* seqLens = nullptr;      ///< [R] keys present
  const std::int32_t* keyEnd = nullptr;       ///< [T] or null

  const std::int32_t* indices = nullptr; ///< [T, topk]; top-k only
  std::int64_t indicesStride = 0;
  const std::int32_t* topkLength = nullptr; ///< [T] or null

  float scale = 1;                    ///< used where the variant leaves the scale to the launch
  const float* scaleDevice = nullptr; ///< where given, read instead of `scale`

  const CpuParam* params = nullptr; ///< those without a default, in the order of the spec
  std::int32_t paramCount = 0;
  const float* sinks = nullptr; ///< [H]; where the variant has sinks

  void* out = nullptr; ///< [T, H, valueDims] of the output type
  std::int64_t outTokenStride = 0;
  std::int64_t outHeadStride = 0;
  float* lse = nullptr; ///< [T, H]
  std::int64_t lseTokenStride = 0;
  std::int64_t lseHeadStride = 0;
  float* maxLogit = nullptr; ///< [T, H]
  std::int64_t maxLogitTokenStride = 0;
  std::int64_t maxLogitHeadStride = 0;
};

} // namespace mlac
