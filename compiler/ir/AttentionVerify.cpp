// Rules of mla.attention: sizes as the language has them, and what its regions may do.
#include "compiler/ir/MlaOps.h"

#include "llvm/ADT/StringSet.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlac::mla;

static LogicalResult checkRange(AttentionOp op, StringRef name, uint32_t value, int low, int high) {
  int found = static_cast<int>(value);
  if (found >= low && found <= high)
    return success();
  return op.emitOpError() << "`" << name << "` must be " << low << ".." << high << ", found "
                          << found;
}

static LogicalResult checkSixteens(AttentionOp op, StringRef name, uint32_t value, int low) {
  int found = static_cast<int>(value);
  if (found >= low && found % 16 == 0)
    return success();
  return op.emitOpError() << "`" << name << "` must be a multiple of 16, at least " << low
                          << ", found " << found;
}

static LogicalResult verifyTypes(AttentionOp op) {
  Type query = op.getQuery();
  Type output = op.getOutput();
  if (!query.isBF16() && !query.isF16())
    return op.emitOpError() << "`query` must be bf16 or f16, found " << query;
  if (!output.isBF16() && !output.isF16() && !output.isF32())
    return op.emitOpError() << "`output` must be bf16, f16 or f32, found " << output;
  RecordType record = op.getRecord();
  auto fits = [&](StringRef name, mlac::FieldKind part, uint32_t dims) -> LogicalResult {
    if (record.count(part) == dims)
      return success();
    return op.emitOpError() << "`" << name << "` is " << dims << ", but its cache record holds "
                            << record.count(part) << " such elements";
  };
  if (failed(fits("latent", mlac::FieldKind::Latent, op.getLatent())))
    return failure();
  // An attention without a rotary part passes over that of its records.
  return op.getRope() == 0 ? success() : fits("rope", mlac::FieldKind::Rope, op.getRope());
}

static LogicalResult verifyIteration(AttentionOp op) {
  constexpr int kMaxTopk = 65536;
  constexpr int kMaxInt = std::numeric_limits<int>::max();
  bool isWindow = op.getIterate() == Iterate::Window;
  if (op.isTopk() && failed(checkRange(op, "topk", op.getTopk(), 1, kMaxTopk)))
    return failure();
  if (!op.isTopk() && op.getTopk() != 0)
    return op.emitOpError() << "`topk` belongs to top-k iterations only";
  if (isWindow && failed(checkRange(op, "window", op.getWindow(), 1, kMaxInt)))
    return failure();
  if (!isWindow && op.getWindow() != 0)
    return op.emitOpError() << "`window` belongs to `iterate window` only";
  if (op.getCausal() && !op.isLogical())
    return op.emitOpError() << "`causal` needs key positions, which physical indices do not give; "
                               "use topk_logical, or let the indexer drop later keys";
  return success();
}

static LogicalResult verifyQueries(AttentionOp op) {
  constexpr int kMaxInt = std::numeric_limits<int>::max();
  if (failed(checkRange(op, "queries", op.getMinQueries(), 1, kMaxInt)))
    return failure();
  int high = static_cast<int>(op.getMaxQueries());
  if (high != 0 && high < static_cast<int>(op.getMinQueries()))
    return op.emitOpError() << "`queries` ends at " << high << ", below its start "
                            << op.getMinQueries() << "; 0 means any";
  return success();
}

LogicalResult AttentionOp::verify() {
  constexpr int kMaxHeads = 128;
  constexpr int kMaxPage = 2304;
  if (failed(checkRange(*this, "heads", getHeads(), 1, kMaxHeads)) ||
      failed(checkSixteens(*this, "latent", getLatent(), 16)) ||
      failed(checkSixteens(*this, "rope", getRope(), 0)) ||
      failed(checkRange(*this, "page", getPage(), 1, kMaxPage)) || failed(verifyTypes(*this)) ||
      failed(verifyIteration(*this)) || failed(verifyQueries(*this)))
    return failure();
  llvm::StringSet<> names;
  for (Attribute param : getParamsAttr() ? getParamsAttr().getValue() : ArrayRef<Attribute>())
    if (StringRef name = cast<ParamAttr>(param).getName(); !names.insert(name).second)
      return emitOpError() << "has two parameters named \"" << name << "\"";
  if (auto scale = getScale(); scale && !scale->isFinite())
    return emitOpError() << "`scale` must be finite";
  return success();
}

