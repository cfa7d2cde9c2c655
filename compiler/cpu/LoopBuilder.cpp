#include "compiler/cpu/LoopBuilder.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace mlac {

Type LoopBuilder::pointerType() {
  return LLVM::LLVMPointerType::get(getContext());
}

Value LoopBuilder::i64(std::int64_t value) {
  return arith::ConstantOp::create(*this, getI64IntegerAttr(value));
}

Value LoopBuilder::i32(std::int32_t value) {
  return arith::ConstantOp::create(*this, getI32IntegerAttr(value));
}

Value LoopBuilder::f32(float value) {
  return arith::ConstantOp::create(*this, getF32FloatAttr(value));
}

Value LoopBuilder::widen(Value value) {
  return arith::ExtSIOp::create(*this, getI64Type(), value);
}

Value LoopBuilder::narrow(Value value) {
  return arith::TruncIOp::create(*this, getI32Type(), value);
}

Value LoopBuilder::add(Value a, Value b) {
  return arith::AddIOp::create(*this, a, b);
}

Value LoopBuilder::sub(Value a, Value b) {
  return arith::SubIOp::create(*this, a, b);
}

Value LoopBuilder::mul(Value a, Value b) {
  return arith::MulIOp::create(*this, a, b);
}

Value LoopBuilder::min(Value a, Value b) {
  return arith::MinSIOp::create(*this, a, b);
}

Value LoopBuilder::compare(arith::CmpIPredicate predicate, Value a, Value b) {
  return arith::CmpIOp::create(*this, predicate, a, b);
}

Value LoopBuilder::select(Value condition, Value yes, Value no) {
  return arith::SelectOp::create(*this, condition, yes, no);
}

Value LoopBuilder::isNotNull(Value pointer) {
  Value null = LLVM::ZeroOp::create(*this, pointer.getType());
  return LLVM::ICmpOp::create(*this, LLVM::ICmpPredicate::ne, pointer, null);
}

Value LoopBuilder::offset(Value base, Value bytes) {
  return LLVM::GEPOp::create(*this, pointerType(), getI8Type(), base, LLVM::GEPArg(bytes));
}

Value LoopBuilder::load(Type element, Value base, Value index) {
  Value place = LLVM::GEPOp::create(*this, pointerType(), element, base, LLVM::GEPArg(index));
  return LLVM::LoadOp::create(*this, element, place);
}

void LoopBuilder::store(Value value, Value base, Value index) {
  Value place =
      LLVM::GEPOp::create(*this, pointerType(), value.getType(), base, LLVM::GEPArg(index));
  LLVM::StoreOp::create(*this, value, place);
}

Value LoopBuilder::loadFloat(Type element, Value base, Value index) {
  Value value = load(element, base, index);
  return element.isF32() ? value : arith::ExtFOp::create(*this, getF32Type(), value).getResult();
}

void LoopBuilder::storeFloat(Type element, Value value, Value base, Value index) {
  if (!element.isF32())
    value = arith::TruncFOp::create(*this, element, value);
  store(value, base, index);
}

void LoopBuilder::loop(Value begin, Value end, llvm::function_ref<void(Value)> body) {
  fold(begin, end, {}, [&](Value index, ValueRange) {
    body(index);
    return Values{};
  });
}

Values LoopBuilder::fold(Value begin,
                         Value end,
                         ValueRange initial,
                         llvm::function_ref<Values(Value, ValueRange)> body) {
  auto loop = scf::ForOp::create(*this, begin, end, i64(1), initial);
  OpBuilder::InsertionGuard guard(*this);
  // An scf.for without carried values comes with its terminator.
  Block* block = loop.getBody();
  if (initial.empty())
    setInsertionPoint(block->getTerminator());
  else
    setInsertionPointToEnd(block);
  Values next = body(loop.getInductionVar(), loop.getRegionIterArgs());
  if (!initial.empty())
    scf::YieldOp::create(*this, next);
  return Values(loop.getResults());
}

Values LoopBuilder::choose(Value condition,
                           llvm::function_ref<Values()> yes,
                           llvm::function_ref<Values()> no) {
  // The callbacks build through *this, so its insertion point must follow into the branches.
  auto at = [&](llvm::function_ref<Values()> body) {
    return [this, body](OpBuilder& builder, Location loc) {
      OpBuilder::InsertionGuard guard(*this);
      restoreInsertionPoint(builder.saveInsertionPoint());
      Values values = body();
      builder.restoreInsertionPoint(saveInsertionPoint());
      scf::YieldOp::create(builder, loc, values);
    };
  };
  auto op = scf::IfOp::create(*this, condition, at(yes), at(no));
  return Values(op.getResults());
}

void LoopBuilder::when(Value condition, llvm::function_ref<void()> body) {
  auto op = scf::IfOp::create(*this, condition);
  OpBuilder::InsertionGuard guard(*this);
  setInsertionPointToStart(op.thenBlock());
  body();
}

} // namespace mlac
