#include "compiler/ir/RuleRegions.h"

#include "compiler/ir/MlaOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace mlac;
using namespace mlac::mla;
using arith::CmpFPredicate;
using arith::CmpIPredicate;

namespace {

CmpIPredicate wholePredicate(ExprOp op) {
  switch (op) {
  case ExprOp::Eq:
    return CmpIPredicate::eq;
  case ExprOp::Ne:
    return CmpIPredicate::ne;
  case ExprOp::Lt:
    return CmpIPredicate::slt;
  case ExprOp::Le:
    return CmpIPredicate::sle;
  case ExprOp::Gt:
    return CmpIPredicate::sgt;
  default:
    return CmpIPredicate::sge;
  }
}

/// IEEE: NaN differs from everything, itself included, and is not ordered.
CmpFPredicate realPredicate(ExprOp op) {
  switch (op) {
  case ExprOp::Eq:
    return CmpFPredicate::OEQ;
  case ExprOp::Ne:
    return CmpFPredicate::UNE;
  case ExprOp::Lt:
    return CmpFPredicate::OLT;
  case ExprOp::Le:
    return CmpFPredicate::OLE;
  case ExprOp::Gt:
    return CmpFPredicate::OGT;
  default:
    return CmpFPredicate::OGE;
  }
}

class RuleBuilder {
public:
  RuleBuilder(ImplicitLocOpBuilder& builder,
              std::span<const RuleParam> params,
              const RuleArguments& arguments)
      : b(builder), params(params), arguments(arguments) {}

  Value run(const Rule& rule) {
    values.reserve(rule.size());
    for (const ExprNode& node : rule)
      values.push_back(build(node));
    return values.back();
  }

private:
  Value build(const ExprNode& node) {
    if (infoOf(node.op).operands == 0)
      return leaf(node);
    const Value x = operand(node, 0);
    const Value y = operand(node, 1);
    switch (node.op) {
    case ExprOp::ToFloat:
      return make<arith::SIToFPOp>(b.getF32Type(), x);
    case ExprOp::Not:
      return make<arith::XOrIOp>(x, integer(b.getI1Type(), 1));
    case ExprOp::And:
      return make<arith::AndIOp>(x, y);
    case ExprOp::Or:
      return make<arith::OrIOp>(x, y);
    case ExprOp::Select:
      return make<arith::SelectOp>(x, y, operand(node, 2));
    default:
      break;
    }
    if (node.type == ExprType::Bool)
      return x.getType().isF32() ? make<arith::CmpFOp>(realPredicate(node.op), x, y)
                                 : make<arith::CmpIOp>(wholePredicate(node.op), x, y);
    return node.type == ExprType::F32 ? real(node.op, x, y) : whole(node.op, x, y);
  }

  Value leaf(const ExprNode& node) {
    switch (node.op) {
    case ExprOp::Score:
      return arguments.score;
    case ExprOp::Head:
      return arguments.head;
    case ExprOp::Query:
      return arguments.query;
    case ExprOp::Key:
      return arguments.key;
    case ExprOp::Token:
      return arguments.token;
    case ExprOp::Param:
      return param(params[static_cast<std::size_t>(node.integer)]);
    default:
      return constant(node);
    }
  }

  Value constant(const ExprNode& node) {
    if (node.type == ExprType::F32)
      return arith::ConstantOp::create(b, b.getF32FloatAttr(node.real));
    return integer(node.type == ExprType::Bool ? b.getI1Type() : b.getI32Type(), node.integer);
  }

  Value param(const RuleParam& named) {
    const Value index = named.kind == ParamKind::PerHead    ? arguments.head
                        : named.kind == ParamKind::PerToken ? arguments.token
                                                            : Value();
    const Type type = named.type == ExprType::F32 ? Type(b.getF32Type()) : Type(b.getI32Type());
    return ParamOp::create(b, type, b.getStringAttr(named.name), index);
  }

