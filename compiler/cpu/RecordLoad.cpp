#include "compiler/cpu/RecordLoad.h"

#include "compiler/cpu/NarrowFloats.h"

using namespace mlir;

namespace mlac {

RecordLoad::RecordLoad(LoopBuilder& builder, mla::RecordType type, Value cacheScale)
    : b(builder), record(type.record()), layout(layoutOf(record)), cacheScale(cacheScale) {}

/// As CachePages has it.
void RecordLoad::findSlot(const KernelArgs& args, Value slot, std::int64_t page) {
  Value pageTokens = b.i64(page);
  Value block = arith::DivUIOp::create(b, slot, pageTokens);
  Value inPage = arith::RemUIOp::create(b, slot, pageTokens);
  Value pageBytes = b.mul(block, args.pageStrideBytes);
  token = b.offset(args.cache, b.add(pageBytes, b.mul(inPage, args.tokenStrideBytes)));
  if (layout.tailBytes == 0)
    return;
  Value tailBytes =
      b.add(b.mul(pageTokens, args.tokenStrideBytes), b.mul(inPage, b.i64(layout.tailBytes)));
  tail = b.offset(args.cache, b.add(pageBytes, tailBytes));
}

Value RecordLoad::placeOf(const RecordField& field) {
  const auto index = static_cast<std::size_t>(&field - record.fields.data());
  return b.offset(field.inTail ? tail : token, b.i64(layout.offsets[index]));
}

Value RecordLoad::element(FieldType type, Value base, Value index) {
  switch (type) {
  case FieldType::BF16:
    return b.loadFloat(b.getBF16Type(), base, index);
  case FieldType::F16:
    return b.loadFloat(b.getF16Type(), base, index);
  case FieldType::F32:
    return b.loadFloat(b.getF32Type(), base, index);
  default:
    break;
  }
  // Two elements of 4 bits share a byte, the even one in its low half.
  const bool isHalfByte = fieldBits(type) == 4;
  Value at = isHalfByte ? arith::ShRUIOp::create(b, index, b.i64(1)).getResult() : index;
  Value code = arith::ExtUIOp::create(b, b.getI32Type(), b.load(b.getI8Type(), base, at));
  if (isHalfByte) {
    Value isOdd = arith::AndIOp::create(b, b.narrow(index), b.i32(1));
    Value shift = b.mul(isOdd, b.i32(4));
    code = arith::AndIOp::create(b, arith::ShRUIOp::create(b, code, shift), b.i32(0xf));
  }
  return buildNarrowToFloat(b, type, code);
}

void RecordLoad::convertGroup(
    const RecordField& data, Value scale, Value to, std::int64_t at, Value begin, Value end) {
  Value base = placeOf(data);
  b.loop(begin, end, [&](Value index) {
    Value value = element(data.type, base, index);
    if (scale)
      value = arith::MulFOp::create(b, value, scale);
    b.store(value, to, b.add(b.i64(at), index));
  });
}

void RecordLoad::convert(FieldKind part, Value to, std::int64_t at, std::int64_t count) {
  const RecordField& data = *record.find(part);
  const RecordField* const scale = record.findScale(part);
  if (scale == nullptr || scale->group == 0) {
    Value factor = scale == nullptr ? Value() : cacheScale;
    return convertGroup(data, factor, to, at, b.i64(0), b.i64(count));
  }
  // Parts are read whole, and a scale's groups divide them.
  assert(count == data.count && "part of a part");
  Value scales = placeOf(*scale);
  b.loop(b.i64(0), b.i64(count / scale->group), [&](Value group) {
    Value factor = element(scale->type, scales, group);
    Value begin = b.mul(group, b.i64(scale->group));
    convertGroup(data, factor, to, at, begin, b.add(begin, b.i64(scale->group)));
  });
}

} // namespace mlac
