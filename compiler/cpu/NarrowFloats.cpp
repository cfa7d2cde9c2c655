#include "compiler/cpu/NarrowFloats.h"

using namespace mlir;

namespace mlac {
namespace {

using Predicate = arith::CmpIPredicate;

Value both(LoopBuilder& b, Value code, std::int32_t mask) {
  return arith::AndIOp::create(b, code, b.i32(mask));
}

Value up(LoopBuilder& b, Value code, int bits) {
  return arith::ShLIOp::create(b, code, b.i32(bits));
}

Value asFloat(LoopBuilder& b, Value bits) {
  return arith::BitcastOp::create(b, b.getF32Type(), bits);
}

Value asBits(LoopBuilder& b, Value value) {
  return arith::BitcastOp::create(b, b.getI32Type(), value);
}

constexpr std::int32_t kNan = 0x7fc00000;

/// A code without sign, shifted so that its mantissa ends where f32's begins, is the number times
/// 2^-(127 - bias), subnormal codes included; a product with a power of two is exact.
Value rebias(LoopBuilder& b, Value magnitude, int mantissaBits, int bias) {
  Value shifted = asFloat(b, up(b, magnitude, 23 - mantissaBits));
  Value power = asFloat(b, b.i32((127 + 127 - bias) << 23));
  return arith::MulFOp::create(b, shifted, power);
}

Value withSign(LoopBuilder& b, Value code, int signBits, Value magnitudeBits) {
  Value sign = up(b, both(b, code, 1 << (signBits - 1)), 32 - signBits);
  return asFloat(b, arith::OrIOp::create(b, magnitudeBits, sign));
}

Value fromE4M3(LoopBuilder& b, Value code) {
  Value magnitude = both(b, code, 0x7f);
  Value isNan = b.compare(Predicate::eq, magnitude, b.i32(0x7f));
  Value bits = b.select(isNan, b.i32(kNan), asBits(b, rebias(b, magnitude, 3, 7)));
  return withSign(b, code, 8, bits);
}

/// Half of an f16: the same exponent, and the upper two bits of its mantissa.
Value fromE5M2(LoopBuilder& b, Value code) {
  Value half = arith::TruncIOp::create(b, b.getI16Type(), up(b, code, 8));
  Value number = arith::BitcastOp::create(b, b.getF16Type(), half);
  return arith::ExtFOp::create(b, b.getF32Type(), number);
}

Value fromE2M1(LoopBuilder& b, Value code) {
  return withSign(b, code, 4, asBits(b, rebias(b, both(b, code, 0x7), 1, 1)));
}

/// The exponent of an f32, but for the smallest, which is subnormal there, and the largest, NaN.
Value fromE8M0(LoopBuilder& b, Value code) {
  Value isLeast = b.compare(Predicate::eq, code, b.i32(0));
  Value isNan = b.compare(Predicate::eq, code, b.i32(0xff));
  Value bits = b.select(isLeast, b.i32(1 << 22), up(b, code, 23));
  return asFloat(b, b.select(isNan, b.i32(kNan), bits));
}

} // namespace

Value buildNarrowToFloat(LoopBuilder& b, FieldType type, Value code) {
  switch (type) {
  case FieldType::E4M3:
    return fromE4M3(b, code);
  case FieldType::E5M2:
    return fromE5M2(b, code);
  case FieldType::E2M1:
    return fromE2M1(b, code);
  default:
    assert(type == FieldType::E8M0 && "no narrow type");
    return fromE8M0(b, code);
  }
}

} // namespace mlac