  Value real(ExprOp op, Value x, Value y) {
    switch (op) {
    case ExprOp::Neg:
      return make<arith::NegFOp>(x);
    case ExprOp::Abs:
      return make<math::AbsFOp>(x);
    case ExprOp::Exp:
      return make<math::ExpOp>(x);
    case ExprOp::Log:
      return make<math::LogOp>(x);
    case ExprOp::Tanh:
      return make<math::TanhOp>(x);
    case ExprOp::Sqrt:
      return make<math::SqrtOp>(x);
    case ExprOp::Add:
      return make<arith::AddFOp>(x, y);
    case ExprOp::Sub:
      return make<arith::SubFOp>(x, y);
    case ExprOp::Mul:
      return make<arith::MulFOp>(x, y);
    case ExprOp::Div:
      return make<arith::DivFOp>(x, y);
    case ExprOp::Min:
      return make<arith::MinNumFOp>(x, y);
    case ExprOp::Max:
      return make<arith::MaxNumFOp>(x, y);
    case ExprOp::Pow:
      return make<math::PowFOp>(x, y);
    default:
      llvm_unreachable("a settled rule has basic operations only");
    }
  }

  Value whole(ExprOp op, Value x, Value y) {
    switch (op) {
    case ExprOp::Neg:
      return negated(x);
    case ExprOp::Abs:
      return make<arith::MaxSIOp>(x, negated(x));
    case ExprOp::Add:
      return make<arith::AddIOp>(x, y);
    case ExprOp::Sub:
      return make<arith::SubIOp>(x, y);
    case ExprOp::Mul:
      return make<arith::MulIOp>(x, y);
    case ExprOp::Div:
      return quotient(x, y);
    case ExprOp::Mod:
      return make<arith::SubIOp>(x, make<arith::MulIOp>(quotient(x, y), y));
    case ExprOp::Min:
      return make<arith::MinSIOp>(x, y);
    case ExprOp::Max:
      return make<arith::MaxSIOp>(x, y);
    default:
      llvm_unreachable("a settled rule has basic operations only");
    }
  }

  /// Rounds down. Processors trap at x / 0 and at -2^31 / -1, so those two divisors take a way of
  /// their own wherever they may come up.
  Value quotient(Value x, Value y) {
    if (auto known = y.getDefiningOp<arith::ConstantOp>()) {
      const int64_t divisor = cast<IntegerAttr>(known.getValue()).getInt();
      if (divisor != 0 && divisor != -1)
        return make<arith::FloorDivSIOp>(x, y);
    }
    const Value zero = integer(b.getI32Type(), 0);
    const Value isZero = make<arith::CmpIOp>(CmpIPredicate::eq, y, zero);
    const Value isMinusOne = make<arith::CmpIOp>(CmpIPredicate::eq, y, integer(b.getI32Type(), -1));
    const Value isSpecial = make<arith::OrIOp>(isZero, isMinusOne);
    const Value safe = make<arith::SelectOp>(isSpecial, integer(b.getI32Type(), 1), y);
    const Value usual = make<arith::FloorDivSIOp>(x, safe);
    const Value special = make<arith::SelectOp>(isZero, zero, negated(x));
    return make<arith::SelectOp>(isSpecial, special, usual);
  }

  Value negated(Value x) { return make<arith::SubIOp>(integer(b.getI32Type(), 0), x); }

  Value integer(Type type, int64_t value) {
    return arith::ConstantOp::create(b, b.getIntegerAttr(type, value));
  }

  Value operand(const ExprNode& node, std::size_t i) const {
    return node.operands[i] < 0 ? Value() : values[static_cast<std::size_t>(node.operands[i])];
  }

  template <typename Op, typename... Args>
  Value make(Args... args) {
    return Op::create(b, args...);
  }

  ImplicitLocOpBuilder& b;
  std::span<const RuleParam> params;
  const RuleArguments& arguments;
  std::vector<Value> values;
};

} // namespace

Value mla::buildRule(ImplicitLocOpBuilder& builder,
                     const Rule& settled,
                     std::span<const RuleParam> params,
                     const RuleArguments& arguments) {
  return RuleBuilder(builder, params, arguments).run(settled);
}
