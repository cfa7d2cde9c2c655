// From a token of the launch to its request and its place in it.
#pragma once

#include "mlac/base/types.cuh"
#include "mlac/ptx/warp.cuh"

namespace mlac {

/// How many of the numbers below `count` have started, by a search 32 wide: those that have come
/// before those that have not. Called by whole warps.
template <class HasStarted>
__device__ __forceinline__ i32 startedBy(i32 count, HasStarted hasStarted) {
  i32 low = 0; // as far as is known, those below have
  i32 high = count;
  while (low < high) {
    const i32 step = (high - low + 31) / 32;
    const i32 probe = low + static_cast<i32>(threadIdx.x % 32) * step;
    const i32 started = __popc(ballot(probe < high && hasStarted(probe)));
    if (started == 0)
      return low;
    const i32 last = low + (started - 1) * step;
    low = last + 1;
    high = smaller(high, last + step);
  }
  return low;
}

/// A token's request, and the number of the token's query position from the end of its request's
/// sequence.
struct TokenPlace {
  i32 request; ///< -1 where there is none
  i32 fromEnd; ///< seqLen - fromEnd is the query's position
};

template <class Args>
__device__ __forceinline__ TokenPlace placeOf(const Args& args, i32 token) {
  if (args.tokenRequest != nullptr) {
    const i32 request = args.tokenRequest[token];
    return {request >= 0 && request < args.requests ? request : -1, 1};
  }
  if (args.queryStart != nullptr) {
    const i32 request =
        startedBy(args.requests, [&](i32 number) { return args.queryStart[number] <= token; }) - 1;
    if (request < 0 || token >= args.queryStart[request + 1])
      return {-1, 1};
    return {request, args.queryStart[request + 1] - token};
  }
  const i32 each = args.tokens / args.requests;
  const i32 request = token / each;
  return {request < args.requests ? request : -1, (request + 1) * each - token};
}

} // namespace mlac
