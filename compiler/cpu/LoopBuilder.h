// LoopBuilder: the few shapes of scf, arith and LLVM ops the CPU lowering is made of.
#pragma once

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlac {

using Values = llvm::SmallVector<mlir::Value, 4>;

/// Builds at its insertion point. Indices, bounds and loop counters are i64; bases are !llvm.ptr.
class LoopBuilder : public mlir::ImplicitLocOpBuilder {
public:
  using ImplicitLocOpBuilder::ImplicitLocOpBuilder;

  mlir::Type pointerType();
  mlir::Value i64(std::int64_t value);
  mlir::Value i32(std::int32_t value);
  mlir::Value f32(float value);
  mlir::Value widen(mlir::Value value);  ///< i32 to i64, signed
  mlir::Value narrow(mlir::Value value); ///< i64 to i32

  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value sub(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  mlir::Value min(mlir::Value a, mlir::Value b); ///< signed
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value a, mlir::Value b);
  mlir::Value select(mlir::Value condition, mlir::Value yes, mlir::Value no);
  mlir::Value isNotNull(mlir::Value pointer);

  /// base + bytes.
  mlir::Value offset(mlir::Value base, mlir::Value bytes);

  mlir::Value load(mlir::Type element, mlir::Value base, mlir::Value index);
  void store(mlir::Value value, mlir::Value base, mlir::Value index);

  /// The element as f32, whatever its type in memory.
  mlir::Value loadFloat(mlir::Type element, mlir::Value base, mlir::Value index);

  /// Rounds f32 `value` to `element` and stores it.
  void storeFloat(mlir::Type element, mlir::Value value, mlir::Value base, mlir::Value index);

  /// for (i = begin; i < end; ++i) body(i).
  void loop(mlir::Value begin, mlir::Value end, llvm::function_ref<void(mlir::Value)> body);

  /// The same, carrying values: `body` gets the counter and what the iteration before handed on.
  Values fold(mlir::Value begin,
              mlir::Value end,
              mlir::ValueRange initial,
              llvm::function_ref<Values(mlir::Value, mlir::ValueRange)> body);

  /// The values of whichever branch is taken; both yield the same types.
  Values
  choose(mlir::Value condition, llvm::function_ref<Values()> yes, llvm::function_ref<Values()> no);

  void when(mlir::Value condition, llvm::function_ref<void()> body);
};

} // namespace mlac
