// The interval of a mask, as arithmetic on i32 that cannot overflow.
#pragma once

#include "mlir/IR/Value.h"

namespace mlir {
class ImplicitLocOpBuilder;
} // namespace mlir

namespace mlac {
struct MaskBounds;
} // namespace mlac

namespace mlac::mla {

/// The positions [begin, end) of keys.
struct KeyInterval {
  mlir::Value begin; ///< i32, not negative
  mlir::Value end;   ///< i32
};

/// `seen` without the keys that the bounds exclude for a query at `queryPos`.
KeyInterval tightenInterval(mlir::ImplicitLocOpBuilder& builder,
                            const MaskBounds& bounds,
                            mlir::Value queryPos,
                            KeyInterval seen);

} // namespace mlac::mla
