// A settled rule of a variant as arith, math and mla.param.
#pragma once

#include "common/Expression.h"

#include "mlir/IR/Value.h"

#include <span>

namespace mlir {
class ImplicitLocOpBuilder;
} // namespace mlir

namespace mlac::mla {

/// What a region offers: f32 for the score, i32 for the rest. Masks have no score.
struct RuleArguments {
  mlir::Value score;
  mlir::Value head;
  mlir::Value query;
  mlir::Value key;
  mlir::Value token;
};

/// Builds the rule at the builder's insertion point and returns its result. `settled` is not empty
/// and holds no library word. Division by 0 gives 0, and the remainder is the dividend.
mlir::Value buildRule(mlir::ImplicitLocOpBuilder& builder,
                      const Rule& settled,
                      std::span<const RuleParam> params,
                      const RuleArguments& arguments);

} // namespace mlac::mla
