#include "compiler/cpu/ExpandHalf.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace mlac {
namespace {

/// Shorthand for i32 arithmetic on the bits of scalars.
class Bits {
public:
  Bits(PatternRewriter& rewriter, Location loc) : b(loc, rewriter) {}

  Value constant(std::uint32_t value) {
    return arith::ConstantOp::create(b, b.getI32IntegerAttr(static_cast<std::int32_t>(value)));
  }

  Value asFloat(Value bits) { return arith::BitcastOp::create(b, b.getF32Type(), bits); }

  Value asBits(Value value) { return arith::BitcastOp::create(b, b.getI32Type(), value); }

  Value both(Value bits, std::uint32_t mask) {
    return arith::AndIOp::create(b, bits, constant(mask));
  }

  Value either(Value a, Value c) { return arith::OrIOp::create(b, a, c); }

  Value up(Value bits, int count) { return arith::ShLIOp::create(b, bits, constant(count)); }

  Value down(Value bits, int count) { return arith::ShRUIOp::create(b, bits, constant(count)); }

  Value add(Value a, Value c) { return arith::AddIOp::create(b, a, c); }

  Value atLeast(Value bits, std::uint32_t limit) {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::uge, bits, constant(limit));
  }

  Value choose(Value condition, Value yes, Value no) {
    return arith::SelectOp::create(b, condition, yes, no);
  }

  ImplicitLocOpBuilder b;
};

/// Multiplying by 2^112 moves f16's exponent to f32's bias and normalises f16's subnormals on the
/// way.
Value extendF16(Bits& bits, Value half) {
  Value wide = arith::ExtUIOp::create(
      bits.b, bits.b.getI32Type(), arith::BitcastOp::create(bits.b, bits.b.getI16Type(), half));
  Value magnitude = bits.up(bits.both(wide, 0x7fff), 13);
  Value rebias = bits.asFloat(bits.constant((127U + 112U) << 23));
  Value finite =
      bits.asBits(arith::MulFOp::create(bits.b, bits.asFloat(magnitude), rebias).getResult());
  Value special = bits.either(magnitude, bits.constant(0x7f800000));
  Value isSpecial = bits.atLeast(bits.both(wide, 0x7fff), 0x7c00);
  Value sign = bits.up(bits.both(wide, 0x8000), 16);
  return bits.asFloat(bits.either(sign, bits.choose(isSpecial, special, finite)));
}

/// Three cases by magnitude: subnormal results (adding 0.5 leaves them, rounded, in the low bits),
/// normal ones (rounding up may carry into the exponent, and so into infinity, as it should), and
/// infinity or NaN.
Value truncateToF16(Bits& bits, Value single) {
  Value all = bits.asBits(single);
  Value magnitude = bits.both(all, 0x7fffffff);
  Value half = bits.asFloat(bits.constant(0x3f000000));
  Value shifted = arith::AddFOp::create(bits.b, bits.asFloat(magnitude), half);
  Value subnormal = bits.add(bits.asBits(shifted), bits.constant(-0x3f000000U));
  Value odd = bits.both(bits.down(magnitude, 13), 1);
  Value rounded = bits.add(bits.add(magnitude, bits.constant(0xfff)), odd);
  Value normal = bits.add(bits.down(rounded, 13), bits.constant(-(112U << 10)));
  Value special = bits.choose(
      bits.atLeast(magnitude, 0x7f800001), bits.constant(0x7e00), bits.constant(0x7c00));
  Value small = bits.choose(bits.atLeast(magnitude, 0x38800000), normal, subnormal);
  Value unsignedBits = bits.choose(bits.atLeast(magnitude, 0x47800000), special, small);
  Value sign = bits.down(bits.both(all, 0x80000000), 16);
  Value narrow =
      arith::TruncIOp::create(bits.b, bits.b.getI16Type(), bits.either(sign, unsignedBits));
  return arith::BitcastOp::create(bits.b, bits.b.getF16Type(), narrow);
}

struct ExpandExtF16 : OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::ExtFOp op, PatternRewriter& rewriter) const override {
    if (!op.getIn().getType().isF16() || !op.getType().isF32())
      return failure();
    Bits bits(rewriter, op.getLoc());
    rewriter.replaceOp(op, extendF16(bits, op.getIn()));
    return success();
  }
};

struct ExpandTruncF16 : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op, PatternRewriter& rewriter) const override {
    if (!op.getIn().getType().isF32() || !op.getType().isF16())
      return failure();
    Bits bits(rewriter, op.getLoc());
    rewriter.replaceOp(op, truncateToF16(bits, op.getIn()));
    return success();
  }
};

struct ExpandHalfPass : PassWrapper<ExpandHalfPass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ExpandHalfPass)

  StringRef getArgument() const override { return "mla-expand-half"; }

  StringRef getDescription() const override {
    return "bf16 and f16 conversions as integer arithmetic on f32 bits";
  }

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<ExpandExtF16, ExpandTruncF16>(&getContext());
    arith::populateExpandBFloat16Patterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace

std::unique_ptr<Pass> createExpandHalfPass() {
  return std::make_unique<ExpandHalfPass>();
}

} // namespace mlac
