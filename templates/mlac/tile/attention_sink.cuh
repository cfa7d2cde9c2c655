// A number per head that takes part in the softmax as a key without a value would: it joins the
// denominator, once a row, and nothing else.
#pragma once

#include "mlac/base/types.cuh"
#include "mlac/ptx/exponent.cuh"

namespace mlac {

/// Whether a launch passes sinks: a property of its arguments, so that variants without pay
/// nothing.
template <class Args, class = void>
struct TakesSinks {
  static constexpr bool kValue = false;
};

template <class Args>
struct TakesSinks<Args, decltype(static_cast<void>(&Args::sinks))> {
  static constexpr bool kValue = true;
};

/// The denominator of a row of `head` whose terms, without the sink, are 2^(score - top) and add up
/// to `sum`. A sink of +inf, or far above all scores, makes it infinite and the output 0.
template <class Shape, class Args>
__device__ __forceinline__ float withSink(const Args& args, i32 head, float top, float sum) {
  if constexpr (TakesSinks<Args>::kValue)
    if (head < Shape::kHeads)
      return sum + exp2Approx(__ldg(args.sinks + head) * kLog2E - top);
  return sum;
}

} // namespace mlac