static LogicalResult
checkTypes(AttentionOp op, StringRef what, TypeRange found, ArrayRef<Type> wanted) {
  if (llvm::equal(found, wanted))
    return success();
  return op.emitOpError() << what << " must be (" << ArrayRef<Type>(wanted) << "), found (" << found
                          << ")";
}

// A parameter that is an array is read at the region's own head or token: any other index could
// lie outside it.
static LogicalResult checkParam(AttentionOp attention, ParamOp op, Region& region) {
  const unsigned head = &region == &attention.getMask() ? 0 : 1;
  ParamAttr param = attention.findParam(op.getParam());
  if (!param)
    return op.emitOpError() << "names \"" << op.getParam()
                            << "\", which is no parameter of the attention";
  if (param.getType() != op.getType())
    return op.emitOpError() << "reads \"" << op.getParam() << "\" as " << op.getType()
                            << ", but it is " << param.getType();
  const Value wanted = param.getShape() == ParamShape::PerHead    ? region.getArgument(head)
                       : param.getShape() == ParamShape::PerToken ? region.getArgument(head + 3)
                                                                  : Value();
  if (op.getIndex() != wanted)
    return op.emitOpError() << "must index \"" << op.getParam() << "\", which is "
                            << stringifyParamShape(param.getShape()) << ", by "
                            << (!wanted                              ? "nothing"
                                : wanted == region.getArgument(head) ? "the head"
                                                                     : "the token");
  return success();
}

// A mla.lookup needs a table, which the slots region alone is given.
static LogicalResult checkOps(AttentionOp attention, Region& region, StringRef name) {
  const bool isRule = &region == &attention.getMask() || &region == &attention.getScore();
  for (Operation& op : region.front().without_terminator()) {
    if (auto param = dyn_cast<ParamOp>(op); param && isRule) {
      if (failed(checkParam(attention, param, region)))
        return failure();
      continue;
    }
    if (!isa<LookupOp>(op) &&
        !isa_and_present<arith::ArithDialect, math::MathDialect>(op.getDialect()))
      return op.emitOpError() << "may not stand in the " << name
                              << " region, which holds arith and math operations";
  }
  return success();
}

static LogicalResult checkRegion(AttentionOp op,
                                 Region& region,
                                 StringRef name,
                                 ArrayRef<Type> arguments,
                                 ArrayRef<Type> results) {
  Operation* end = region.front().getTerminator();
  if (!isa<YieldOp>(end))
    return end->emitOpError() << "may not end the " << name << " region, mla.yield does";
  if (failed(checkTypes(
          op, (name + " region arguments").str(), region.getArgumentTypes(), arguments)) ||
      failed(checkTypes(op, (name + " region results").str(), end->getOperandTypes(), results)))
    return failure();
  return checkOps(op, region, name);
}

static LogicalResult checkKeyUnused(AttentionOp op, Region& region, StringRef name, int position) {
  if (op.isLogical() || region.getArgument(position).use_empty())
    return success();
  return op.emitOpError() << "the " << name
                          << " region uses the key position, which physical indices do not give; "
                             "use topk_logical";
}

LogicalResult AttentionOp::verifyRegions() {
  MLIRContext* context = getContext();
  Type i1 = IntegerType::get(context, 1);
  Type i32 = IntegerType::get(context, 32);
  Type i64 = IntegerType::get(context, 64);
  Type f32 = Float32Type::get(context);
  Type table = TableType::get(context);
  if (failed(checkRegion(*this, getInterval(), "interval", {i32, i32, i32, i1}, {i32, i32})) ||
      failed(
          checkRegion(*this, getSlots(), "slots", {i32, i32, i32, i64, table}, {i32, i64, i1})) ||
      failed(checkRegion(*this, getMask(), "mask", {i32, i32, i32, i32}, {i1})) ||
      failed(checkRegion(*this, getScore(), "score", {f32, i32, i32, i32, i32}, {f32})))
    return failure();
  if (failed(checkKeyUnused(*this, getMask(), "mask", 2)))
    return failure();
  return checkKeyUnused(*this, getScore(), "score", 3);
}
