#include "compiler/ir/IntervalOfMask.h"

#include "compiler/spec/MaskBounds.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <algorithm>
#include <limits>

using namespace mlir;
using namespace mlac;
using namespace mlac::mla;

static constexpr int64_t kLargest = std::numeric_limits<int32_t>::max();

static Value constant(ImplicitLocOpBuilder& b, int64_t value) {
  return arith::ConstantOp::create(b, b.getI32IntegerAttr(static_cast<int32_t>(value)));
}

/// max(query + distance, 0) where that is an i32, else the nearest. Positions below 0 hold no keys,
/// so nothing is lost by cutting there.
static Value placeFrom(ImplicitLocOpBuilder& b, Value query, int64_t distance) {
  const int64_t step = std::clamp(distance, -kLargest, kLargest);
  if (step == 0)
    return query;
  const Value room =
      step > 0 ? arith::MinSIOp::create(b, query, constant(b, kLargest - step)).getResult()
               : arith::MaxSIOp::create(b, query, constant(b, -step)).getResult();
  return arith::AddIOp::create(b, room, constant(b, step));
}

KeyInterval mla::tightenInterval(ImplicitLocOpBuilder& b,
                                 const MaskBounds& bounds,
                                 Value queryPos,
                                 KeyInterval seen) {
  auto raise = [&](Value bound) { seen.begin = arith::MaxSIOp::create(b, seen.begin, bound); };
  auto lower = [&](Value bound) { seen.end = arith::MinSIOp::create(b, seen.end, bound); };
  if (bounds.begin && *bounds.begin > 0)
    raise(constant(b, std::min(*bounds.begin, kLargest)));
  if (bounds.queryBegin)
    raise(placeFrom(b, queryPos, *bounds.queryBegin));
  if (bounds.end && *bounds.end <= kLargest)
    lower(constant(b, std::max<int64_t>(*bounds.end, 0)));
  if (bounds.queryEnd)
    lower(placeFrom(b, queryPos, *bounds.queryEnd));
  // Kernels subtract begin from end, which must not overflow where an end given by the launch is
  // absurd.
  const bool mayCross = (bounds.begin && *bounds.begin > 0) || bounds.queryBegin || bounds.queryEnd;
  if (mayCross)
    seen.end = arith::MaxSIOp::create(b, seen.end, constant(b, 0));
  return seen;
}
